/** Scores data on several threads, each with a copy of the model: the same scores as `scoreData`. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { type Dataset, type FeatureBlock, sharedFloat64 } from '../data/dataset.js';
import { refuseInfiniteScores } from '../data/finite-scores.js';
import { Crew } from '../threads/crew.js';
import { type MatchOptions, matchFeatures } from './match-features.js';
import { printModel } from './model-file.js';
import { type Ranker, scoreData } from './ranker.js';

/** Below this many rows, starting threads takes longer than scoring. */
export const LEAST_ROWS = 50_000;
/** Rows that a thread takes at a time. */
const PIECE_ROWS = 2048;

/** What threads share of one call; `next` counts the pieces that are taken. */
export interface ScoringRound {
  readonly pieces: readonly FeatureBlock[];
  readonly columns: Int32Array;
  readonly absent: number;
  readonly scores: Float64Array;
  readonly next: Int32Array;
}

/** Takes a piece and scores it; false where none is left. */
export function scorePiece(model: Ranker, { pieces, columns, absent, scores, next }: ScoringRound): boolean {
  const piece = pieces[Atomics.add(next, 0, 1)];
  if (piece === undefined) return false;
  model.scoreBlock(piece, columns, absent, scores.subarray(piece.start, piece.start + piece.rows));
  return true;
}

export interface ScoringOptions extends MatchOptions {
  /** Called with the share of the rows that is taken. */
  progress?: ((share: number) => void) | undefined;
}

export class ScoringThreads {
  readonly #model: Ranker;
  readonly #crew: Crew<ScoringRound>;
  readonly #next = new Int32Array(new SharedArrayBuffer(4));

  private constructor(model: Ranker, crew: Crew<ScoringRound>) {
    this.#model = model;
    this.#crew = crew;
  }

  /** `threads` counts the caller's own. */
  static async start(model: Ranker, threads: number): Promise<ScoringThreads> {
    const jobs = Array<string>(threads - 1).fill(printModel(model));
    const crew = new Crew<ScoringRound>(new URL('./scoring-worker.js', import.meta.url), jobs);
    await crew.ready;
    return new ScoringThreads(model, crew);
  }

  /** One call at a time. Scores are put into `out`, in memory that threads share. */
  async score(data: Dataset, options: ScoringOptions = {}, out = sharedFloat64(data.rows)): Promise<Float64Array> {
    const round: ScoringRound = {
      pieces: data.blocks.flatMap(inPieces),
      columns: matchFeatures(this.#model, data, options),
      absent: options.absent ?? 0,
      scores: out.subarray(0, data.rows),
      next: this.#next,
    };
    Atomics.store(this.#next, 0, 0);
    const others = Promise.all(Array.from({ length: this.#crew.size }, (_, thread) => this.#crew.ask(thread, round)));
    others.catch(() => {}); // awaited below
    while (scorePiece(this.#model, round)) {
      options.progress?.(Math.min(1, Atomics.load(round.next, 0) / round.pieces.length));
      await yieldToEvents(); // signals
    }
    await others;
    refuseInfiniteScores(round.scores, data);
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
  if (data.rows < LEAST_ROWS) return scoreData(model, data, options);
  const pool = await ScoringThreads.start(model, threads);
  try {
    return await pool.score(data, options);
  } finally {
    await pool.close();
  }
}

function inPieces(block: FeatureBlock): FeatureBlock[] {
  return Array.from({ length: Math.ceil(block.rows / PIECE_ROWS) }, (_, i) => {
    const from = i * PIECE_ROWS;
    const rows = Math.min(PIECE_ROWS, block.rows - from);
    return { start: block.start + from, rows, stride: block.stride, data: block.data.subarray(from) };
  });
}
