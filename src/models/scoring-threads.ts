/** Works on data row by row on several threads, each with a copy of the model: the same results as on one. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { type Dataset, type FeatureBlock, sharedFloat64 } from '../data/dataset.js';
import { Crew } from '../threads/crew.js';
import { type MatchOptions, matchFeatures } from './match-features.js';
import { sharedModel } from './model-file.js';
import type { Ranker } from './ranker.js';
import { type RowOrder, type RowWorker, rowWorker } from './row-work.js';

const SCORES: RowOrder = { name: 'scores' };

/** What a thread starts with. */
export interface ScoringJob {
  /** A model file's bytes. */
  readonly model: Uint8Array;
  readonly order: RowOrder;
}

/** What threads share of one call; `next` counts the pieces that are taken. */
export interface ScoringRound {
  readonly pieces: readonly FeatureBlock[];
  readonly columns: Int32Array;
  readonly absent: number;
  readonly scores: Float64Array;
  readonly next: Int32Array;
}

/** Takes a piece and works on it; false where none is left. */
export function workOnPiece(worker: RowWorker, { pieces, columns, absent, scores, next }: ScoringRound): boolean {
  const piece = pieces[Atomics.add(next, 0, 1)];
  if (piece === undefined) return false;
  const { width } = worker;
  worker.fill(piece, columns, absent, scores.subarray(piece.start * width, (piece.start + piece.rows) * width));
  return true;
}

export interface ScoringOptions extends MatchOptions {
  /** Called with the share of the rows that is taken. */
  progress?: ((share: number) => void) | undefined;
}

export class ScoringThreads {
  readonly #model: Ranker;
  readonly #worker: RowWorker;
  readonly #crew: Crew<ScoringRound>;
  readonly #next = new Int32Array(new SharedArrayBuffer(4));

  private constructor(model: Ranker, worker: RowWorker, crew: Crew<ScoringRound>) {
    this.#model = model;
    this.#worker = worker;
    this.#crew = crew;
  }

  /** `threads` counts the caller's own, which is the only one for so few `rows` that others do not pay. */
  static async start(model: Ranker, threads: number, order = SCORES, rows = Infinity): Promise<ScoringThreads> {
    const worker = rowWorker(model, order);
    const others = rows < worker.leastRows ? 0 : threads - 1;
    const jobs = others === 0 ? [] : Array<ScoringJob>(others).fill({ model: sharedModel(model), order });
    const crew = new Crew<ScoringRound>(new URL('./scoring-worker.js', import.meta.url), jobs);
    await crew.ready;
    return new ScoringThreads(model, worker, crew);
  }

  /** Numbers a row. */
  get width(): number {
    return this.#worker.width;
  }

  get threads(): number {
    return 1 + this.#crew.size;
  }

  /** One call at a time. Results are put into `out`, in memory that threads share. */
  async score(data: Dataset, options: ScoringOptions = {}, out?: Float64Array): Promise<Float64Array> {
    const { width, pieceRows, check } = this.#worker;
    const round: ScoringRound = {
      pieces: data.blocks.flatMap(block => inPieces(block, pieceRows)),
      columns: matchFeatures(this.#model, data, options),
      absent: options.absent ?? 0,
      scores: (out ?? sharedFloat64(data.rows * width)).subarray(0, data.rows * width),
      next: this.#next,
    };
    Atomics.store(this.#next, 0, 0);
    const others = Promise.all(Array.from({ length: this.#crew.size }, (_, thread) => this.#crew.ask(thread, round)));
    others.catch(() => {}); // awaited below
    while (workOnPiece(this.#worker, round)) {
      options.progress?.(Math.min(1, Atomics.load(round.next, 0) / round.pieces.length));
      await yieldToEvents(); // signals
    }
    await others;
    check?.(round.scores, data);
    return round.scores;
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}

/**
 * As `scoreData`, on up to `threads` threads where there are rows enough for it to pay.
 *
 * @example
 * import { scoreDataOnThreads } from 'listwise/models';
 *
 * const scores = await scoreDataOnThreads(model, data, 4);
 */
export async function scoreDataOnThreads(
  model: Ranker,
  data: Dataset,
  threads: number,
  options: ScoringOptions = {},
): Promise<Float64Array> {
  return workOnRows(model, data, SCORES, { ...options, threads });
}

/**
 * What is asked for of every row of the data, on up to `threads` threads (default 1) where there are rows enough for it
 * to pay.
 *
 * @example
 * import { workOnRows } from 'listwise/models';
 *
 * const values = await workOnRows(model, data, { name: 'contributions' }, { threads: 4 });
 * console.log(values.length / data.rows); // one number a feature, and the base
 */
export async function workOnRows(
  model: Ranker,
  data: Dataset,
  order: RowOrder,
  { threads = 1, ...options }: ScoringOptions & { threads?: number | undefined } = {},
): Promise<Float64Array> {
  const pool = await ScoringThreads.start(model, threads, order, data.rows);
  try {
    return await pool.score(data, options);
  } finally {
    await pool.close();
  }
}

function inPieces(block: FeatureBlock, pieceRows: number): FeatureBlock[] {
  return Array.from({ length: Math.ceil(block.rows / pieceRows) }, (_, i) => {
    const from = i * pieceRows;
    const rows = Math.min(pieceRows, block.rows - from);
    return { start: block.start + from, rows, stride: block.stride, data: block.data.subarray(from) };
  });
}
