/** Every trainer there is, by the kind of model that `--model` names. */

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
