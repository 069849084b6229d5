/** Scores data that comes in batches (see `readBatches`): the first one at once, more of them on several threads. */

import { sharedFloat64 } from '../data/dataset.js';
import type { Batch } from '../data/read/batches.js';
import { matchFeatures } from './match-features.js';
import type { Ranker } from './ranker.js';
import type { RowOrder } from './row-work.js';
import { type ScoringOptions, ScoringThreads } from './scoring-threads.js';

export class BatchScorer {
  readonly #model: Ranker;
  readonly #threads: number;
  readonly #options: ScoringOptions;
  readonly #order: RowOrder | undefined;
  #pool: ScoringThreads | undefined;
  #matched = false;
  /** Scores of a batch: the same memory again, since threads would keep the old. */
  #scores = sharedFloat64(0);
  /** Time that went into scoring. */
  seconds = 0;

  /** Progress is reported of data that is one batch only: of others it is how far they are read. */
  constructor(model: Ranker, threads: number, options: ScoringOptions = {}, order?: RowOrder) {
    this.#model = model;
    this.#threads = threads;
    this.#options = options;
    this.#order = order;
  }

  /** Numbers a row, known after the first call. */
  get width(): number {
    return this.#pool?.width ?? 1;
  }

  /** One score a row, or what else is asked for; valid until the next call. */
  async score({ data, first, last, featuresKnown, featureNames }: Batch): Promise<Float64Array> {
    const start = performance.now();
    // A feature that is in no row so far may be in a later one: what the data lacks is known in the end only.
    if (featuresKnown && !this.#matched) {
      matchFeatures(
        this.#model,
        { featureNames, description: data.description, ownLevels: data.ownLevels },
        this.#options,
      );
      this.#matched = true;
    }
    const options = {
      fill: true,
      others: this.#options.others,
      absent: this.#options.absent,
      progress: first && last ? this.#options.progress : undefined,
    };
    // The first batch says whether more threads than this one pay, the second one that they do.
    if (this.#pool === undefined || (!first && this.#pool.threads < this.#threads)) {
      await this.#pool?.close();
      this.#pool = await ScoringThreads.start(this.#model, this.#threads, this.#order, first ? data.rows : undefined);
    }
    const numbers = this.#pool.width * data.rows;
    if (this.#scores.length < numbers) this.#scores = sharedFloat64(2 * numbers);
    const scores = await this.#pool.score(data, options, this.#scores);
    this.seconds += (performance.now() - start) / 1000;
    return scores;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}
