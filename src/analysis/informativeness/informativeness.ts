/**
 * How much a measure tells of the lists it evaluates. Its value for a query says which labels to expect at each rank
 * (infer.ts); the measure is the more informative the nearer the precision-recall curve of these comes to the real one,
 * and the better they predict other measures.
 */
import { ListwiseError } from '../../errors.js';
import { aggregate } from '../../measures/evaluate.js';
import type { Measure, QueryView } from '../../measures/measure.js';
import { DatasetView, type Ties } from '../../measures/query-view.js';
import { atOnce, type Steps } from '../../steps.js';
import { alignQueries } from '../compare.js';
import { kendallTau } from '../kendall-tau.js';
import type { System } from '../system.js';
import { expectedValue, type InferredLabels, inferLabels, TOLERANCE } from './infer.js';
import { curveError, precisionAtRecall, relevanceByRank } from './precision-recall.js';

/**
 * What is inferred and predicted.
 *
 * @example
 * import { parseMeasure } from 'listwise';
 * import type { InformativenessOptions } from 'listwise/analysis';
 *
 * const options: InformativenessOptions = { predict: [parseMeasure('p@10')], relevant: 1 };
 */
export interface InformativenessOptions {
  /** Measures to predict; by default those that are inferred from. */
  predict?: readonly Measure[] | undefined;
  /** The label from which a document is relevant in precision-recall curves (default 1). */
  relevant?: number | undefined;
  ties?: Ties | undefined;
}

export interface Prediction {
  readonly measure: Measure;
  /** Root mean square difference over the systems' values, and over every query of every system. */
  readonly rms: number;
  readonly queryRms: number;
  /**
   * Kendall's tau-b between the systems in the predicted and in the real order, ties to what inference is good to; NaN
   * with one system.
   */
  readonly tau: number;
  /** Values of each system, in their order. */
  readonly systems: readonly { readonly name: string; readonly actual: number; readonly predicted: number }[];
}

/**
 * How well one measure tells of all that others would say.
 *
 * @example
 * import type { Informativeness } from 'listwise/analysis';
 *
 * const shown = ({ measure, rms }: Informativeness): string => `${measure.spec} ${rms.toFixed(3)}`;
 */
export interface Informativeness {
  readonly measure: Measure;
  /** Means over lists of the errors of the inferred precision-recall curve at the points where recall changes. */
  readonly rms: number;
  readonly mae: number;
  /** Lists that these are over: a query of a system with a relevant document in the list. */
  readonly lists: number;
  /** Lists for which the measure is undefined, or that hold no relevant document. */
  readonly empty: number;
  /** Lists left out because no distribution was found. */
  readonly failed: number;
  /** Mean entropy of relevance that is left a document when the value is known, in nats. */
  readonly entropy: number;
  /** Mean precision at ten levels of recall, as the measure makes expect and as it is. */
  readonly curve: readonly { readonly recall: number; readonly inferred: number; readonly actual: number }[];
  readonly predictions: readonly Prediction[];
}

const LEVELS = Array.from({ length: 10 }, (_, i) => (i + 1) / 10);

/**
 * How much of the relevance of a ranking the values of measures tell (Yilmaz, Robertson 2010).
 *
 * @example
 * import { parseMeasure } from 'listwise';
 * import { informativeness } from 'listwise/analysis';
 *
 * for (const { measure, rms } of informativeness(systems, [parseMeasure('ap'), parseMeasure('ndcg')])) {
 *   console.log(measure.spec, rms);
 * }
 */
export function informativeness(
  systems: readonly System[],
  measures: readonly Measure[],
  options: InformativenessOptions = {},
): Informativeness[] {
  return atOnce(informativenessSteps(systems, measures, options));
}

/** As `informativeness`, step by step. */
export function* informativenessSteps(
  systems: readonly System[],
  measures: readonly Measure[],
  options: InformativenessOptions = {},
): Steps<Informativeness[]> {
  if (systems.length === 0) throw new ListwiseError('option-invalid', 'informativeness needs at least one system');
  alignQueries(systems);
  const predict = options.predict ?? measures;
  const tallies = measures.map(measure => new Tally(measure, predict, systems, options.relevant ?? 1));
  const total = systems.reduce((sum, { data }) => sum + data.queries, 0) * measures.length;
  let done = 0;
  for (const [s, { data, scores }] of systems.entries()) {
    const view = new DatasetView(data, options.ties);
    for (let q = 0; q < data.queries; q++) {
      view.moveTo(q, scores);
      for (const tally of tallies) {
        tally.add(s, q, view);
        yield ++done / total;
      }
    }
  }
  return tallies.map(tally => tally.result());
}

/** What one measure says. */
class Tally {
  readonly #measure: Measure;
  readonly #relevant: number;
  readonly #systems: readonly System[];
  readonly #predict: readonly Measure[];
  /** By predicted measure and system, one value a query; NaN where it does not count. */
  readonly #actual: readonly (readonly Float64Array[])[];
  readonly #predicted: readonly (readonly Float64Array[])[];
  #lists = 0;
  #empty = 0;
  #failed = 0;
  #rms = 0;
  #mae = 0;
  #entropy = 0;
  readonly #inferredCurve = new Float64Array(LEVELS.length);
  readonly #actualCurve = new Float64Array(LEVELS.length);

  constructor(measure: Measure, predict: readonly Measure[], systems: readonly System[], relevant: number) {
    this.#measure = measure;
    this.#relevant = relevant;
    this.#systems = systems;
    this.#predict = predict;
    const table = () => predict.map(() => systems.map(({ data }) => new Float64Array(data.queries).fill(Number.NaN)));
    this.#actual = table();
    this.#predicted = table();
  }

  add(system: number, query: number, view: QueryView): void {
    const inferred = this.#infer(view);
    if (inferred === undefined) return;
    for (const [m, measure] of this.#predict.entries()) {
      this.#actual[m]![system]![query] = measure.value(view);
      this.#predicted[m]![system]![query] = expectedValue(measure, view, inferred);
    }
    this.#addCurve(view, inferred);
  }

  /** Undefined where the list does not count, which is counted. */
  #infer(view: QueryView): InferredLabels | undefined {
    try {
      const inferred = inferLabels(this.#measure, view);
      if (inferred === undefined) this.#empty++;
      return inferred;
    } catch (error) {
      // One list in thousands is no reason to end the rest.
      if (!(error instanceof ListwiseError) || error.code !== 'inference-failed') throw error;
      this.#failed++;
      return undefined;
    }
  }

  #addCurve(view: QueryView, inferred: InferredLabels): void {
    const labels = view.ranked(this.#measure.labels).subarray(0, view.n);
    const real = Float64Array.from(labels, label => (label >= this.#relevant ? 1 : 0));
    const points = real.reduce((sum, value) => sum + value, 0);
    if (points === 0) {
      this.#empty++;
      return;
    }
    const actual = precisionAtRecall(real, points);
    const relevance = relevanceByRank(inferred, this.#relevant);
    const expected = precisionAtRecall(relevance, points);
    const { rms, mae } = curveError(expected, actual);
    this.#lists++;
    this.#rms += rms;
    this.#mae += mae;
    this.#entropy += binaryEntropy(relevance) / view.n;
    for (const [i, level] of LEVELS.entries()) {
      const point = Math.ceil(level * points - 1e-9) - 1;
      this.#inferredCurve[i]! += expected[point]!;
      this.#actualCurve[i]! += actual[point]!;
    }
  }

  result(): Informativeness {
    const mean = (sum: number) => (this.#lists === 0 ? Number.NaN : sum / this.#lists);
    return {
      measure: this.#measure,
      rms: mean(this.#rms),
      mae: mean(this.#mae),
      lists: this.#lists,
      empty: this.#empty,
      failed: this.#failed,
      entropy: mean(this.#entropy),
      curve: LEVELS.map((recall, i) => ({
        recall,
        inferred: mean(this.#inferredCurve[i]!),
        actual: mean(this.#actualCurve[i]!),
      })),
      predictions: this.#predict.map((measure, m) => this.#prediction(measure, m)),
    };
  }

  #prediction(measure: Measure, m: number): Prediction {
    const systems = this.#systems.map(({ name }, s) => ({
      name,
      actual: aggregate(measure, this.#actual[m]![s]!).mean,
      predicted: aggregate(measure, this.#predicted[m]![s]!).mean,
    }));
    const differences = this.#actual[m]!.flatMap((values, s) =>
      Array.from(values, (value, q) => this.#predicted[m]![s]![q]! - value),
    );
    return {
      measure,
      rms: rootMeanSquare(systems.map(({ actual, predicted }) => predicted - actual)),
      queryRms: rootMeanSquare(differences.filter(difference => !Number.isNaN(difference))),
      tau: kendallTau(
        systems.map(({ actual }) => actual),
        systems.map(({ predicted }) => predicted),
        TOLERANCE,
      ),
      systems,
    };
  }
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}

function binaryEntropy(probabilities: Float64Array): number {
  const term = (p: number) => (p > 0 ? -p * Math.log(p) : 0);
  return probabilities.reduce((sum, p) => sum + term(p) + term(1 - p), 0);
}
