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

/**
 * Every trainer there is, by the name that `train` and `--model` take.
 *
 * @example
 * import { trainers } from 'listwise/training';
 *
 * for (const { name, title } of Object.values(trainers)) console.log(name, title);
 */
export const trainers = { trees, linear, net, forest, adarank, rankboost, svm, coordinate } as const satisfies Record<
  string,
  Trainer
>;

/**
 * What `train` can train.
 *
 * @example
 * import { train, type TrainerName } from 'listwise';
 *
 * const names: TrainerName[] = ['trees', 'linear'];
 * for (const model of names) console.log(model, (await train({ model, data })).best.values);
 */
export type TrainerName = keyof typeof trainers;

/**
 * What may be said of a trainer's options; what is left out has its default.
 *
 * @example
 * import { type OptionsOf, train } from 'listwise';
 *
 * const options: OptionsOf<'trees'> = { trees: 300, leaves: 31, rate: 0.05 };
 * await train({ model: 'trees', data, options });
 */
export type OptionsOf<Name extends TrainerName> = z.input<(typeof trainers)[Name]['options']>;

/**
 * The type of the models that a trainer makes.
 *
 * @example
 * import { train } from 'listwise';
 * import type { ModelMadeBy } from 'listwise/training';
 *
 * const model: ModelMadeBy<'svm'> = (await train({ model: 'svm', data })).model;
 * console.log(model.weights);
 */
export type ModelMadeBy<Name extends TrainerName> = ModelOf[(typeof trainers)[Name]['makes']];

/** Programs without types may give no name. */
export function trainerOf(name: string | undefined): Trainer {
  const all: Readonly<Record<string, Trainer>> = trainers;
  if (name !== undefined && Object.hasOwn(all, name)) return all[name]!;
  const names = Object.keys(all);
  if (name === undefined) throw new ListwiseError('option-invalid', `name the kind of \`model\`: ${names.join(', ')}`);
  throw new ListwiseError(
    'option-invalid',
    `there is no trainer for models of the kind ${quote(name)}${didYouMean(name, names)} Kinds: ${names.join(', ')}`,
  );
}
