/** Scores that are not finite put documents into no order: they are refused wherever they come from. */
import { ListwiseError, quote } from '../errors.js';
import type { Dataset } from './dataset.js';
import { queryOfRow } from './query-of-row.js';

export function refuseInfiniteScores(scores: ArrayLike<number>, data: Dataset): void {
  for (let row = 0; row < data.rows; row++) {
    if (Number.isFinite(scores[row])) continue;
    throw new ListwiseError(
      'score-invalid',
      `the score of a document of query ${quote(data.queryIds[queryOfRow(data)[row]!]!)} is ${scores[row]}, not a finite number; features and weights may be too large to add up`,
    );
  }
}
