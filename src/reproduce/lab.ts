/** What an experiment works with: seed, threads, data, and steps whose results are kept for a run to go on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ListwiseError, quote } from '../errors.js';
import type { StepStore } from './step-store.js';

export interface LabSettings {
  readonly seed: number;
  readonly threads: number;
  readonly signal: AbortSignal;
  /** The directory that holds collections, each a directory of its own. */
  readonly collections?: string | undefined;
  /** Where results of steps are kept; nowhere where left out. */
  readonly store?: StepStore | undefined;
  /** Where results are kept that several experiments share; with the others where left out. */
  readonly shared?: StepStore | undefined;
  /** Before a step: so many are done. */
  onBegin?(done: number, total: number, name: string): void;
  onStep?(done: number, total: number, name: string): void;
}

export class Lab {
  readonly seed: number;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly #settings: LabSettings;
  #total = 0;
  #done = 0;

  constructor(settings: LabSettings) {
    this.seed = settings.seed;
    this.threads = settings.threads;
    this.signal = settings.signal;
    this.#settings = settings;
  }

  /** How many steps are to come, so that progress can tell the time left. */
  expect(steps: number): void {
    this.#total += steps;
  }

  /**
   * A piece of work of seconds to minutes: a model trained and evaluated. Its result is plain JSON; where the run is
   * taken up again it comes from the store. The key tells it from the other steps of the experiment.
   */
  async step<Result>(key: string, work: () => Result | Promise<Result>): Promise<Result> {
    return this.#step(this.#settings.store, key, key, work);
  }

  /** A step that other experiments may take too: `inputs` holds all that its result depends on. */
  async sharedStep<Result>(name: string, inputs: unknown, work: () => Result | Promise<Result>): Promise<Result> {
    const { store, shared = store } = this.#settings;
    return this.#step(shared, `${name} ${JSON.stringify(inputs)}`, name, work);
  }

  async #step<Result>(
    store: StepStore | undefined,
    key: string,
    name: string,
    work: () => Result | Promise<Result>,
  ): Promise<Result> {
    // Half a training is no result, and what fails after a signal fails because of it.
    const refuseInterrupted = () => {
      if (!this.signal.aborted) return;
      throw new ListwiseError('training-interrupted', `interrupted in the step ${quote(name)}, before all were done`);
    };
    refuseInterrupted();
    this.#settings.onBegin?.(this.#done, Math.max(this.#total, this.#done + 1), name);
    const known = store?.get(key);
    let result: Result;
    try {
      result = known === undefined ? await work() : (known as Result);
    } finally {
      refuseInterrupted();
    }
    if (known === undefined) store?.put(key, result);
    this.#done++;
    this.#settings.onStep?.(this.#done, Math.max(this.#total, this.#done), name);
    return result;
  }

  /** The directory of a collection, such as LETOR's OHSUMED with S1.txt.gz to S5.txt.gz. */
  data(collection: string): string {
    return collectionDirectory(this.#settings.collections, collection);
  }
}

/** `collections` is the directory that holds them all. */
export function collectionDirectory(collections: string | undefined, collection: string): string {
  if (collections === undefined) {
    throw new ListwiseError('option-invalid', `the experiment reads ${collection}: say with \`data: DIR\` where it is`);
  }
  const directory = join(collections, collection);
  if (existsSync(directory)) return directory;
  throw new ListwiseError('file-not-found', `the experiment reads ${collection}, which is not there`, {
    file: directory,
  });
}
