export { symmetricEigenvalues } from './eigenvalues.js';
export { type Field, jacobian } from './jacobian.js';
export {
  type FieldKind,
  type FieldOptions,
  type FieldPoint,
  fieldSteps,
  fieldVerdict,
  type LambdaField,
  lambdaField,
} from './lambda-field.js';
export { type Loop, type LoopWork, loopWork } from './loop-integral.js';
