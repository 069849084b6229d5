/**
 * The discounts of a measure as a constant, a sum of exponentials of the rank, and what that leaves at the first ranks.
 * Discounts that fall smoothly, as 1 / log2(1 + r) does, are sums of some 16 exponentials to 8 digits for lists of 150,
 * 24 for 10,000: docs/decisions/softrank-by-exponentials.md. A cut-off is no such thing: then all is left to the first
 * ranks, or, where few are beyond it, what the sum has there is taken away at the last ranks.
 */
import type { DiscountTerms } from '../../kernels/soft-ranks.js';
import { leastSquares } from '../../numeric/least-squares.js';
import { largest } from '../../numeric/vectors.js';
import { atOnce, type Steps } from '../../steps.js';

/** By how much a discount may be off, as a share of the largest. */
export const TOLERANCE = 1e-8;
/** Numbers of terms to try. */
const TERMS = [8, 12, 16, 20, 24, 32];
/** Kernels take so many; terms of weight 0 make up for what is missing. */
const TERMS_AT_ONCE = 4;
/** Ranks that may be left over, where discounts only fall smoothly from then on. */
const HEADS = [0, 1, 2];
/** With so few ranks that count there is nothing to win. */
const SHORT = 12;
/** Rates of the exponentials, evenly spaced in logarithm: from this over n up to that. */
const SLOWEST = 0.3;
const FASTEST = 6;

/** A sum of exponentials costs about as much as so many ranks: less than its own where few are beyond a cut-off. */
const ranksOfTerms = (n: number) => 14 + n / 4;

/** Discounts in the cheapest form; where one has a foot, also the form in which all is left to the first ranks. */
export interface DiscountForms {
  readonly terms: DiscountTerms;
  readonly byHead?: DiscountTerms;
}

const NONE = new Float64Array(0);

/** `discount` has an entry a rank; the last ones may be 0. */
export function discountTerms(discount: Float64Array): DiscountForms {
  return atOnce(discountSteps(discount));
}

/** The same in steps: of a long list a try takes seconds. */
export function* discountSteps(discount: Float64Array): Steps<DiscountForms> {
  const n = discount.length;
  const last = discount[n - 1]!;
  // A constant is the discount of no rank in particular: of it alone nothing may be left but rounding.
  const rest = discount.map(value => value - last);
  if (last !== 0 && n > SHORT && rest[0] !== 0) {
    const geometric = yield* sumOfExponentials(discount, Float64Array.of(-Math.log(discount[1]! / discount[0]!)), 0);
    if (geometric !== undefined) return { terms: { ...geometric, constant: 0 } };
    for (const head of HEADS) {
      for (const terms of TERMS) {
        const found = yield* sumOfExponentials(rest, rates(n, terms), head);
        if (found !== undefined) return { terms: { ...found, constant: last } };
      }
    }
  }
  let depth = n;
  while (depth > 0 && rest[depth - 1] === 0) depth--;
  const byHead = { fall: NONE, weight: NONE, head: rest.slice(0, depth), foot: NONE, constant: last };
  if (last !== 0 || depth <= SHORT || n - depth + ranksOfTerms(n) > depth) return { terms: byHead };
  const whole = yield* discountSteps(discount.subarray(0, depth));
  const terms = withFoot(whole.terms, discount);
  return terms === undefined ? { terms: byHead } : { terms, byHead };
}

/** Takes away what discounts down to a cut-off, gone on with, are beyond it; undefined where that is no little. */
function withFoot(terms: DiscountTerms, discount: Float64Array): DiscountTerms | undefined {
  const { fall, weight, head, constant } = terms;
  if (head.length > Math.max(...HEADS)) return undefined;
  const n = discount.length;
  const depth = discount.findLastIndex(value => value !== 0) + 1;
  const foot = Float64Array.from(
    { length: n - depth },
    (_, s) => -fall.reduce((sum, own, k) => sum + weight[k]! * (1 - own) ** (n - 1 - s), constant),
  );
  const most = largest(discount);
  return foot.every(value => Math.abs(value) <= most) ? { ...terms, foot } : undefined;
}

function rates(n: number, terms: number): Float64Array {
  const slowest = SLOWEST / n;
  return Float64Array.from({ length: terms }, (_, k) => slowest * (FASTEST / slowest) ** (k / (terms - 1)));
}

/** The exponentials that come nearest from rank `first` on; undefined where that is not near enough. */
function* sumOfExponentials(
  discount: Float64Array,
  rates: Float64Array,
  first: number,
): Steps<Omit<DiscountTerms, 'constant'> | undefined> {
  const n = discount.length;
  const columns = Array.from(rates, rate => Float64Array.from({ length: n }, (_, r) => Math.exp(-rate * r)));
  const nearest = yield* leastSquares(
    columns.map(column => column.subarray(first)),
    discount.subarray(first),
  );
  const rest = discount.slice();
  for (const [k, column] of columns.entries()) {
    for (let r = 0; r < n; r++) rest[r]! -= nearest[k]! * column[r]!;
  }
  const most = largest(discount);
  if (!rest.subarray(first).every(value => Math.abs(value) <= TOLERANCE * most)) return undefined;
  const length = TERMS_AT_ONCE * Math.ceil(rates.length / TERMS_AT_ONCE);
  const [fall, weight] = [new Float64Array(length), new Float64Array(length)];
  fall.set(rates.map(rate => -Math.expm1(-rate)));
  weight.set(nearest);
  return { fall, weight, head: rest.slice(0, first), foot: NONE };
}
