export { directionCount } from './directions.js';
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
