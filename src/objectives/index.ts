export {
  choiceParameter,
  nameParameter,
  numberListParameter,
  numberParameter,
  optionalNumberParameter,
  type Parameter,
} from '../spec/parameters.js';
export { type ObjectiveName, objectiveDefinitions } from './all.js';
export { type Approximation, addends, madeOfPairs, type ObjectiveForm, partsOf } from './form.js';
export { lambdaAgreement } from './lambda-agreement.js';
export { inUpperHalf, type LambdaSource, lambdaSources } from './lambda-sources.js';
export {
  type Arithmetic,
  defineObjective,
  type Lambdas,
  type Objective,
  type ObjectiveBody,
  type ObjectiveContext,
  type ObjectiveDefinition,
  type ObjectiveRun,
  type Operands,
} from './objective.js';
export type { PairFactor } from './pairs/pair-factor.js';
export { pairLambdas } from './pairs/pair-lambdas.reference.js';
export { pairObjective } from './pairs/pair-objective.js';
export { type PairPlan, pairPlan, planWithin } from './pairs/pair-plan.js';
export { type ObjectiveLibrary, parseObjective } from './parse.js';
export { loadLibrary } from './plugin.js';
