/** Every trainer there is, by the kind of model that `--model` names. */

import type { z } from 'zod';
import { didYouMean, ListwiseError, quote } from '../errors.js';
import type { ModelOf } from '../models/all.js';
import { adarank } from './adarank/adarank.js';
import { trees } from './boosting/boosting.js';
import { forest } from './boosting/forest.js';
import { coordinate } from './coordinate/coordinate.js';
import { linear, net } from './descent/descent.js';
import { rankboost } from './rankboost/rankboost.js';
import { svm } from './svm/svm.js';
import type { Trainer } from './trainer.js';

export const trainers = { trees, linear, net, forest, adarank, rankboost, svm, coordinate } as const satisfies Record<
  string,
  Trainer
>;

export type TrainerName = keyof typeof trainers;

/** What may be said of a trainer's options; what is left out has its default. */
export type OptionsOf<Name extends TrainerName> = z.input<(typeof trainers)[Name]['options']>;

/** The type of the models that a trainer makes. */
export type ModelMadeBy<Name extends TrainerName> = ModelOf[(typeof trainers)[Name]['makes']];

export function trainerOf(name: string): Trainer {
  const all: Readonly<Record<string, Trainer>> = trainers;
  if (Object.hasOwn(all, name)) return all[name]!;
  const names = Object.keys(all);
  throw new ListwiseError(
    'option-invalid',
    `there is no trainer for models of the kind ${quote(name)}${didYouMean(name, names)} Kinds: ${names.join(', ')}`,
  );
}
