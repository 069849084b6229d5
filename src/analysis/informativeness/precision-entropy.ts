/**
 * Maximum entropy under the constraint of average precision. With p_r the probability of relevance at rank r = 1..n,
 * find the p of largest sum of binary entropies with sum of p_r equal to m, the relevant documents retrieved, and
 *
 *   F(p) = sum over r of worth_r p_r (1 + sum over t < r of p_t) = target.
 *
 * Where it is stationary, log(p_r / (1 - p_r)) = mu + lambda G_r with G = dF/dp, which itself depends on p. Newton's
 * method on all these equations at once is linear in n (precision-newton.ts). F is neither convex nor concave, so there
 * can be several such points, above all for values near that of the worst list: starts of different shapes are tried
 * and the largest entropy is kept. Where none leads anywhere, the even list is followed to the target.
 */
import { expectedSums } from '../../measures/forms/expectation.js';
import { logistic } from '../../objectives/pairs/pair-factor.js';
import type { EntropySolution } from './linear-entropy.js';
import { type PrecisionProblem, PrecisionState } from './precision-newton.js';

/** Shapes of p by the share x = log(rank) / log(n) or rank / n of the way down: falling, none without a discount. */
const shapes: readonly ((rank: number, ranks: number) => number)[] = [
  rank => -Math.log(rank),
  (rank, ranks) => -rank / ranks,
  (rank, ranks) => -((rank / ranks) ** 2),
];

const LEAST_STEP = 1e-6;

/** Probabilities are those of classes 0 (not relevant) and 1; undefined where no start leads to a solution. */
export function precisionEntropy(problem: PrecisionProblem): EntropySolution | undefined {
  const n = problem.discount.length;
  const counted = problem.discount.findLastIndex(discount => discount > 0) + 1;
  let best: PrecisionState | undefined;
  for (const shape of shapes) {
    const profile = Float64Array.from({ length: n }, (_, r) => shape(Math.min(r, counted) + 1, n));
    const found = fadeIn(PrecisionState.from(problem, tilted(problem, profile)));
    if (found !== undefined && (best === undefined || found.entropy() > best.entropy())) best = found;
  }
  best ??= fromEven(problem);
  if (best === undefined) return undefined;
  const probabilities = new Float64Array(2 * n);
  probabilities.set(best.p, n);
  for (let r = 0; r < n; r++) probabilities[r] = logistic(-best.logits[r]!);
  return { probabilities, multiplier: best.lambda };
}

/**
 * From a start that meets the constraints to a stationary point that does: the start's own departure from stationarity
 * is taken away bit by bit.
 */
function fadeIn(start: PrecisionState): PrecisionState | undefined {
  const departure = start.departure();
  return follow(start, (state, left) => state.solve(departure.map(value => left * value)));
}

/** The even list is stationary at its value; from there the value moves to the target. */
function fromEven(problem: PrecisionProblem): PrecisionState | undefined {
  const { discount, relevant, target } = problem;
  const n = discount.length;
  const stationary = new Float64Array(n);
  const far = expectedSums.precision(discount, new Float64Array(n).fill(relevant / n)) - target;
  const logits = new Float64Array(n).fill(Math.log(relevant / (n - relevant)));
  return follow(PrecisionState.from(problem, logits), (state, left) =>
    PrecisionState.from({ ...problem, target: target + left * far }, state.logits).solve(stationary),
  );
}

/** What is left of the way goes from 1 to 0 as fast as Newton's method follows. */
function follow(
  start: PrecisionState,
  solve: (state: PrecisionState, left: number) => PrecisionState | undefined,
): PrecisionState | undefined {
  let state = start;
  for (let left = 1, step = 1; left > 0; ) {
    const next = Math.max(0, left - step);
    const found = solve(state, next);
    if (found !== undefined) {
      state = found;
      left = next;
      step *= 2;
    } else if ((step /= 2) < LEAST_STEP) return undefined;
  }
  return state;
}

/** Logits k profile + level with the sum of p right and F(p) near the target, near as the closer end is. */
function tilted(problem: PrecisionProblem, profile: Float64Array): Float64Array {
  const { discount, relevant, target, range } = problem;
  const enough = 1e-3 * Math.min(target - range[0], range[1] - target);
  const at = (k: number) => {
    const logits = levelled(
      profile.map(value => k * value),
      relevant,
    );
    return { logits, miss: expectedSums.precision(discount, logits.map(logistic)) - target };
  };
  let low = -1;
  let high = 1;
  for (let k = 0; k < 60 && at(low).miss > 0; k++) low *= 2;
  for (let k = 0; k < 60 && at(high).miss < 0; k++) high *= 2;
  for (let k = 0; k < 200; k++) {
    const { logits, miss } = at((low + high) / 2);
    if (Math.abs(miss) <= enough || k === 199) return logits;
    if (miss < 0) low = (low + high) / 2;
    else high = (low + high) / 2;
  }
  throw new RangeError('never reached');
}

/** Adds the constant to logits with which their logistic functions add up to `sum`: Newton's method in a bracket. */
function levelled(logits: Float64Array, sum: number): Float64Array {
  const even = Math.log(sum / (logits.length - sum));
  let low = even - logits.reduce((most, logit) => Math.max(most, logit));
  let high = even - logits.reduce((least, logit) => Math.min(least, logit));
  let level = (low + high) / 2;
  for (let k = 0; k < 100; k++) {
    let total = -sum;
    let slope = 0;
    for (const logit of logits) {
      const p = logistic(level + logit);
      total += p;
      slope += p * (1 - p);
    }
    if (Math.abs(total) <= 1e-13 * sum) break;
    if (total < 0) low = level;
    else high = level;
    const newton = level - total / slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (next === level) break;
    level = next;
  }
  return logits.map(logit => logit + level);
}
