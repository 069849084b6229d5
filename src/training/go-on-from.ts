/** The model that training goes on from, as the data has it: features are matched by name, whatever their order. */
import type { Dataset } from '../data/dataset.js';
import { ListwiseError } from '../errors.js';
import { isOfKind, type Model } from '../models/all.js';
import { matchFeatures } from '../models/match-features.js';
import type { Ranker } from '../models/ranker.js';
import type { Trainer } from './trainer.js';

export function goOnFrom({ makes }: Trainer, model: Ranker, data: Dataset): Model {
  if (!isOfKind(model, makes)) {
    throw new ListwiseError(
      'option-invalid',
      `training cannot go on from this ${model.kind} model: it must be of the kind ${makes}`,
    );
  }
  return model.withFeatures(data.featureNames, matchFeatures(model, data));
}
