/** Every command there is, in the order help shows them. */
import type { CommandDefinition } from '../command.js';
import { analyse } from './analyse.js';
import { compare } from './compare.js';
import { convert } from './convert.js';
import { convertDataCommand } from './convert-data.js';
import { cv } from './cv.js';
import { demo } from './demo.js';
import { evaluate } from './evaluate.js';
import { generate } from './generate.js';
import { inspect } from './inspect.js';
import { reproduce } from './reproduce.js';
import { score } from './score.js';
import { train } from './train.js';
import { tune } from './tune.js';

export const commands: readonly CommandDefinition[] = [
  evaluate,
  compare,
  score,
  inspect,
  convert,
  convertDataCommand,
  generate,
  demo,
  train,
  cv,
  tune,
  analyse,
  reproduce,
];
