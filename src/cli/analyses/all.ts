/** Every analysis there is, in the order help shows them. */
import type { AnalysisDefinition } from './analysis.js';
import { importance } from './importance.js';

export const analyses: readonly AnalysisDefinition[] = [importance];
