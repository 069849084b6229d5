/**
 * The approximation framework (Qin, Liu, Li 2010). With f any sigmoid:
 *
 *     position(x) = 1 + sum over y != x of f(-alpha (s_x - s_y))
 *     [position(x) <= k] ~ f(beta (k - position(x)))            [x before y] ~ f(beta (position(y) - position(x)))
 *
 * The two betas are one in the paper. A measure reports its partial derivatives by these three; here, and only here,
 * the chain rule takes them to the scores. Differences of scores are multiplied by alpha before anything is
 * exponentiated: e^(alpha s) would overflow.
 */

import type { SmoothRanking } from '../../measures/forms/smooth-forms.js';
import type { QueryView } from '../../measures/measure.js';
import { atOnce, type Steps } from '../../steps.js';
import { Scratch } from '../scratch.js';
import type { Sigmoid } from './sigmoids.js';

/** Documents whose pairs are taken between two steps. */
const DOCUMENTS_A_STEP = 64;

export interface SigmoidRankingOptions {
  alpha: number;
  /** Steepness of comparisons, and of truncations. */
  beta: number;
  cutBeta: number;
  sigmoid: Sigmoid;
  /** Added to k in truncations: 1/2 puts rank k on the right side. */
  beyond: number;
}

export class SigmoidRanking implements SmoothRanking {
  readonly #options: SigmoidRankingOptions;
  readonly #scratch = new Scratch();
  #positions: Float64Array = new Float64Array(0);
  /** Derivative of the measure by each position. */
  #byPosition: Float64Array = new Float64Array(0);

  constructor(options: SigmoidRankingOptions) {
    this.#options = options;
  }

  /** Takes the positions of the view's documents and forgets all derivatives. */
  rank(view: Pick<QueryView, 'n' | 'scores'>): this {
    return atOnce(this.rankSteps(view));
  }

  *rankSteps({ n, scores }: Pick<QueryView, 'n' | 'scores'>): Steps<this> {
    const { alpha, sigmoid } = this.#options;
    const positions = this.#scratch.array(0, n);
    positions.fill(1, 0, n);
    for (let x = 0; x < n; x++) {
      for (let y = x + 1; y < n; y++) {
        const beats = sigmoid.value(alpha * (scores[y]! - scores[x]!)); // y above x
        positions[x]! += beats;
        positions[y]! += 1 - beats;
      }
      if (x % DOCUMENTS_A_STEP === 0) yield x / n;
    }
    this.#positions = positions;
    this.#byPosition = this.#scratch.array(1, n);
    this.#byPosition.fill(0, 0, n);
    return this;
  }

  position(x: number): number {
    return this.#positions[x]!;
  }

  #toCut(x: number, k: number): number {
    return this.#options.cutBeta * (k + this.#options.beyond - this.#positions[x]!);
  }

  within(x: number, k: number): number {
    return this.#options.sigmoid.value(this.#toCut(x, k));
  }

  #between(x: number, y: number): number {
    return this.#options.beta * (this.#positions[y]! - this.#positions[x]!);
  }

  before(x: number, y: number): number {
    return this.#options.sigmoid.value(this.#between(x, y));
  }

  addPosition(x: number, partial: number): void {
    this.#byPosition[x]! += partial;
  }

  addWithin(x: number, k: number, partial: number): void {
    this.#byPosition[x]! -= partial * this.#options.cutBeta * this.#options.sigmoid.slope(this.#toCut(x, k));
  }

  addBefore(x: number, y: number, partial: number): void {
    const slope = partial * this.#options.beta * this.#options.sigmoid.slope(this.#between(x, y));
    this.#byPosition[y]! += slope;
    this.#byPosition[x]! -= slope;
  }

  /** Adds the derivatives by the scores, from those reported since `rank`, which must have seen the same view. */
  *addGradient({ n, scores }: Pick<QueryView, 'n' | 'scores'>, gradient: Float64Array): Steps<void> {
    const { alpha, sigmoid } = this.#options;
    const g = this.#byPosition;
    for (let x = 0; x < n; x++) {
      for (let y = x + 1; y < n; y++) {
        if (g[x] === g[y]) continue;
        // d position(x) / d s_y = alpha u = - d position(y) / d s_y, u = f'(alpha (s_x - s_y))
        const pull = alpha * sigmoid.slope(alpha * (scores[x]! - scores[y]!)) * (g[y]! - g[x]!);
        gradient[x]! += pull;
        gradient[y]! -= pull;
      }
      if (x % DOCUMENTS_A_STEP === 0) yield x / n;
    }
  }
}
