export {
  choiceParameter,
  nameParameter,
  numberListParameter,
  numberParameter,
  optionalNumberParameter,
  type Parameter,
} from '../spec/parameters.js';
export { type ObjectiveName, objectiveDefinitions } from './all.js';
export type { LearnedTable } from './learning.js';
export {
  defineObjective,
  type Lambdas,
  type Objective,
  type ObjectiveBody,
  type ObjectiveContext,
  type ObjectiveDefinition,
  type ObjectiveRun,
} from './objective.js';
export type { PairFactor } from './pairs/pair-factor.js';
export { pairObjective } from './pairs/pair-objective.js';
export { planWithin } from './pairs/pair-plan.js';
export { type ObjectiveLibrary, parseObjective } from './parse.js';
export { loadLibrary } from './plugin.js';
