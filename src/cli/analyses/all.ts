/** Every analysis there is, in the order help shows them. */
import { adviseAnalysis } from './advise.js';
import type { AnalysisDefinition } from './analysis.js';
import { approximation } from './approximation.js';
import { field } from './field.js';
import { importance } from './importance.js';
import { informativeness } from './informativeness.js';
import { optimality } from './optimality.js';
import { queries } from './queries.js';
import { why } from './why.js';

export const analyses: readonly AnalysisDefinition[] = [
  importance,
  optimality,
  field,
  informativeness,
  approximation,
  queries,
  why,
  adviseAnalysis,
];
