/**
 * Trains on folds, several at a time. Each lane is a thread with a share of the cores: never more threads at work than
 * asked for. A training gives the same model for any number of threads, so neither the lanes nor the order in which
 * they end matter. Several ranks share the trainings out, as many at a time as there are lanes; each is done by one
 * rank, and all are told before more begin.
 */
import { setImmediate } from 'node:timers/promises';
import type { Fold } from '../data/folds.js';
import { type PortableDataset, toPortable } from '../data/portable.js';
import { ListwiseError } from '../errors.js';
import { gatherValues } from '../ranks/gathered.js';
import { spread } from '../ranks/spread.js';
import type { Transport } from '../ranks/transport.js';
import { Crew } from '../threads/crew.js';
import { type Configuration, type FoldContext, type FoldJob, type FoldOutcome, runFold } from './fold-job.js';

export interface PortableFold {
  readonly fold: number;
  readonly train: PortableDataset;
  readonly validate: PortableDataset | undefined;
  readonly test: PortableDataset;
}

/** What a lane's thread says before the outcome. */
export type LaneReport =
  | { readonly progress: number }
  | { readonly note: string; readonly code: Parameters<FoldContext['note']>[1] };

export interface LaneData {
  readonly folds: readonly PortableFold[];
  readonly threads: number;
}

export interface RunnerOptions {
  /** The most jobs that are ever waiting at one time: more lanes than that would idle. */
  readonly jobs: number;
  readonly threads: number;
  /** Every one of them must ask for the same trainings. */
  readonly ranks: Transport;
  /** Whether jobs can be sent to a thread; otherwise they run here, one after another. */
  readonly portable: boolean;
  readonly signal: AbortSignal;
  note: FoldContext['note'];
}

type OnProgress = (share: number) => void;
type Lane = (job: FoldJob, onProgress: OnProgress) => Promise<FoldOutcome>;

/** A training that ranks are to share out. */
interface Asked {
  readonly job: FoldJob;
  readonly onProgress: OnProgress;
  resolve(outcome: FoldOutcome): void;
  reject(error: unknown): void;
}

export class FoldRunner {
  readonly #crew: Crew<FoldJob, FoldOutcome, LaneReport> | undefined;
  readonly #idle: Lane[];
  readonly #waiting: ((lane: Lane) => void)[] = [];
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #ranks: Transport;
  readonly #asked: Asked[] = [];
  /** Trainings that all ranks do at one time. */
  readonly #atOnce: number;
  #sharing = false;

  constructor(folds: readonly Fold[], { jobs, threads, ranks, portable, note, ...options }: RunnerOptions) {
    this.#ranks = ranks;
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const noted = new Set<string>();
    // Folds say the same things, of doubts in other numbers; once is enough.
    const noteOnce: FoldContext['note'] = (text, code) => {
      if (noted.has(code ?? text)) return;
      noted.add(code ?? text);
      note(text, code);
    };
    const lanes = portable ? Math.max(1, Math.min(threads, Math.ceil(jobs / ranks.size))) : 1;
    this.#signal = signal;
    this.#atOnce = ranks.size * Math.max(...gatherValues(ranks, lanes));
    if (lanes === 1) {
      const here = { threads, signal, note: noteOnce };
      this.#idle = [
        ({ fold, configuration }, onProgress) => runFold(folds[fold]!, configuration, { ...here, onProgress }),
      ];
      return;
    }
    const sent = folds.map(toPortableFold);
    const works = Array.from({ length: lanes }, (_, lane): LaneData => {
      const own = Math.floor(threads / lanes) + (lane < threads % lanes ? 1 : 0);
      return { folds: sent, threads: own };
    });
    const crew = new Crew<FoldJob, FoldOutcome, LaneReport>(new URL('./fold-worker.js', import.meta.url), works, {
      signal,
    });
    this.#crew = crew;
    this.#idle = works.map(
      (_, lane) => (job, onProgress) =>
        crew.ask(lane, job, report => {
          if ('progress' in report) onProgress(report.progress);
          else noteOnce(report.note, report.code);
        }),
    );
  }

  run(fold: number, configuration: Configuration, onProgress: OnProgress = () => {}): Promise<FoldOutcome> {
    const job = { fold, configuration };
    if (this.#ranks.size === 1) return this.#runHere(job, onProgress);
    return new Promise((resolve, reject) => {
      this.#asked.push({ job, onProgress, resolve, reject });
      if (!this.#sharing) void this.#share();
    });
  }

  async #share(): Promise<void> {
    this.#sharing = true;
    for (;;) {
      // Whatever follows from the outcomes before has been asked for after that, on every rank alike.
      await setImmediate();
      if (this.#asked.length === 0) break;
      const round = this.#asked.splice(0, this.#atOnce);
      try {
        const outcomes = await spread(this.#ranks, round, ({ job, onProgress }) => this.#runHere(job, onProgress));
        for (const [i, { resolve, reject }] of round.entries()) {
          const outcome = outcomes[i]!;
          if (outcome instanceof ListwiseError) reject(outcome);
          else resolve(outcome);
        }
      } catch (error) {
        // A failure of this rank alone: it asks others for nothing any more, who may be elsewhere by now.
        for (const { reject } of [...round, ...this.#asked.splice(0)]) reject(error);
        return;
      }
    }
    this.#sharing = false;
  }

  /** Waits for a lane, then runs there. Jobs begin in the order in which they are given. */
  async #runHere(job: FoldJob, onProgress: OnProgress): Promise<FoldOutcome> {
    const lane = this.#idle.pop() ?? (await new Promise<Lane>(resolve => this.#waiting.push(resolve)));
    try {
      if (this.#signal.aborted) throw interrupted();
      const outcome = await lane(job, onProgress);
      // The best so far of a training that was ended is no result of this configuration.
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
    await this.#crew?.close();
  }
}

function interrupted(): ListwiseError {
  return new ListwiseError('training-interrupted', 'interrupted before all folds were done');
}

function toPortableFold({ fold, train, validate, test }: Fold): PortableFold {
  return { fold, train: toPortable(train), validate: validate && toPortable(validate), test: toPortable(test) };
}
