/**
 * How far the smooth stand-in that an objective climbs (ApproxNDCG, SoftRank, …) is from the measure itself: Qin et al.
 * 2010, Figures 1 to 3, rho = mean over queries of |smooth - exact|. At given scores, and after every iteration of a
 * training run.
 */
import type { Dataset } from '../data/dataset.js';
import { ListwiseError, quote } from '../errors.js';
import { type Criterion, criterionOf } from '../measures/criterion.js';
import { aggregate, evaluateSteps, type MeasureResult, valueSteps } from '../measures/evaluate.js';
import { swapByEvaluation } from '../measures/forms/swap.js';
import { arithmeticMean, type Measure, type QueryView } from '../measures/measure.js';
import { DatasetView, type Ties } from '../measures/query-view.js';
import { objectiveDefinitions } from '../objectives/all.js';
import type { Approximation } from '../objectives/form.js';
import type { Objective } from '../objectives/objective.js';
import { parseObjective } from '../objectives/parse.js';
import { parseSpec, printSpec } from '../spec/spec.js';
import { atOnce, inOneStep, partOf, type Steps } from '../steps.js';
import { type NamedSettings, type Trained, trainNamed } from '../training/train.js';

export interface ApproximationError {
  /** Means over the queries for which the measure is defined. */
  readonly exact: number;
  readonly smooth: number;
  /** rho: the mean of |smooth - exact|. */
  readonly error: number;
}

/**
 * How far a smooth measure is from the exact one, at given scores.
 *
 * @example
 * import type { ApproximationAtScores } from 'listwise/analysis';
 *
 * const shown = ({ worst }: ApproximationAtScores): string => `${worst.query} is off by ${worst.error}`;
 */
export interface ApproximationAtScores extends ApproximationError {
  readonly queries: number;
  /** |smooth - exact| of each query; NaN where the measure is undefined. */
  readonly errors: Float64Array;
  /** Of each query. */
  readonly values: readonly { readonly query: string; readonly exact: number; readonly smooth: number }[];
  /** The largest of the errors and its query. */
  readonly worst: { readonly query: string; readonly error: number };
}

export interface ApproximationIteration extends ApproximationError {
  readonly iteration: number;
}

/**
 * How a smooth measure followed the exact one in training.
 *
 * @example
 * import type { ApproximationRun } from 'listwise/analysis';
 *
 * const last = ({ iterations }: ApproximationRun) => iterations.at(-1);
 */
export interface ApproximationRun {
  readonly objective: string;
  /** The measure that the objective approximates. */
  readonly measure: string;
  /** One an iteration that was evaluated. */
  readonly iterations: readonly ApproximationIteration[];
  readonly trained: Trained;
}

/**
 * What the objective says it approximates; one that says nothing is refused by name.
 *
 * @example
 * import { approximationOf } from 'listwise/analysis';
 * import { parseObjective } from 'listwise/objectives';
 *
 * console.log(approximationOf(parseObjective('approx(ndcg)')).measure.spec);
 */
export function approximationOf(objective: Objective): Approximation {
  if (objective.form?.kind === 'smooth') return objective.form;
  const able = objectiveDefinitions
    .filter(({ operands }) => operands === 'measure')
    .filter(({ name }) => parseObjective(name).form?.kind === 'smooth')
    .map(({ name }) => `${name}(…)`);
  throw new ListwiseError(
    'spec-parameter',
    `${objective.spec} approximates no measure; give an objective that does: ${able.join(', ')}`,
  );
}

/**
 * The error at given scores, one a row of the data.
 *
 * @example
 * import { approximationError } from 'listwise/analysis';
 * import { parseObjective } from 'listwise/objectives';
 *
 * console.log(approximationError(parseObjective('approx(ndcg)'), test, scores).error);
 */
export function approximationError(
  objective: Objective,
  data: Dataset,
  scores: ArrayLike<number>,
  options: { ties?: Ties } = {},
): ApproximationAtScores {
  return atOnce(approximationSteps(objective, data, scores, options));
}

/** As `approximationError`, step by step. */
export function* approximationSteps(
  objective: Objective,
  data: Dataset,
  scores: ArrayLike<number>,
  options: { ties?: Ties } = {},
): Steps<ApproximationAtScores> {
  const approximation = approximationOf(objective);
  const [measure] = watchedMeasures(approximation);
  const [exact] = (yield* partOf(evaluateSteps(data, scores, [measure], options), 0, 0.1)) as [MeasureResult];
  const smooth = new Float64Array(data.queries);
  const view = new DatasetView(data, options.ties);
  const smoothSteps = stepsOf(approximation);
  const share = (q: number) => 0.1 + (0.9 * q) / data.queries;
  for (let q = 0; q < data.queries; q++) {
    view.moveTo(q, scores);
    smooth[q] = yield* partOf(smoothSteps(view), share(q), share(q + 1));
    yield share(q + 1);
  }
  const errors = smooth.map((value, q) => Math.abs(value - exact.values[q]!));
  const { mean: error, queries } = aggregate(measure, errors);
  refuseUndefined(approximation.measure, queries);
  const worst = errors.reduce((at, value, q) => (value > (errors[at] ?? -1) ? q : at), -1);
  return {
    exact: exact.mean,
    smooth: aggregate(measure, smooth).mean,
    error,
    queries,
    errors,
    values: data.queryIds.map((query, q) => ({ query, exact: exact.values[q]!, smooth: smooth[q]! })),
    worst: { query: data.queryIds[worst]!, error: errors[worst]! },
  };
}

function refuseUndefined({ spec }: Measure, queries: number): void {
  if (queries > 0) return;
  throw new ListwiseError(
    'data-empty',
    `${spec} is undefined for every query, mostly for want of a relevant document: there is nothing to approximate`,
  );
}

/**
 * Trains with the objective and follows the error on the validation data, or on the training data where there is none.
 * The best iteration is selected by the measure itself.
 *
 * @example
 * import { approximationAlongTraining } from 'listwise/analysis';
 * import { parseObjective } from 'listwise/objectives';
 *
 * const { iterations } = await approximationAlongTraining({
 *   model: 'linear',
 *   data,
 *   objective: parseObjective('approx(ndcg)'),
 * });
 */
export async function approximationAlongTraining(
  settings: Omit<NamedSettings, 'select' | 'holdout' | 'objective'> & { readonly objective: Objective },
): Promise<ApproximationRun> {
  const approximation = approximationOf(settings.objective);
  const { compare, spec } = criterionOf(approximation.measure);
  const select: Criterion = { spec, compare, measures: watchedMeasures(approximation) };
  const trained = await trainNamed({ ...settings, select, ...(settings.validate === undefined && { holdout: 0 }) });
  const iterations = trained.log
    .filter(({ validation }) => validation.length > 0)
    .map(({ iteration, validation: [exact, smooth, error] }) => ({
      iteration,
      exact: exact!,
      smooth: smooth!,
      error: error!,
    }));
  return { objective: settings.objective.spec, measure: approximation.measure.spec, iterations, trained };
}

/** The exact measure, the smooth one and their difference, as measures: wherever those are evaluated, these can be. */
function watchedMeasures(approximation: Approximation): [exact: Measure, smooth: Measure, error: Measure] {
  const { measure } = approximation;
  const smooth = stepsOf(approximation);
  const valued = (name: string, valueSteps: (view: QueryView) => Steps<number>): Measure => {
    const value = (view: QueryView) => atOnce(valueSteps(view));
    return {
      spec: `${name}(${measure.spec})`,
      range: measure.range,
      labels: measure.labels,
      empty: 'skip',
      value,
      valueSteps,
      swap: swapByEvaluation({ value }),
      aggregate: arithmeticMean,
    };
  };
  return [
    valued('exact', view => valueSteps(measure, view)),
    valued('smooth', smooth),
    valued('error', function* (view) {
      return Math.abs((yield* smooth(view)) - (yield* valueSteps(measure, view)));
    }),
  ];
}

/** The smooth value of a query, in steps where the objective has them. */
function stepsOf(approximation: Approximation): (view: QueryView) => Steps<number> {
  const steps = approximation.beginSteps?.();
  if (steps !== undefined) return steps;
  const value = approximation.begin();
  return view => inOneStep(() => value(view));
}

/** An objective's string once for each value of one of its parameters. */
export function variedSpecs(spec: string, parameter: string, values: readonly string[]): string[] {
  if (values.length === 0 || values.some(value => value.trim() === '')) {
    throw new ListwiseError('option-invalid', `${parameter} is to vary over no value: ${quote(values.join(','))}`);
  }
  const parsed = parseSpec(spec);
  return values.map(value =>
    printSpec({ ...parsed, named: new Map([...parsed.named, [parameter, parseSpec(value)]]) }),
  );
}
