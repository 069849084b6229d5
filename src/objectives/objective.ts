/**
 * What an objective is: it turns the scores and labels of one query into one lambda a document, and a hessian where it
 * has one. It knows nothing of models: linear, nets and trees all move their scores along the lambdas.
 */
import type { Dataset } from '../data/dataset.js';
import type { Measure, QueryView } from '../measures/measure.js';
import type { Parameters, ValuesOf } from '../spec/parameters.js';
import type { Steps } from '../steps.js';
import type { ObjectiveForm } from './form.js';

/** By document, the first n of a query. A lambda is the negative gradient of the (implicit) cost: > 0 pushes up. */
export interface Lambdas {
  readonly lambda: Float64Array;
  readonly hessian: Float64Array;
}

/** An objective at work on one data set. Each thread has its own. */
export interface ObjectiveRun {
  /**
   * Called before each pass over the data, counted from 1; a run for which it was not called is in its first. All that
   * depends on the iteration is a function of this number.
   */
  beginIteration?(iteration: number): void;
  /** Overwrites the first n lambdas and hessians; returns how many pairs (or documents) had a lambda. */
  lambdas(view: QueryView, out: Lambdas): number;
  /** The same step by step, where one long query can take seconds: signals get through between the steps. */
  lambdaSteps?(view: QueryView, out: Lambdas): Steps<number>;
  /** The cost whose negative gradient the lambdas are; absent where there is no such cost (LambdaRank). */
  cost?(view: QueryView): number;
}

/** The lambdas of any objective, in steps where it has them. */
export function* lambdaSteps(run: ObjectiveRun, view: QueryView, out: Lambdas): Steps<number> {
  return run.lambdaSteps === undefined ? run.lambdas(view, out) : yield* run.lambdaSteps(view, out);
}

export type Arithmetic = 'kernel' | 'reference';

export interface Objective {
  /** The canonical string; parses and prints back to itself. */
  readonly spec: string;
  /** Whether every hessian is at least 0, so that trees may take Newton steps. */
  readonly hessian: 'positive' | 'none';
  /** The label sources it learns from. */
  readonly labels: readonly string[];
  /** Whether it reads the positions of the view; of one that combines others, its parts say so. */
  readonly readsPositions?: boolean;
  /** What it is made of. Left out, the objective is opaque: known by its lambdas alone. */
  readonly form?: ObjectiveForm | undefined;
  /** `reference` is float64 throughout, for derivatives of the lambdas; the kernels are quick, in float32. */
  start(data: Dataset, arithmetic?: Arithmetic): ObjectiveRun;
}

export type ObjectiveBody = Omit<Objective, 'spec' | 'labels'>;

/** What surrounds an objective that is part of another. */
export interface ObjectiveContext {
  /** The label source where it names none. */
  readonly labels?: string;
  /** Only pairs that these label sources leave tied. */
  readonly within?: readonly string[];
  /** Leave out pairs in which a document has label 0. */
  readonly withoutZeros?: boolean;
}

/** Gives a definition its operands: what stands before the named parameters. */
export interface Operands {
  readonly context: ObjectiveContext;
  /** The label source to learn from. */
  readonly labels: string;
  /** The one measure, or the default where none is written. */
  measure(fallback: string): Measure;
  /** How many objectives are written. */
  readonly count: number;
  /** The i-th objective, counted from 0, in this context but for what is given. */
  objective(i: number, context?: Partial<ObjectiveContext>): Objective;
}

export interface ObjectiveDefinition<P extends Parameters = Parameters, N extends string = string> {
  readonly name: N;
  readonly title: string;
  readonly description: string;
  readonly citation: string;
  readonly operands: 'none' | 'measure' | 'objective' | 'objectives';
  readonly parameters: P;
  create(values: ValuesOf<P>, operands: Operands): ObjectiveBody;
}

/** Keeps the name and the parameter types of a record while it is declared. */
export function defineObjective<const P extends Parameters, const N extends string>(
  definition: ObjectiveDefinition<P, N>,
): ObjectiveDefinition<P, N> {
  return definition;
}
