/**
 * The approximation framework (Qin, Liu, Li 2010). With f any sigmoid:
 *
 *     position(x) = 1 + sum over y != x of f(-alpha (s_x - s_y))
 *     [position(x) <= k] ~ f(beta (k - position(x)))            [x before y] ~ f(beta (position(y) - position(x)))
 *
 * The two betas are one in the paper. A measure reports its partial derivatives by these three; here, and only here,
 * the chain rule takes them to the scores. Differences of scores are multiplied by alpha before anything is
 * exponentiated: e^(alpha s) would overflow.
 *
 * Sigmoids that the kernel has go by the kernel, which is tested equal to the plain loops here.
 */
import { SigmoidRanks } from '../../kernels/sigmoid-ranks.js';
import type { SmoothRanking } from '../../measures/forms/smooth-forms.js';
import type { QueryView } from '../../measures/measure.js';
import { atOnce, type Steps } from '../../steps.js';
import { Scratch } from '../scratch.js';
import type { Sigmoid } from './sigmoids.js';

/** Pairs that are taken between two steps, about. */
const PAIRS_A_STEP = 1 << 16;

export interface SigmoidRankingOptions {
  alpha: number;
  /** Steepness of comparisons, and of truncations. */
  beta: number;
  cutBeta: number;
  sigmoid: Sigmoid;
  /** Added to k in truncations: 1/2 puts rank k on the right side. */
  beyond: number;
  /** The plain loops, whatever the kernel has. */
  plain?: boolean;
}

export class SigmoidRanking implements SmoothRanking {
  readonly #options: SigmoidRankingOptions;
  readonly #kernel: SigmoidRanks | undefined;
  readonly #scratch = new Scratch();
  #n = 0;
  #positions: Float64Array = new Float64Array(0);
  /** Derivative of the measure by each position. */
  #byPosition: Float64Array = new Float64Array(0);
  /** The documents that the kernel counts, and which they are. */
  #listed: readonly number[] = [];
  #isListed = new Uint8Array(0);

  constructor(options: SigmoidRankingOptions) {
    const { plain, sigmoid, alpha } = options;
    this.#options = options;
    if (!plain && sigmoid.kernel !== undefined) this.#kernel = new SigmoidRanks(sigmoid.kernel, alpha);
  }

  /** Takes the positions of the view's documents and forgets all derivatives. */
  rank(view: Pick<QueryView, 'n' | 'scores'>): this {
    return atOnce(this.rankSteps(view));
  }

  *rankSteps({ n, scores }: Pick<QueryView, 'n' | 'scores'>): Steps<this> {
    this.#n = n;
    this.#listed = [];
    if (this.#kernel !== undefined) {
      this.#kernel.reserve(n);
      const { arrays } = this.#kernel;
      for (let i = 0; i < n; i++) arrays.scores[i] = scores[i]!;
      this.#kernel.begin(n);
      yield* this.#rows((first, last) => this.#kernel!.addPositions(first, last, n));
      this.#positions = arrays.positions;
      this.#byPosition = arrays.byPosition;
    } else {
      this.#positions = this.#scratch.array(0, n);
      this.#positions.fill(1, 0, n);
      yield* this.#rows((first, last) => this.#addPositions(first, last, scores));
      this.#byPosition = this.#scratch.array(1, n);
    }
    this.#byPosition.fill(0, 0, n);
    return this;
  }

  /** Documents some at a time, the pairs of each with later ones. */
  *#rows(take: (first: number, last: number) => void): Steps<void> {
    const rows = Math.ceil(PAIRS_A_STEP / this.#n);
    for (let first = 0; first < this.#n; first += rows) {
      take(first, Math.min(first + rows, this.#n));
      yield first / this.#n;
    }
  }

  #addPositions(first: number, last: number, scores: Float64Array): void {
    const { alpha, sigmoid } = this.#options;
    for (let x = first; x < last; x++) {
      for (let y = x + 1; y < this.#n; y++) {
        const beats = sigmoid.value(alpha * (scores[y]! - scores[x]!)); // y above x
        this.#positions[x]! += beats;
        this.#positions[y]! += 1 - beats;
      }
    }
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

  countBefore(documents: readonly number[], y: number): number {
    const kernel = this.#kernel;
    if (kernel === undefined) {
      let count = 0;
      for (const x of documents) if (x !== y) count += this.before(x, y);
      return count;
    }
    if (this.#listed !== documents) this.#list(documents, kernel);
    // The kernel counts y, too, if it is among them: half of it is before itself.
    return kernel.countBefore(documents.length, y, this.#options.beta) - this.#isListed[y]! / 2;
  }

  #list(documents: readonly number[], kernel: SigmoidRanks): void {
    this.#takeListed(kernel);
    if (this.#isListed.length < this.#n) this.#isListed = new Uint8Array(2 * this.#n);
    this.#isListed.fill(0, 0, this.#n);
    const { listed, byListed } = kernel.arrays;
    for (let place = 0; place < documents.length; place++) {
      const x = documents[place]!;
      this.#isListed[x] = 1;
      listed[place] = this.#positions[x]!;
    }
    byListed.fill(0, 0, documents.length);
    this.#listed = documents;
  }

  /** Adds the derivatives by the positions of listed documents to those of all. */
  #takeListed(kernel: SigmoidRanks): void {
    const { byListed } = kernel.arrays;
    for (let place = 0; place < this.#listed.length; place++) {
      this.#byPosition[this.#listed[place]!]! += byListed[place]!;
    }
    this.#listed = [];
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

  addCountBefore(documents: readonly number[], y: number, partial: number): void {
    if (this.#kernel !== undefined) this.#kernel.addCountBefore(documents.length, y, partial * this.#options.beta);
    else for (const x of documents) if (x !== y) this.addBefore(x, y, partial);
  }

  /** Adds the derivatives by the scores, from those reported since `rank`, which must have seen the same view. */
  *addGradient({ n, scores }: Pick<QueryView, 'n' | 'scores'>, gradient: Float64Array): Steps<void> {
    const kernel = this.#kernel;
    if (kernel === undefined) {
      yield* this.#rows((first, last) => this.#addGradient(first, last, scores, gradient));
      return;
    }
    this.#takeListed(kernel);
    kernel.arrays.gradient.fill(0, 0, n);
    yield* this.#rows((first, last) => kernel.addGradient(first, last, n));
    for (let i = 0; i < n; i++) gradient[i]! += kernel.arrays.gradient[i]!;
  }

  #addGradient(first: number, last: number, scores: Float64Array, gradient: Float64Array): void {
    const { alpha, sigmoid } = this.#options;
    const g = this.#byPosition;
    for (let x = first; x < last; x++) {
      for (let y = x + 1; y < this.#n; y++) {
        if (g[x] === g[y]) continue;
        // d position(x) / d s_y = alpha u = - d position(y) / d s_y, u = f'(alpha (s_x - s_y))
        const pull = alpha * sigmoid.slope(alpha * (scores[x]! - scores[y]!)) * (g[y]! - g[x]!);
        gradient[x]! += pull;
        gradient[y]! -= pull;
      }
    }
  }
}
