/** Puts the documents of one query in order. Browsers use this, too: nothing here needs Node. */
import { createRanker, type Rankable, type Ranked, type RankOptions } from './create-ranker.js';
import type { Ranker } from './ranker.js';

/**
 * The documents of one query, best first; equal scores keep the order in which they were given. A feature that a
 * document lacks is a missing value. `createRanker` is quicker for many lists.
 *
 * @example
 * import { loadModel, rank } from 'listwise';
 *
 * const model = await loadModel('model.json');
 * const found = [
 *   { id: 'a', features: { bm25: 12.1, clicks: 40 } },
 *   { id: 'b', features: { bm25: 14.8 } },
 * ];
 * for (const { document, score, rank: place } of rank(model, found)) console.log(place, document.id, score);
 */
export function rank<D extends Rankable>(
  model: Ranker,
  documents: readonly D[],
  options: RankOptions = {},
): Ranked<D>[] {
  return createRanker(model, options).rank(documents);
}
