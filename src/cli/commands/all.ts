/** Every command there is, in the order help shows them. */
import type { CommandDefinition } from '../command.js';

export const commands: readonly CommandDefinition[] = [];
