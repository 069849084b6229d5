/** Every measure there is. Parsing, help, docs and error messages derive from this list. */
import type { MeasureDefinition } from './measure.js';
import { ndcg } from './ndcg.js';

export const measureDefinitions = [ndcg] as const satisfies readonly MeasureDefinition[];

export type MeasureName = (typeof measureDefinitions)[number]['name'];
