/**
 * Trainings in the process of the studio: their log while they go on, and the models of their iterations, so that one
 * can step through them. A training is as on the command line: the same data, options and seed give the same model.
 */
import { randomBytes } from 'node:crypto';
import type { Dataset } from '../data/dataset.js';
import { ListwiseError } from '../errors.js';
import type { Ranker } from '../models/ranker.js';
import { internalFailure } from '../serve/answers.js';
import { trainerOf } from '../training/all.js';
import type { IterationRecord } from '../training/iteration-record.js';
import { optionsFromText } from '../training/options.js';
import type { Trained } from '../training/train.js';
import { settleSettings, trainSettled } from '../training/train-settled.js';
import type { TrainingRequest, TrainingRow, TrainingState } from './answers.js';

/** Of a long training every second, fourth, … model is kept. */
const MOST_MODELS = 128;
/** Trainings that are kept; the oldest that has ended makes room. */
const MOST_TRAININGS = 20;

/** Ids of models of trainings begin so. */
export const OF_TRAINING = 'training/';

export class Training {
  readonly id: string;
  readonly name: string;
  readonly request: TrainingRequest;
  readonly log: IterationRecord[] = [];
  readonly notes: string[] = [];
  state: TrainingState = 'running';
  error: string | undefined;
  trained: Trained | undefined;
  total = 0;
  readonly #models = new Map<number, Ranker>();
  readonly #stop = new AbortController();
  #every = 1;

  constructor(number: number, request: TrainingRequest) {
    // Another studio has other trainings: an address of one is not taken for that of another.
    this.id = `${number}-${randomBytes(3).toString('hex')}`;
    this.name = `training ${number}`;
    this.request = request;
  }

  get row(): TrainingRow {
    const { id, name, state, total, request, log } = this;
    return { id, name, state, iteration: log.at(-1)?.iteration ?? 0, total, request };
  }

  /** Those whose models are kept, ascending. */
  get iterations(): number[] {
    return [...this.#models.keys()];
  }

  /** The model that the training came to, or has come to so far; of an iteration the kept one that is nearest. */
  at(iteration?: number): { readonly model: Ranker; readonly iteration: number | undefined } {
    if (iteration === undefined && this.trained !== undefined) return { model: this.trained.model, iteration };
    const kept = this.iterations;
    if (kept.length === 0) throw new ListwiseError('request-invalid', `${this.name} has no model yet`);
    const wanted = iteration ?? kept.at(-1)!;
    const nearest = kept.reduce((a, b) => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a));
    return { model: this.#models.get(nearest)!, iteration: nearest };
  }

  cancel(): void {
    this.#stop.abort();
  }

  async run(settings: Settled, data: Dataset, validate: Dataset | undefined): Promise<void> {
    try {
      this.trained = await trainSettled({
        ...settings,
        data,
        validate,
        evaluateTraining: true,
        signal: this.#stop.signal,
        note: text => this.notes.push(text),
        onIteration: (record, total, made) => {
          this.log.push(record);
          this.total = total;
          if (made !== undefined) this.#keep(record.iteration, made);
        },
      });
      this.state = this.#stop.signal.aborted ? 'stopped' : 'finished';
    } catch (error) {
      this.state = this.#stop.signal.aborted ? 'stopped' : 'failed';
      if (!(error instanceof ListwiseError)) throw error;
      this.error = error.detail;
    }
  }

  #keep(iteration: number, made: () => Ranker): void {
    if (iteration % this.#every !== 0) return;
    this.#models.set(iteration, made());
    if (this.#models.size <= MOST_MODELS) return;
    this.#every *= 2;
    for (const kept of this.#models.keys()) if (kept % this.#every !== 0) this.#models.delete(kept);
  }
}

type Settled = ReturnType<typeof settledOf>;

/** Refuses options that are wrong. */
export function settledOf({ model, objective, select, seed, set }: TrainingRequest) {
  const options = optionsFromText(trainerOf(model), set);
  // In this thread alone, turn by turn: requests are answered between two pieces of work.
  return settleSettings({ model, objective, select, seed, options, threads: 1 });
}

export class Trainings {
  readonly #all: Training[] = [];
  readonly #note: ((text: string) => void) | undefined;
  #number = 0;

  constructor(note?: (text: string) => void) {
    this.#note = note;
  }

  get all(): readonly Training[] {
    return this.#all;
  }

  named(id: string): Training | undefined {
    return this.#all.find(training => training.id === id);
  }

  /** By the id of its model. */
  ofModel(id: string): Training | undefined {
    return id.startsWith(OF_TRAINING) ? this.named(id.slice(OF_TRAINING.length)) : undefined;
  }

  /** Begins, and goes on after this returns. Options that are wrong are refused before. */
  start(request: TrainingRequest, data: Dataset, validate: Dataset | undefined): Training {
    const busy = this.#all.find(({ state }) => state === 'running');
    if (busy !== undefined)
      throw new ListwiseError('request-invalid', `${busy.name} is going on: wait for its end, or cancel it`);
    const settings = settledOf(request);
    const training = new Training(++this.#number, request);
    this.#all.push(training);
    if (this.#all.length > MOST_TRAININGS) this.#all.shift();
    void training.run(settings, data, validate).catch((error: unknown) => {
      this.#note?.(internalFailure(error));
      training.state = 'failed';
      training.error = 'the training failed for a reason that is no fault of its options';
    });
    return training;
  }

  close(): void {
    for (const training of this.#all) training.cancel();
  }
}
