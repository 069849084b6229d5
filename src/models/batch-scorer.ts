/** Scores data that comes in batches (see `readBatches`): the first one at once, more of them on several threads. */

import { sharedFloat64 } from '../data/dataset.js';
import type { Batch } from '../data/read/batches.js';
import { matchFeatures } from './match-features.js';
import { type Ranker, scoreData } from './ranker.js';
import { LEAST_ROWS, type ScoringOptions, ScoringThreads } from './scoring-threads.js';

export class BatchScorer {
  readonly #model: Ranker;
  readonly #threads: number;
  readonly #options: ScoringOptions;
  #pool: ScoringThreads | undefined;
  #matched = false;
  /** Scores of a batch: the same memory again, since threads would keep the old. */
  #scores = sharedFloat64(0);
  /** Time that went into scoring. */
  seconds = 0;

  /** Progress is reported of data that is one batch only: of others it is how far they are read. */
  constructor(model: Ranker, threads: number, options: ScoringOptions = {}) {
    this.#model = model;
    this.#threads = threads;
    this.#options = options;
  }

  /** One score a row, valid until the next call. */
  async score({ data, first, last, featuresKnown, featureNames }: Batch): Promise<Float64Array> {
    const start = performance.now();
    // A feature that is in no row so far may be in a later one: what the data lacks is known in the end only.
    if (featuresKnown && !this.#matched) {
      matchFeatures(this.#model, { featureNames, description: data.description }, this.#options);
      this.#matched = true;
    }
    const options = {
      fill: true,
      others: this.#options.others,
      absent: this.#options.absent,
      progress: first && last ? this.#options.progress : undefined,
    };
    if (this.#threads > 1 && (!first || data.rows >= LEAST_ROWS)) {
      this.#pool ??= await ScoringThreads.start(this.#model, this.#threads);
    }
    if (this.#scores.length < data.rows) this.#scores = sharedFloat64(2 * data.rows);
    const scores = await (this.#pool?.score(data, options, this.#scores) ?? scoreData(this.#model, data, options));
    this.seconds += (performance.now() - start) / 1000;
    return scores;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}
