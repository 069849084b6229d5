/** Every trainer there is, by the kind of model that `--model` names. */
import { trees } from './boosting/boosting.js';
import { forest } from './boosting/forest.js';
import { linear, net } from './descent/descent.js';
import type { Trainer } from './trainer.js';

export const trainers = { trees, linear, net, forest } as const satisfies Record<string, Trainer>;

export type TrainerName = keyof typeof trainers;
