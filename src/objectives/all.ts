/** Every objective there is. Parsing, help, docs and error messages derive from this list. */
import { lambdarank } from './lambdarank.js';
import type { ObjectiveDefinition } from './objective.js';
import { ranknet } from './ranknet.js';

export const objectiveDefinitions = [ranknet, lambdarank] as const satisfies readonly ObjectiveDefinition[];

export type ObjectiveName = (typeof objectiveDefinitions)[number]['name'];
