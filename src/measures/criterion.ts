/**
 * Criteria: which of two models is better. A single measure is one; a graded criterion (Svore et al. 2011) compares
 * several measures in turn, each over its own label source, and goes on to the next only where the one before is as
 * good as equal:
 *
 *     graded(ndcg@10,cndcg(labels=clicks)@10,tolerance=0.001)
 *
 * Means over queries are hardly ever equal to the last bit, so the tolerance must be written. It holds for all measures
 * but the last, which decides by any difference.
 */
import { ListwiseError, quote } from '../errors.js';
import { numberParameter, readParameters } from '../spec/parameters.js';
import { parseSpec, type Spec } from '../spec/spec.js';
import type { Measure } from './measure.js';
import { type MeasureContext, resolveMeasure } from './parse.js';

/**
 * Which of two models is better.
 *
 * @example
 * import { type Criterion, parseCriterion } from 'listwise';
 *
 * const criterion: Criterion = parseCriterion('graded(ndcg@10,ap,tolerance=0.001)');
 * console.log(criterion.compare([0.51, 0.4], [0.5, 0.6]) > 0); // true: ndcg@10 decides
 */
export interface Criterion {
  /** The canonical string: parses and prints back to itself. */
  readonly spec: string;
  readonly measures: readonly Measure[];
  /**
   * Compares two models by their values, one for each measure: above 0 where `a` is better, below 0 where `b` is, 0
   * where neither. An undefined value (NaN) is worse than any number.
   */
  compare(a: readonly number[], b: readonly number[]): number;
}

const parameters = {
  tolerance: numberParameter({
    default: 0,
    min: 0,
    description: 'Values of all measures but the last count as equal when they differ by no more than this.',
  }),
};

/** The criterion of one measure: the larger value wins. */
export function criterionOf(measure: Measure): Criterion {
  return { spec: measure.spec, measures: [measure], compare: (a, b) => compareValues(a[0]!, b[0]!, 0) };
}

/**
 * A criterion from its string: a measure, or several that decide in turn.
 *
 * @example
 * import { parseCriterion, train } from 'listwise';
 *
 * await train({ model: 'trees', data, select: parseCriterion('graded(ndcg@10,ap,tolerance=0.001)') });
 */
export function parseCriterion(text: string, context: MeasureContext = {}): Criterion {
  const spec = parseSpec(text);
  return spec.name === 'graded' ? gradedCriterion(spec, context) : criterionOf(resolveMeasure(spec, context));
}

function gradedCriterion(spec: Spec, context: MeasureContext): Criterion {
  const example = 'as in graded(ndcg@10,cndcg(labels=clicks)@10,tolerance=0.001)';
  if (spec.cut !== undefined) {
    throw new ListwiseError('spec-parameter', `graded has no cut-off of its own; give each measure one, ${example}`);
  }
  if (spec.args.length < 2) {
    throw new ListwiseError(
      'spec-parameter',
      `graded takes at least two measures, found ${spec.args.length}; ${example}`,
    );
  }
  const { tolerance } = readParameters('graded', parameters, spec);
  if (!spec.named.has('tolerance')) {
    throw new ListwiseError(
      'spec-parameter',
      `graded needs a tolerance: how far values may differ and still count as equal, ${example}`,
    );
  }
  const measures = spec.args.map(arg => resolveMeasure(arg, context));
  const twice = measures.find((measure, i) => measures.findIndex(other => other.spec === measure.spec) < i);
  if (twice !== undefined) {
    throw new ListwiseError('spec-parameter', `graded names ${quote(twice.spec)} twice; the second would never decide`);
  }
  const last = measures.length - 1;
  return {
    spec: `graded(${measures.map(measure => measure.spec).join(',')},tolerance=${tolerance})`,
    measures,
    compare(a, b) {
      for (let i = 0; i < last; i++) {
        const order = compareValues(a[i]!, b[i]!, tolerance);
        if (order !== 0) return order;
      }
      return compareValues(a[last]!, b[last]!, 0);
    },
  };
}

function compareValues(a: number, b: number, tolerance: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  return Math.abs(a - b) <= tolerance ? 0 : a - b;
}
