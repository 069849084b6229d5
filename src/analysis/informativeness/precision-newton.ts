/**
 * Newton's method for the stationary points of precision-entropy.ts. Unknown are the logits x_r of p_r, mu and lambda;
 * with C_r = p_1 + … + p_r and w_r = p_r (1 - p_r) the equations are
 *
 *   e_r = x_r - mu - lambda G_r = 0,  G_r = worth_r (1 + C_(r-1)) + sum over t > r of worth_t p_t,
 *   C_n = m,  F(p) = target.
 *
 * A step dx changes p by y_r = w_r dx_r and C by Y_r = y_1 + … + y_r. Taking neighbouring rows of the linearised
 * equations from each other leaves, for r = 1..n-1,
 *
 *   s_r (Y_r - Y_(r-1)) - s_(r+1) (Y_(r+1) - Y_r) + lambda (worth_(r+1) - worth_r) Y_r
 *     = e_(r+1) - e_r + dlambda (G_r - G_(r+1))
 *
 * with s_r = 1 / w_r + lambda worth_r: a chain of springs between the fixed ends Y_0 = 0 and Y_n, solved in one pass
 * down and one up. Springs are kept as compliances 1 / s_r, which go to 0 where p_r is nearly certain, so that nothing
 * overflows there.
 */
import { expectedSums } from '../../measures/forms/expectation.js';
import { dot, largest, sum } from '../../numeric/vectors.js';
import { logistic } from '../../objectives/pairs/pair-factor.js';

export interface PrecisionProblem {
  /** By rank; never rises. */
  readonly discount: Float64Array;
  /** Relevant documents in the list: more than none, fewer than all. */
  readonly relevant: number;
  /** Strictly inside `range`, the sums of the worst and the best list. */
  readonly target: number;
  readonly range: readonly [number, number];
}

const MOST_STEPS = 30;

export class PrecisionState {
  readonly #problem: PrecisionProblem;
  readonly logits: Float64Array;
  readonly mu: number;
  readonly lambda: number;
  readonly p: Float64Array;
  readonly #variance: Float64Array;
  readonly #slope: Float64Array;

  private constructor(problem: PrecisionProblem, logits: Float64Array, mu: number, lambda: number) {
    this.#problem = problem;
    this.logits = logits;
    this.mu = mu;
    this.lambda = lambda;
    this.p = logits.map(logistic);
    this.#variance = logits.map((x, r) => Math.max(this.p[r]! * logistic(-x), 1e-300));
    this.#slope = slopes(problem.discount, this.p);
  }

  /** mu and lambda as they fit the logits best, ranks weighed by how uncertain they are. */
  static from(problem: PrecisionProblem, logits: Float64Array): PrecisionState {
    const weight = new PrecisionState(problem, logits, 0, 0).#variance;
    const slope = new PrecisionState(problem, logits, 0, 0).#slope;
    const total = sum(weight);
    const meanLogit = dot(weight, logits) / total;
    const meanSlope = dot(weight, slope) / total;
    let both = 0;
    let square = 0;
    for (const [r, w] of weight.entries()) {
      both += w * (logits[r]! - meanLogit) * (slope[r]! - meanSlope);
      square += w * (slope[r]! - meanSlope) ** 2;
    }
    const lambda = square > 0 ? both / square : 0;
    return new PrecisionState(problem, logits, meanLogit - lambda * meanSlope, lambda);
  }

  /** e_r. */
  departure(): Float64Array {
    return this.logits.map((x, r) => x - this.mu - this.lambda * this.#slope[r]!);
  }

  entropy(): number {
    let entropy = 0;
    for (const [r, p] of this.p.entries()) {
      const q = logistic(-this.logits[r]!);
      if (p > 0 && q > 0) entropy -= p * Math.log(p) + q * Math.log(q);
    }
    return entropy;
  }

  /** The state with the constraints met and the given departure; undefined where the steps do not lead there. */
  solve(departure: Float64Array): PrecisionState | undefined {
    const { discount, relevant, target } = this.#problem;
    let state: PrecisionState = this;
    for (let step = 0; step < MOST_STEPS; step++) {
      const errors = state.departure().map((value, r) => value - departure[r]!);
      const excess = sum(state.p) - relevant;
      const miss = expectedSums.precision(discount, state.p) - target;
      const scale = 1 + Math.abs(state.mu) + Math.abs(state.lambda) * largest(state.#slope);
      const met = Math.abs(excess) < 1e-12 * discount.length && Math.abs(miss) < 1e-12 * Math.max(1, target);
      if (met && largest(errors) < 1e-11 * scale) return state;
      if (!Number.isFinite(excess + miss + scale) || scale > 1e15) return undefined;
      state = state.#step(errors, excess, miss);
    }
    return undefined;
  }

  #step(errors: Float64Array, excess: number, miss: number): PrecisionState {
    const { discount } = this.#problem;
    const n = discount.length;
    const slope = this.#slope;
    const [y, perLambda] = this.#chain(errors, excess);
    const lambdaStep = (-miss - dot(slope, y)) / dot(slope, perLambda);
    for (let r = 0; r < n; r++) y[r]! += lambdaStep * perLambda[r]!;
    // dx from the equations themselves rather than y / w, which loses its digits where w is tiny.
    const change = slopesOfChange(discount, y);
    const step = change.map((value, r) => lambdaStep * slope[r]! + this.lambda * value - errors[r]!);
    const muStep = (-excess - dot(this.#variance, step)) / sum(this.#variance);
    const logits = this.logits.map((x, r) => x + muStep + step[r]!);
    return new PrecisionState(this.#problem, logits, this.mu + muStep, this.lambda + lambdaStep);
  }

  /** y for lambda held, with the sum that takes the excess away, and the change of y by lambda. */
  #chain(errors: Float64Array, excess: number): [held: Float64Array, perLambda: Float64Array] {
    const { discount } = this.#problem;
    const n = discount.length;
    const slope = this.#slope;
    const compliance = this.#variance.map((w, r) => w / (1 + this.lambda * discount[r]! * w));
    // Down the chain: the lambda in the spring below node r is stiffness[r] Y_r - held[r] (or - moved[r]).
    const stiffness = new Float64Array(n);
    const held = new Float64Array(n);
    const moved = new Float64Array(n);
    for (let r = 0; r < n - 1; r++) {
      const ground = this.lambda * (discount[r + 1]! - discount[r]!);
      const softer = r === 0 ? 1 : 1 + stiffness[r - 1]! * compliance[r]!;
      stiffness[r] = (r === 0 ? 1 / compliance[0]! : stiffness[r - 1]! / softer) + ground;
      held[r] = (r === 0 ? 0 : held[r - 1]! / softer) + errors[r + 1]! - errors[r]!;
      moved[r] = (r === 0 ? 0 : moved[r - 1]! / softer) + slope[r]! - slope[r + 1]!;
    }
    // Up the chain, from the fixed end.
    const y = new Float64Array(n);
    const perLambda = new Float64Array(n);
    let below = -excess;
    let belowMoved = 0;
    for (let r = n - 1; r > 0; r--) {
      const share = compliance[r]! / (1 + stiffness[r - 1]! * compliance[r]!);
      y[r] = share * (stiffness[r - 1]! * below - held[r - 1]!);
      perLambda[r] = share * (stiffness[r - 1]! * belowMoved - moved[r - 1]!);
      below -= y[r]!;
      belowMoved -= perLambda[r]!;
    }
    y[0] = below;
    perLambda[0] = belowMoved;
    return [y, perLambda];
  }
}

/** G: what F gains with p_r. */
export function slopes(discount: Float64Array, p: Float64Array): Float64Array {
  return slopesOfChange(discount, p).map((value, r) => value + discount[r]!);
}

/** The part of G that is linear in p: worth_r (p_1 + … + p_(r-1)) + sum over t > r of worth_t p_t. */
function slopesOfChange(discount: Float64Array, p: Float64Array): Float64Array {
  const n = p.length;
  const result = new Float64Array(n);
  for (let r = n - 1, later = 0; r >= 0; r--) {
    result[r] = later;
    later += discount[r]! * p[r]!;
  }
  for (let r = 0, above = 0; r < n; r++) {
    result[r]! += discount[r]! * above;
    above += p[r]!;
  }
  return result;
}
