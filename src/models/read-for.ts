/** How data is read for a model, or as other data was. */
import { mergeDescriptions } from '../data/description.js';
import type { ReadOptions } from '../data/readers/reader.js';
import type { Ranker } from './ranker.js';

/** Options to read data as that of `model` was, without the columns that it does not know. */
export function readFor(model: Pick<Ranker, 'featureNames' | 'description'>, read: ReadOptions): ReadOptions {
  return {
    ...read,
    description: mergeDescriptions(read.description, model.description),
    knownFeatures: model.featureNames,
  };
}
