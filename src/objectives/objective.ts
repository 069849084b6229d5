/**
 * What an objective is: it turns the scores and labels of one query into one lambda a document, and a hessian where it
 * has one. It knows nothing of models: linear, nets and trees all move their scores along the lambdas.
 */
import type { Dataset } from '../data/dataset.js';
import type { Measure, QueryView } from '../measures/measure.js';
import type { Parameters, ValuesOf } from '../spec/parameters.js';
import type { Steps } from '../steps.js';
import type { ObjectiveForm } from './form.js';
import type { LearnedMemories, Learning } from './learning.js';

/**
 * By document, the first n of a query. A lambda is the negative gradient of the (implicit) cost: > 0 pushes up.
 *
 * @example
 * import type { Lambdas } from 'listwise/objectives';
 *
 * const zero = ({ lambda, hessian }: Lambdas): void => {
 *   lambda.fill(0);
 *   hessian.fill(0);
 * };
 */
export interface Lambdas {
  readonly lambda: Float64Array;
  readonly hessian: Float64Array;
}

/**
 * An objective at work on one data set. Each thread has its own.
 *
 * @example
 * import { type ObjectiveRun, parseObjective } from 'listwise/objectives';
 *
 * const run: ObjectiveRun = parseObjective('ranknet').start(data);
 */
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
  /** The same step by step, where one long query can take seconds. */
  costSteps?(view: QueryView): Steps<number>;
}

/** The lambdas of any objective, in steps where it has them. */
export function* lambdaSteps(run: ObjectiveRun, view: QueryView, out: Lambdas): Steps<number> {
  return run.lambdaSteps === undefined ? run.lambdas(view, out) : yield* run.lambdaSteps(view, out);
}

/** The cost of any objective, in steps where it has them; NaN where it has none. */
export function* costSteps(run: ObjectiveRun, view: QueryView): Steps<number> {
  return run.costSteps === undefined ? (run.cost?.(view) ?? Number.NaN) : yield* run.costSteps(view);
}

export type Arithmetic = 'kernel' | 'reference';

/**
 * What training works towards: scores and labels of a query in, one lambda a document out.
 *
 * @example
 * import { type Objective, train } from 'listwise';
 * import { parseObjective } from 'listwise/objectives';
 *
 * const objective: Objective = parseObjective('lambdarank(ndcg@10)');
 * await train({ model: 'trees', data, objective });
 */
export interface Objective {
  /** The canonical string; parses and prints back to itself. */
  readonly spec: string;
  /** Whether every hessian is at least 0, so that trees may take Newton steps. */
  readonly hessian: 'positive' | 'none';
  /** Set where, of a small collection, each query is best an update of its own: see `batch` of linear models. */
  readonly updateAQuery?: boolean;
  /** The label sources it learns from. */
  readonly labels: readonly string[];
  /** Whether it reads the positions of the view; of one that combines others, its parts say so. */
  readonly readsPositions?: boolean;
  /** Set where its cost has the likelihood of each document's label by itself: hessians of a document reach 1/4. */
  readonly likelihood?: boolean;
  /** What it is made of. Left out, the objective is opaque: known by its lambdas alone. */
  readonly form?: ObjectiveForm | undefined;
  /** What it learns for itself while a model is trained; of one that combines others, its parts say so. */
  readonly learning?: Learning;
  /**
   * `reference` is float64 throughout, for derivatives of the lambdas; the kernels are quick, in float32. `learned` is
   * what its parts and itself learn; without it they stay where they start.
   */
  start(data: Dataset, arithmetic?: Arithmetic, learned?: LearnedMemories): ObjectiveRun;
}

/**
 * What `create` of a definition gives.
 *
 * @example
 * import type { ObjectiveBody } from 'listwise/objectives';
 *
 * const still: ObjectiveBody = { hessian: 'none', start: () => ({ lambdas: () => 0 }) };
 */
export type ObjectiveBody = Omit<Objective, 'spec' | 'labels'>;

/**
 * What surrounds an objective that is part of another.
 *
 * @example
 * import type { ObjectiveContext } from 'listwise/objectives';
 *
 * const context: ObjectiveContext = { labels: 'clicks' };
 */
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

/**
 * An objective as it is declared: one record.
 *
 * @example
 * import { type ObjectiveDefinition, objectiveDefinitions } from 'listwise/objectives';
 *
 * const named = (name: string): ObjectiveDefinition | undefined => objectiveDefinitions.find(one => one.name === name);
 */
export interface ObjectiveDefinition<P extends Parameters = Parameters, N extends string = string> {
  readonly name: N;
  readonly title: string;
  readonly description: string;
  readonly citation: string;
  readonly operands: 'none' | 'measure' | 'objective' | 'objectives';
  readonly parameters: P;
  /** Methods that it takes the place of, in small letters: for messages that say our name. */
  readonly otherNames?: readonly string[];
  create(values: ValuesOf<P>, operands: Operands): ObjectiveBody;
}

/**
 * An objective of your own; docs/adding-an-objective.md says what it can declare besides.
 *
 * @example
 * import { defineObjective, train } from 'listwise';
 *
 * const towardsLabel = defineObjective({
 *   name: 'towards-label',
 *   title: 'Scores towards labels',
 *   description: 'Squared error.',
 *   citation: 'none',
 *   operands: 'none',
 *   parameters: {},
 *   create: (_, { labels }) => ({
 *     hessian: 'positive',
 *     start: () => ({
 *       lambdas(view, out) {
 *         const wanted = view.labels(labels);
 *         for (let i = 0; i < view.n; i++) {
 *           out.lambda[i] = wanted[i]! - view.scores[i]!;
 *           out.hessian[i] = 1;
 *         }
 *         return view.n;
 *       },
 *     }),
 *   }),
 * });
 * await train({ model: 'trees', data, objective: 'towards-label', library: { objectives: [towardsLabel] } });
 */
export function defineObjective<const P extends Parameters, const N extends string>(
  definition: ObjectiveDefinition<P, N>,
): ObjectiveDefinition<P, N> {
  return definition;
}
