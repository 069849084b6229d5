/**
 * What the value of a measure says of a ranked list: the distribution of labels at each rank that has the largest
 * entropy among all with that expected value and with the list's number of documents of each label (Aslam, Yilmaz,
 * Pavlu 2005; several grades after Yilmaz, Robertson 2010). Nothing else of the list is used: not which document is
 * where.
 */
import { ListwiseError } from '../../errors.js';
import { type ExpectationForm, expectedSums } from '../../measures/forms/expectation.js';
import type { Measure, QueryView } from '../../measures/measure.js';
import { endList } from './end-list.js';
import { type LabelClasses, labelClasses, probabilitiesOfLabels } from './label-classes.js';
import { type EntropySolution, linearEntropy } from './linear-entropy.js';
import { precisionEntropy } from './precision-entropy.js';

/**
 * Labels as a measure's value alone lets one guess them.
 *
 * @example
 * import type { InferredLabels } from 'listwise/analysis';
 *
 * const relevant = ({ probabilities }: InferredLabels): number => probabilities.filter(p => p > 0.5).length;
 */
export interface InferredLabels {
  /** Documents in the list. */
  readonly n: number;
  /** The distinct labels of the list, lowest first; NaN, the unjudged documents, before all. */
  readonly labels: Float64Array;
  /** probabilities[v * n + r]: that the document at rank r + 1 has label v. */
  readonly probabilities: Float64Array;
  /** Of the labels of the whole list, in nats. */
  readonly entropy: number;
  /**
   * What a higher value costs: the fall of entropy with the measure, in nats a unit; 0 where the value is the one
   * expected of a list in random order, without end for the best and the worst list.
   */
  readonly multiplier: number;
}

/** How far the expected value may be from the given one, relative to values above 1. */
export const TOLERANCE = 1e-8;
/** This near an end, as a share of the range, a value is that end's: nothing is told apart by less. */
const AT_END = TOLERANCE;
/** Beyond, labels are no grades but numbers, and the inference is of no use. */
const MOST_CLASSES = 100;

/** How each form is solved; a form without a solver can be predicted, not inferred from. */
const solvers: Partial<Record<ExpectationForm['form'], (problem: Problem) => EntropySolution | undefined>> = {
  linear: linearEntropy,
  precision: ({ counts, ...problem }) => precisionEntropy({ ...problem, relevant: counts[1]! }),
};

interface Problem {
  readonly gains: Float64Array;
  readonly counts: Float64Array;
  readonly discount: Float64Array;
  readonly target: number;
  readonly range: readonly [number, number];
}

/** Whether labels can be inferred from the measure's value. */
export function canInfer(measure: Measure): boolean {
  return measure.expectation !== undefined && solvers[measure.expectation.form] !== undefined;
}

/**
 * `value` is the measure's own for the list unless given; undefined where the measure is not defined for the query.
 *
 * @example
 * import { parseMeasure, type QueryView } from 'listwise';
 * import { inferLabels } from 'listwise/analysis';
 *
 * const guess = (view: QueryView) => inferLabels(parseMeasure('ap'), view)?.probabilities;
 */
export function inferLabels(
  measure: Measure,
  view: QueryView,
  value: number = measure.value(view),
): InferredLabels | undefined {
  const { expectation } = measure;
  const solver = expectation && solvers[expectation.form];
  if (solver === undefined) {
    throw new ListwiseError(
      'spec-parameter',
      `labels cannot be inferred from ${measure.spec}: it declares no expected value that is linear in the labels' probabilities or that of average precision`,
    );
  }
  const discount = new Float64Array(view.n);
  const norm = expectation!.fill(view, discount);
  if (Number.isNaN(norm) || view.n === 0) return undefined;
  const classes = labelClasses(expectation!, view, measure.labels);
  const { gains, counts } = classes;
  if (gains.length > MOST_CLASSES) {
    throw new ListwiseError(
      'label-invalid',
      `${measure.spec}: a list with ${gains.length} different gains; inference takes up to ${MOST_CLASSES}: map labels to grades first`,
    );
  }
  const ends = (['worst', 'best'] as const).map(end => {
    const probabilities = endList(end, counts, discount);
    return {
      probabilities,
      sum: expectedSums[expectation!.form](discount, expectedGains(probabilities, gains, view.n)),
    };
  });
  const [worst, best] = ends as [(typeof ends)[0], (typeof ends)[0]];
  const range = [worst.sum, best.sum] as const;
  const target = value / norm;
  const slack = TOLERANCE * Math.max(1, Math.abs(best.sum * norm));
  if (!(value >= worst.sum * norm - slack && value <= best.sum * norm + slack)) {
    throw new ListwiseError(
      'value-infeasible',
      `${measure.spec} cannot be ${value} for this list: its ${view.n} documents allow ${worst.sum * norm} to ${best.sum * norm}`,
    );
  }
  const width = best.sum - worst.sum;
  const solution =
    width <= 1e-12 * Math.max(1, Math.abs(best.sum))
      ? { probabilities: evenly(counts, view.n), multiplier: 0 } // the measure says nothing
      : target - worst.sum <= AT_END * width
        ? { probabilities: worst.probabilities, multiplier: -Infinity }
        : best.sum - target <= AT_END * width
          ? { probabilities: best.probabilities, multiplier: Infinity }
          : solver({ gains, counts, discount, target, range });
  if (solution === undefined || missesConstraints(solution, classes, expectation!.form, discount, target, norm)) {
    throw new ListwiseError(
      'inference-failed',
      `${measure.spec} = ${value}: no distribution of labels over ${view.n} ranks was found that has this value to ${TOLERANCE} (it may be from ${worst.sum * norm} to ${best.sum * norm})`,
    );
  }
  const probabilities = probabilitiesOfLabels(solution.probabilities, view.n, classes);
  return {
    n: view.n,
    labels: classes.labels,
    probabilities,
    entropy: entropyOf(probabilities),
    multiplier: solution.multiplier / norm,
  };
}

/** The expected value of a measure over inferred labels; NaN where it is undefined for the query. */
export function expectedValue(measure: Measure, view: QueryView, inferred: InferredLabels): number {
  const { expectation } = measure;
  if (expectation === undefined) {
    throw new ListwiseError('spec-parameter', `${measure.spec} declares no expected value and cannot be predicted`);
  }
  const discount = new Float64Array(view.n);
  const norm = expectation.fill(view, discount);
  const gains = expectedGains(inferred.probabilities, inferred.labels.map(expectation.gain), inferred.n);
  return norm * expectedSums[expectation.form](discount, gains);
}

/** By rank, from probabilities [class][rank] and the gain of each class. */
function expectedGains(probabilities: Float64Array, gains: Float64Array, n: number): Float64Array {
  const expected = new Float64Array(n);
  for (const [c, gain] of gains.entries()) {
    if (gain === 0) continue;
    for (let r = 0; r < n; r++) expected[r]! += gain * probabilities[c * n + r]!;
  }
  return expected;
}

/** Every rank the same mixture. */
function evenly(counts: Float64Array, n: number): Float64Array {
  return Float64Array.from({ length: counts.length * n }, (_, i) => counts[Math.floor(i / n)]! / n);
}

function missesConstraints(
  { probabilities }: EntropySolution,
  { gains, counts }: LabelClasses,
  form: ExpectationForm['form'],
  discount: Float64Array,
  target: number,
  norm: number,
): boolean {
  const n = discount.length;
  const sum = expectedSums[form](discount, expectedGains(probabilities, gains, n));
  const off = counts.map((count, c) => {
    let total = -count;
    for (let r = 0; r < n; r++) total += probabilities[c * n + r]!;
    return Math.abs(total);
  });
  const allowed = TOLERANCE * Math.max(1, Math.abs(target * norm));
  return !(Math.abs(sum - target) * Math.abs(norm) <= allowed && off.every(miss => miss <= TOLERANCE));
}

function entropyOf(probabilities: Float64Array): number {
  let entropy = 0;
  for (const p of probabilities) if (p > 0) entropy -= p * Math.log(p);
  return entropy;
}
