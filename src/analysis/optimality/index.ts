export { directionCount } from './directions.js';
export {
  type ExactLine,
  type ExactOptimality,
  type ExactOptions,
  exactOptimality,
  exactStanding,
  exactVerdict,
} from './exact-optimality.js';
export {
  type Curve,
  localOptimality,
  type Optimality,
  type OptimalityOptions,
  optimalityVerdict,
  type Rises,
  randomised,
  type Standing,
} from './local-optimality.js';
