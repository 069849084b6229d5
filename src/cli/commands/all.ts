/** Every command there is, in the order help shows them. */
import type { CommandDefinition } from '../command.js';
import { compare } from './compare.js';
import { evaluate } from './evaluate.js';
import { score } from './score.js';

export const commands: readonly CommandDefinition[] = [evaluate, compare, score];
