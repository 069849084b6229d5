/**
 * Maximum entropy under a linear constraint. Of all distributions q_r over classes at ranks r = 1..n with the sum over
 * r of q_r(c) equal to count_c and the sum over r and c of worth_r gain_c q_r(c) equal to the target, the one of
 * largest entropy is q_r(c) proportional to exp(mu_c + lambda gain_c worth_r). Its multipliers minimise the convex dual
 *
 *   sum over r of log sum over c of exp(mu_c + lambda gain_c worth_r) - sum over c of mu_c count_c - lambda target,
 *
 * here by Newton's method with mu of the first class fixed at 0: adding a constant to every mu changes nothing.
 */
import { largest } from '../../numeric/vectors.js';
import { solvePositive } from './solve-positive.js';

export interface LinearProblem {
  /** By class, all different. */
  readonly gains: Float64Array;
  readonly counts: Float64Array;
  /** By rank. */
  readonly discount: Float64Array;
  /** Strictly between the sums of the worst and the best list. */
  readonly target: number;
}

export interface EntropySolution {
  /** Probabilities [class][rank]. */
  readonly probabilities: Float64Array;
  /** lambda: how much entropy a higher value would cost, in nats for a unit of the sum. */
  readonly multiplier: number;
}

const MOST_STEPS = 500;
/** By how much a step may change a multiplier, beside the largest there is. */
const MOST_CHANGE = 4;
/** Changes of the dual, as a share of its size, that rounding may have made. */
const FLAT = 1e-12;

export function linearEntropy(problem: LinearProblem): EntropySolution {
  const dual = new Dual(problem);
  let point = dual.at(dual.start());
  for (let step = 0; step < MOST_STEPS && point.residual > 1e-13 * problem.discount.length; step++) {
    const next = dual.step(point) ?? dual.recount(point);
    if (next === undefined) break; // rounding: no step is an improvement
    point = next;
  }
  return { probabilities: point.probabilities, multiplier: dual.multiplier(point.parameters) };
}

interface Point {
  /** mu of the classes after the first, then lambda in the dual's own scale. */
  readonly parameters: Float64Array;
  readonly probabilities: Float64Array;
  readonly value: number;
  readonly gradient: Float64Array;
  /** Largest entry of the gradient, which is by how much the constraints are missed, in documents. */
  readonly residual: number;
}

class Dual {
  readonly #counts: Float64Array;
  readonly #gains: Float64Array;
  readonly #discount: Float64Array;
  readonly #target: number;
  readonly #scale: number;
  readonly #classes: number;
  readonly #n: number;

  /**
   * Gains and discounts are put on a scale of about 1, discounts around 0: the dual is then round enough for Newton.
   */
  constructor({ gains, counts, discount, target }: LinearProblem) {
    const n = discount.length;
    const middle = discount.reduce((sum, value) => sum + value, 0) / n;
    const width = largest(discount.map(value => value - middle));
    const gain = largest(gains);
    this.#scale = gain * width;
    this.#gains = gains.map(value => value / gain);
    this.#discount = discount.map(value => (value - middle) / width);
    const constant = middle * gains.reduce((sum, value, c) => sum + value * counts[c]!, 0);
    this.#target = (target - constant) / this.#scale;
    this.#counts = counts;
    this.#classes = gains.length;
    this.#n = n;
  }

  multiplier(parameters: Float64Array): number {
    return parameters[this.#classes - 1]! / this.#scale;
  }

  /** Without the measure's constraint every rank has the same mixture. */
  start(): Float64Array {
    const parameters = new Float64Array(this.#classes);
    for (let c = 1; c < this.#classes; c++) parameters[c - 1] = Math.log(this.#counts[c]! / this.#counts[0]!);
    return parameters;
  }

  at(parameters: Float64Array): Point {
    const classes = this.#classes;
    const n = this.#n;
    const lambda = parameters[classes - 1]!;
    const probabilities = new Float64Array(classes * n);
    const gradient = new Float64Array(classes);
    const logits = new Float64Array(classes);
    let value = -lambda * this.#target;
    for (let c = 1; c < classes; c++) value -= parameters[c - 1]! * this.#counts[c]!;
    for (let r = 0; r < n; r++) {
      let largest = -Infinity;
      for (let c = 0; c < classes; c++) {
        logits[c] = (c === 0 ? 0 : parameters[c - 1]!) + lambda * this.#gains[c]! * this.#discount[r]!;
        largest = Math.max(largest, logits[c]!);
      }
      let sum = 0;
      for (let c = 0; c < classes; c++) sum += logits[c] = Math.exp(logits[c]! - largest);
      value += largest + Math.log(sum);
      for (let c = 0; c < classes; c++) {
        const q = logits[c]! / sum;
        probabilities[c * n + r] = q;
        if (c > 0) gradient[c - 1]! += q;
        gradient[classes - 1]! += q * this.#gains[c]! * this.#discount[r]!;
      }
    }
    for (let c = 1; c < classes; c++) gradient[c - 1]! -= this.#counts[c]!;
    gradient[classes - 1]! -= this.#target;
    return { parameters, probabilities, value, gradient, residual: largest(gradient) };
  }

  /** The covariance of (class indicators, gain times discount), summed over ranks. */
  #hessian(probabilities: Float64Array): Float64Array {
    const k = this.#classes;
    const n = this.#n;
    const hessian = new Float64Array(k * k);
    for (let r = 0; r < n; r++) {
      const discount = this.#discount[r]!;
      let mean = 0;
      for (let c = 0; c < k; c++) mean += probabilities[c * n + r]! * this.#gains[c]!;
      for (let c = 0; c < k; c++) {
        const q = probabilities[c * n + r]!;
        const over = this.#gains[c]! - mean;
        hessian[k * k - 1]! += discount * discount * q * over * over;
        if (c === 0) continue;
        hessian[(c - 1) * k + k - 1]! += discount * q * over;
        hessian[(c - 1) * k + c - 1]! += q;
        for (let d = 1; d <= c; d++) hessian[(c - 1) * k + d - 1]! -= q * probabilities[d * n + r]!;
      }
    }
    for (let i = 0; i < k; i++) {
      for (let j = 0; j < i; j++) {
        if (i < k - 1) hessian[j * k + i] = hessian[i * k + j]!;
        else hessian[i * k + j] = hessian[j * k + i]!;
      }
    }
    return hessian;
  }

  /**
   * Near a best list lambda is so large that rounding hides the counts behind it: a step for the counts alone, lambda
   * held, where that meets the constraints better.
   */
  recount(from: Point): Point | undefined {
    const k = this.#classes - 1;
    const whole = this.#hessian(from.probabilities);
    const hessian = Float64Array.from({ length: k * k }, (_, i) => whole[Math.floor(i / k) * (k + 1) + (i % k)]!);
    const direction = solvePositive(hessian, from.gradient.subarray(0, k));
    const point = this.at(from.parameters.map((value, i) => value - (direction[i] ?? 0)));
    return point.residual < from.residual ? point : undefined;
  }

  /**
   * A Newton step, shortened until the dual falls. Near the end the dual is flat to rounding: there, and only there, a
   * step is as good that meets the constraints better.
   */
  step(from: Point): Point | undefined {
    const direction = solvePositive(this.#hessian(from.probabilities), from.gradient);
    const slope = direction.reduce((sum, value, i) => sum + value * from.gradient[i]!, 0);
    // From afar a whole step can take every probability to 0 or 1, where the dual is so flat that there is no way back.
    const most = MOST_CHANGE + largest(from.parameters);
    for (let length = Math.min(1, most / largest(direction)); length > 1e-10; length /= 2) {
      const point = this.at(from.parameters.map((value, i) => value - length * direction[i]!));
      if (point.value < from.value - 1e-4 * length * slope) return point;
      const flat = Math.abs(point.value - from.value) <= FLAT * (this.#n + Math.abs(from.value));
      if (flat && point.residual < from.residual / 2) return point;
    }
    return undefined;
  }
}
