/** The features of a model whose values are codes of levels: they have no order, and no distances. */
import type { Ranker } from './ranker.js';

/** Those that its data had as categories, or that it splits as such. */
export function categoriesOf(model: Ranker): ReadonlySet<string> {
  const described = model.featureNames.filter(name => model.description?.kinds[name] === 'category');
  return new Set([...described, ...(model.categoricalFeatures?.() ?? [])]);
}
