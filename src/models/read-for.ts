/** How data is read for a model, or as other data was. */
import { mergeDescriptions } from '../data/description.js';
import type { ReadOptions } from '../data/readers/reader.js';
import type { Ranker } from './ranker.js';

type Known = Pick<Ranker, 'featureNames' | 'description'>;

/** Options to read data as that of `model` was, without the columns that it does not know. */
export function readFor(model: Known, read: ReadOptions): ReadOptions {
  return readForAll([model], read);
}

/** As above, for data that several models rank: columns that none of them knows are left out. */
export function readForAll(models: readonly Known[], read: ReadOptions): ReadOptions {
  return {
    ...read,
    description: models.reduce((found, model) => mergeDescriptions(found, model.description), read.description),
    knownFeatures: [...new Set(models.flatMap(model => model.featureNames))],
  };
}
