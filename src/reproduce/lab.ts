/** What an experiment works with: seed, threads, data, and steps whose results are kept for a run to go on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ListwiseError, quote } from '../errors.js';
import { gatherValues } from '../ranks/gathered.js';
import { spreadInTurn } from '../ranks/spread.js';
import { alone, type Transport } from '../ranks/transport.js';
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
  /** Others that take some of the data sets and folds; they have no store. */
  readonly ranks?: Transport | undefined;
  /** Before a step: so many are done. */
  onBegin?(done: number, total: number, name: string): void;
  onStep?(done: number, total: number, name: string, seconds: number): void;
}

/** The result of a step; of one that other experiments may take too if `shared`. */
interface Found {
  readonly key: string;
  readonly name: string;
  readonly shared: boolean;
  readonly result: unknown;
  readonly seconds: number;
}

export class Lab {
  readonly seed: number;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly #settings: LabSettings;
  readonly #ranks: Transport;
  /** What other ranks found, or kept from an earlier run. */
  readonly #told = new Map<string, unknown>();
  /** What they have not been told yet. */
  #found: Found[] = [];
  /** Whether ranks are at different items. */
  #apart = false;
  #total = 0;
  #done = 0;

  constructor(settings: LabSettings) {
    this.seed = settings.seed;
    this.threads = settings.threads;
    this.signal = settings.signal;
    this.#settings = settings;
    this.#ranks = settings.ranks ?? alone;
    const { store, shared } = settings;
    for (const kept of gatherValues(this.#ranks, [...(store?.entries() ?? []), ...(shared?.entries() ?? [])])) {
      for (const [key, result] of kept) this.#told.set(key, result);
    }
  }

  /**
   * Work on data sets, folds and the like, one after the other; several ranks share them out. What it comes to is
   * plain, and depends on no other item.
   */
  async each<Item, Outcome>(
    items: readonly Item[],
    work: (item: Item, number: number) => Promise<Outcome>,
  ): Promise<Outcome[]> {
    if (this.#apart) throw new RangeError('items within an item are not shared out');
    const numbers = items.map((_, number) => number);
    const { size } = this.#ranks;
    const outcomes: Outcome[] = [];
    // Round by round, so that what is done is kept before all is.
    for (let from = 0; from < items.length; from += size) {
      const round = numbers.slice(from, from + size);
      this.#apart = true;
      try {
        outcomes.push(...(await spreadInTurn(this.#ranks, round, number => work(items[number]!, number))));
      } catch (error) {
        // Of all ranks; any other failure is of one.
        if (error instanceof ListwiseError) this.#tell();
        throw error;
      } finally {
        this.#apart = false;
      }
      this.#tell();
    }
    return outcomes;
  }

  #tell(): void {
    const { store, shared = store, onStep } = this.#settings;
    const all = gatherValues(this.#ranks, this.#found);
    this.#found = [];
    for (const [rank, found] of all.entries()) {
      for (const { key, name, result, seconds, ...step } of found) {
        this.#told.set(key, result);
        if (rank === this.#ranks.rank) continue;
        (step.shared ? shared : store)?.put(key, result);
        this.#done++;
        onStep?.(this.#done, Math.max(this.#total, this.#done), name, seconds);
      }
    }
  }

  /** Of so many data sets. */
  seeds(dataSets: number): number[] {
    return Array.from({ length: dataSets }, (_, i) => this.seed + i);
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
    return this.#step({ key, name: key, shared: false }, work);
  }

  /** A step that other experiments may take too: `inputs` holds all that its result depends on. */
  async sharedStep<Result>(name: string, inputs: unknown, work: () => Result | Promise<Result>): Promise<Result> {
    return this.#step({ key: `${name} ${JSON.stringify(inputs)}`, name, shared: true }, work);
  }

  async #step<Result>(step: Omit<Found, 'result' | 'seconds'>, work: () => Result | Promise<Result>): Promise<Result> {
    const { key, name } = step;
    const { store: own, shared = own } = this.#settings;
    const store = step.shared ? shared : own;
    // Half a training is no result, and what fails after a signal fails because of it.
    const refuseInterrupted = () => {
      if (!this.signal.aborted) return;
      throw new ListwiseError('training-interrupted', `interrupted in the step ${quote(name)}, before all were done`);
    };
    refuseInterrupted();
    this.#settings.onBegin?.(this.#done, Math.max(this.#total, this.#done + 1), name);
    const begun = performance.now();
    const known = store?.get(key) ?? this.#told.get(key);
    let result: Result;
    try {
      result = known === undefined ? await this.#work(work) : (known as Result);
    } finally {
      refuseInterrupted();
    }
    const seconds = (performance.now() - begun) / 1000;
    if (known === undefined) {
      store?.put(key, result);
      if (this.#apart) this.#found.push({ ...step, result, seconds });
    }
    this.#done++;
    this.#settings.onStep?.(this.#done, Math.max(this.#total, this.#done), name, seconds);
    return result;
  }

  /** Where ranks are at one place, the first one works for all. */
  async #work<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    if (this.#apart) return work();
    const [result] = await spreadInTurn(this.#ranks, [work], async one => one());
    return result!;
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
