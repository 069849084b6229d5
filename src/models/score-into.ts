/** Scores data of any size as it is read: memory holds some ten thousand rows, or one query, at a time. */
import type { BatchSize, TakeBatch } from '../data/read/batches.js';
import { readBatches } from '../data/read/read.js';
import type { ReadOptions } from '../data/readers/reader.js';
import { type LayoutOptions, scoreFormats } from '../data/writers/score-file.js';
import { ScoreWriter } from '../data/writers/score-writer.js';
import type { TextSink } from '../io/whole-file.js';
import { BatchScorer } from './batch-scorer.js';
import type { Ranker } from './ranker.js';
import { readFor } from './read-for.js';
import type { RowOrder } from './row-work.js';
import type { ScoringOptions } from './scoring-threads.js';

/**
 * How scores are written.
 *
 * @example
 * import type { ScoreIntoOptions } from 'listwise/models';
 *
 * const options: ScoreIntoOptions = { as: 'run', tag: 'trees', scoring: { threads: 4 } };
 */
export interface ScoreIntoOptions extends LayoutOptions {
  /** How the data is read. */
  read?: ReadOptions | undefined;
  /** How features are matched, and on how many threads (default 1) the data is scored. */
  scoring?: (ScoringOptions & { threads?: number | undefined }) | undefined;
  /** What is written of each document (default: its score). */
  order?: RowOrder | undefined;
  /** How many rows are in memory at a time. */
  batch?: BatchSize | undefined;
}

/**
 * Scores data of any size as it is read: memory holds some ten thousand rows, or one query, at a time. `data` is a
 * file, a directory, a glob or `-`. Gives the number of documents and the time of scoring alone.
 *
 * @example
 * import { createWriteStream } from 'node:fs';
 * import { scoreInto } from 'listwise/models';
 *
 * const out = createWriteStream('scores.run');
 * const sink = { write: async (text: string) => void out.write(text) };
 * const { documents } = await scoreInto(sink, model, 'huge.txt', { as: 'run', scoring: { threads: 2 } });
 */
export async function scoreInto(
  sink: TextSink,
  model: Ranker,
  data: string,
  { read = {}, scoring = {}, as = 'scores', tag = 'listwise', order, batch: size }: ScoreIntoOptions = {},
): Promise<{ documents: number; seconds: number }> {
  const scorer = new BatchScorer(model, scoring.threads ?? 1, scoring, order);
  const writer = new ScoreWriter(sink, scoreFormats[as], tag);
  let documents = 0;
  try {
    const take: TakeBatch = async batch => {
      await writer.write(batch.data, await scorer.score(batch), scorer.width);
      documents += batch.data.rows;
    };
    await readBatches(data, { ...readFor(model, read), unlabelled: true }, take, size);
    await writer.finish();
  } finally {
    await scorer.close();
  }
  return { documents, seconds: scorer.seconds };
}
