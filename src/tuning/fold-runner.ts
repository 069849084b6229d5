/**
 * Trains on folds, several at a time. Each lane is a thread with a share of the cores: never more threads at work than
 * asked for. A training gives the same model for any number of threads, so neither the lanes nor the order in which
 * they end matter.
 */
import { Worker } from 'node:worker_threads';
import type { Fold } from '../data/folds.js';
import { type PortableDataset, toPortable } from '../data/portable.js';
import { ListwiseError } from '../errors.js';
import { readFailure } from '../threads/failure.js';
import { type Configuration, type FoldJob, type FoldOutcome, runFold } from './fold-job.js';

export interface PortableFold {
  readonly fold: number;
  readonly train: PortableDataset;
  readonly validate: PortableDataset | undefined;
  readonly test: PortableDataset;
}

/** What a lane is told: a job, or to end the one at hand. */
export type LaneOrder = { readonly job: FoldJob } | { readonly abort: true };

export type LaneReport =
  | { readonly progress: number }
  | { readonly note: string }
  | { readonly outcome: FoldOutcome }
  /** See threads/failure.ts. */
  | { readonly failure: Uint8Array };

export interface LaneData {
  readonly folds: readonly PortableFold[];
  readonly threads: number;
}

export interface RunnerOptions {
  /** The most jobs that are ever waiting at one time: more lanes than that would idle. */
  readonly jobs: number;
  readonly threads: number;
  /** Whether jobs can be sent to a thread (see isPortable); otherwise they run here, one after another. */
  readonly portable: boolean;
  readonly signal: AbortSignal;
  note(text: string): void;
}

interface Lane {
  run(job: FoldJob, onProgress: (share: number) => void): Promise<FoldOutcome>;
  close(): Promise<unknown>;
}

export class FoldRunner {
  readonly #lanes: readonly Lane[];
  readonly #idle: Lane[];
  readonly #waiting: ((lane: Lane) => void)[] = [];
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;

  constructor(folds: readonly Fold[], { jobs, threads, portable, note, ...options }: RunnerOptions) {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const told = new Set<string>();
    // Folds say the same things; once is enough.
    const noteOnce = (text: string) => {
      if (told.has(text)) return;
      told.add(text);
      note(text);
    };
    const lanes = portable ? Math.max(1, Math.min(threads, jobs)) : 1;
    const portableFolds = lanes > 1 ? folds.map(toPortableFold) : [];
    this.#signal = signal;
    this.#lanes =
      lanes === 1
        ? [hereLane(folds, threads, signal, noteOnce)]
        : Array.from({ length: lanes }, (_, lane) => {
            const own = Math.floor(threads / lanes) + (lane < threads % lanes ? 1 : 0);
            return threadLane({ folds: portableFolds, threads: own }, signal, noteOnce);
          });
    this.#idle = [...this.#lanes];
  }

  /** Waits for a lane, then runs there. Jobs begin in the order in which they are given. */
  async run(
    fold: number,
    configuration: Configuration,
    onProgress: (share: number) => void = () => {},
  ): Promise<FoldOutcome> {
    const lane = this.#idle.pop() ?? (await new Promise<Lane>(resolve => this.#waiting.push(resolve)));
    try {
      if (this.#signal.aborted) throw interrupted();
      const outcome = await lane.run({ fold, configuration }, onProgress);
      // The best so far of a training that was ended is no figure of this configuration.
      if (outcome.stopped === 'interrupted') throw interrupted();
      return outcome;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(lane);
      else next(lane);
    }
  }

  /** Ends what is still at work. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#lanes.map(lane => lane.close()));
  }
}

function interrupted(): ListwiseError {
  return new ListwiseError('training-interrupted', 'interrupted before all folds were done');
}

function toPortableFold({ fold, train, validate, test }: Fold): PortableFold {
  return {
    fold,
    train: toPortable(train),
    validate: validate && toPortable(validate),
    test: toPortable(test),
  };
}

function hereLane(folds: readonly Fold[], threads: number, signal: AbortSignal, note: (text: string) => void): Lane {
  return {
    run: ({ fold, configuration }, onProgress) =>
      runFold(folds[fold]!, configuration, { threads, signal, onProgress, note }),
    close: async () => {},
  };
}

function threadLane(workerData: LaneData, signal: AbortSignal, note: (text: string) => void): Lane {
  const worker = new Worker(new URL('./fold-worker.js', import.meta.url), { workerData });
  const send = (order: LaneOrder) => worker.postMessage(order);
  const abort = () => send({ abort: true });
  signal.addEventListener('abort', abort);
  let dead: Error | undefined;
  worker.once('error', error => {
    dead = error;
  });
  worker.once('exit', () => {
    dead ??= new Error('a training thread ended by itself');
  });
  return {
    run: (job, onProgress) =>
      new Promise((resolve, reject) => {
        if (dead !== undefined) return reject(dead);
        const settle = () => {
          worker.off('message', hear).off('error', reject).off('exit', gone);
        };
        const gone = () => reject(dead);
        const hear = (report: LaneReport) => {
          if ('progress' in report) return onProgress(report.progress);
          if ('note' in report) return note(report.note);
          settle();
          if ('outcome' in report) resolve(report.outcome);
          else reject(readFailure(report.failure));
        };
        worker.on('message', hear).once('error', reject).once('exit', gone);
        send({ job });
      }),
    close: () => {
      signal.removeEventListener('abort', abort);
      return worker.terminate();
    },
  };
}
