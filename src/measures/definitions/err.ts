import { ListwiseError } from '../../errors.js';
import { numberParameter } from '../../spec/parameters.js';
import { approxCascade, cascadeExpectation } from '../forms/approx-cascade.js';
import { reciprocalDiscount } from '../forms/rank-discount.js';
import { defineMeasure, type MeasureBody, type QueryView } from '../measure.js';

/** The probability that a document of this label satisfies the reader: (2^label - 1) / 2^max. */
function satisfaction(label: number, max: number): number {
  return label > 0 ? (2 ** label - 1) / 2 ** max : 0;
}

// Above about 50 the probabilities 1 - R of good documents could no longer be distinguished from 0 in double precision.
const MOST = 50;

function expectedReciprocalRank(labels: string, max: number, cut: number): MeasureBody {
  /** Throws for a query with a label above the scale. */
  const undefinedFor = (view: QueryView) => {
    const largest = view.ideal(labels, 'judged')[0]!;
    if (largest > max) {
      const grade = Math.ceil(largest);
      const advice =
        grade <= MOST ? `set it as in err(max=${grade})` : `it can be ${MOST} at most: map labels to grades first`;
      throw new ListwiseError('label-invalid', `label ${largest} is above the largest grade of err, ${max}; ${advice}`);
    }
    return !(largest > 0);
  };
  const cascade = {
    labels,
    discount: reciprocalDiscount,
    cut,
    undefinedFor,
    satisfaction: (label: number) => satisfaction(label, max),
  };
  return {
    value(view) {
      if (undefinedFor(view)) return Number.NaN;
      const byRank = view.ranked(labels);
      const depth = Math.min(view.n, cut);
      let reached = 1; // the probability that the reader comes to this rank
      let sum = 0;
      for (let r = 0; r < depth; r++) {
        const satisfied = satisfaction(byRank[r]!, max);
        sum += (reached * satisfied) / (r + 1);
        reached *= 1 - satisfied;
      }
      return sum;
    },
    /**
     * A group of m documents with satisfactions R: let reach_j be the mean over sets of j of them of the product of 1 -
     * R, and stop_j the mean over such sets and one document in each of its R times the product over the others. The
     * reader who comes to the group stops at its place j with probability stop_j. Both follow from those of the first m
     * - 1.
     */
    overTies(view, tied) {
      if (undefinedFor(view)) return Number.NaN;
      const byRank = tied.ranked(labels);
      const depth = Math.min(view.n, cut);
      const reach = new Float64Array(depth + 1);
      const stop = new Float64Array(depth + 1);
      let reached = 1;
      let sum = 0;
      for (let g = 0; g < tied.groups && tied.starts[g]! < depth; g++) {
        const start = tied.starts[g]!;
        const end = tied.starts[g + 1]!;
        const places = Math.min(end, depth) - start;
        reach.fill(0, 0, places + 1);
        stop.fill(0, 0, places + 1);
        reach[0] = 1;
        let passed = 1;
        for (let m = 1; m <= end - start; m++) {
          const satisfied = satisfaction(byRank[start + m - 1]!, max);
          const rest = 1 - satisfied;
          for (let j = Math.min(m, places); j > 0; j--) {
            stop[j] = ((m - j) * stop[j]! + (j - 1) * rest * stop[j - 1]! + satisfied * reach[j - 1]!) / m;
            reach[j] = ((m - j) * reach[j]! + j * rest * reach[j - 1]!) / m;
          }
          passed *= rest;
        }
        for (let j = 1; j <= places; j++) sum += (reached * stop[j]!) / (start + j);
        reached *= passed;
      }
      return sum;
    },
    swap: {
      form: 'tables',
      /**
       * With R_t the satisfaction and C_t the probability of reaching rank t, the change is (R_b - R_a) (C_a / a - (sum
       * over a < t < b of R_t C_t / t + C_b / b) / (1 - R_a)), ranks beyond the cut-off adding nothing. The sum is a
       * difference of sums taken from the *end* of the list: those are as small as C_(a+1) = C_a (1 - R_a), so that
       * dividing by 1 - R_a, which is 2^-max at worst, loses no digits.
       */
      fill(view, { gain, upper, slope, lower }) {
        const norm = undefinedFor(view) ? Number.NaN : 1;
        const { order } = view;
        const byDocument = view.labels(labels);
        for (let i = 0; i < view.n; i++) gain[i] = satisfaction(byDocument[i]!, max);
        let reached = 1;
        for (let r = 0; r < view.n; r++) {
          upper[r] = r < cut ? reached / (r + 1) : 0; // C_t / t for now
          reached *= 1 - gain[order[r]!]!;
        }
        let below = 0; // sum over t > r of R_t C_t / t
        for (let r = view.n - 1; r >= 0; r--) {
          const own = gain[order[r]!]!;
          const here = upper[r]!;
          slope[r] = r < cut ? 1 / (1 - own) : 0;
          upper[r] = here - slope[r]! * below;
          below += own * here;
          lower[r] = here - below;
        }
        return norm;
      },
    },
    approx: approxCascade(cascade),
    expectation: cascadeExpectation(cascade),
  };
}

export const err = defineMeasure({
  name: 'err',
  title: 'Expected reciprocal rank',
  description:
    'ERR = sum over ranks r of R_r / r times the product over t < r of (1 - R_t), with R = (2^label - 1) / 2^max the probability that a document satisfies the reader. A label above max is an error. Undefined where no judged document has a label above 0.',
  citation: 'Chapelle, Metzler, Zhang, Grinspan 2009',
  cutoff: 'optional',
  range: [0, 1],
  parameters: {
    max: numberParameter({
      default: 4,
      min: 1,
      max: MOST,
      description: 'The largest grade of the scale (not of the query).',
    }),
  },
  create: ({ max }, { cut = Infinity, labels }) => expectedReciprocalRank(labels, max, cut),
});
