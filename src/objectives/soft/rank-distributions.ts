/**
 * SoftRank's rank distributions (Taylor et al. 2008). Scores are Gaussian with deviation sigma; document i beats j with
 * probability pi_ij = Phi((s_i - s_j) / (sqrt(2) sigma)); the wins are taken as independent. Starting from p(0) = 1
 * every rival i of j is added once: p(r) <- p(r-1) pi_ij + p(r) (1 - pi_ij), r the number of documents above j.
 *
 * Gradients go through the recursion backwards: with a(r) the derivative of the result by p(r) after rival i, the
 * derivative by pi_ij is the sum of a(r) (p(r-1) - p(r)), p before rival i, and a(r) <- a(r) (1 - pi_ij) + a(r+1)
 * pi_ij. A document costs O(n depth). Where every rank is worth something, ranks that are out of all likelihood are
 * left out: of a long list, the ranks that count are some dozens of times the square root of n (bands).
 */

import { density, normal } from '../../numeric/normal.js';
import { atOnce, type Steps } from '../../steps.js';
import { Scratch } from '../scratch.js';

/**
 * At most this many probabilities are stored (8 MB); longer recursions are stored in part and repeated block by block.
 */
const STORED = 1 << 20;

/** Probabilities between two steps. */
const STEP = 1 << 21;

/**
 * Probability that may be left out, as a share of the least that the result can be: far below the rounding of float64.
 */
const NEGLIGIBLE = 1e-30;

export class RankDistributions {
  /** sqrt(2) sigma. */
  readonly #spread: number;
  readonly #scratch = new Scratch();
  readonly #stored: number;
  /** Whole numbers, as indexes are: in float64 the loops take twice as long. */
  #low = new Int32Array(1);
  #high = new Int32Array(1);

  constructor(sigma: number, stored = STORED) {
    this.#spread = Math.SQRT2 * sigma;
    this.#stored = stored;
  }

  /** P(i beats j). */
  win(difference: number): number {
    return normal(difference / this.#spread);
  }

  /** Its derivative by the difference. */
  winSlope(difference: number): number {
    return density(difference / this.#spread) / this.#spread;
  }

  /**
   * `scale` times the sum over ranks of discount[r] P(document j has rank r), r < depth counted from 0. Its derivatives
   * by all scores are added to `gradient`.
   */
  expectedDiscount(...of: Parameters<RankDistributions['discountSteps']>): number {
    return atOnce(this.discountSteps(...of));
  }

  /** The same in steps: one document of a long list takes seconds. Between them nothing else is asked for. */
  *discountSteps(
    j: number,
    scores: Float64Array,
    n: number,
    discount: Float64Array,
    depth: number,
    scale: number,
    gradient: Float64Array | undefined,
  ): Steps<number> {
    const wins = this.#scratch.array(0, n);
    const rivals = this.#scratch.array(1, n);
    // Rivals that surely win only shift the ranks, rivals that surely lose change nothing.
    let above = 0;
    let m = 0;
    for (let i = 0; i < n; i++) {
      if (i === j) continue;
      const win = this.win(scores[i]! - scores[j]!);
      if (win === 1) above++;
      else if (win !== 0) {
        wins[m] = win;
        rivals[m++] = i;
      }
    }
    const width = Math.min(depth - above, m + 1);
    if (width <= 0) return 0;

    if (this.#low.length <= m) {
      this.#low = new Int32Array(2 * m + 1);
      this.#high = new Int32Array(2 * m + 1);
    }
    const [low, high] = [this.#low, this.#high];
    bands(wins, m, width, likelihood(discount.subarray(above, above + width), m), low, high);
    const block = m * width <= this.#stored ? Math.max(m, 1) : Math.ceil(Math.sqrt(m));
    const blocks = Math.max(1, Math.ceil(m / block));
    let probabilities = 0;
    const isLong = (t: number) => {
      probabilities += high[t]! - low[t]!;
      if (probabilities < STEP) return false;
      probabilities = 0;
      return true;
    };
    /** Row b is p before block b; rows of the block at hand. */
    const starts = this.#scratch.array(2, (blocks + 1) * width);
    const rows = this.#scratch.array(3, (block + 1) * width);
    starts.fill(0, 0, width);
    starts[0] = 1;
    for (let b = 0; b < blocks - 1; b++) {
      const next = (b + 1) * width;
      starts.copyWithin(next, b * width, next);
      for (let t = b * block; t < (b + 1) * block; t++) {
        advance(starts, next, next, width, low[t + 1]!, high[t + 1]!, wins[t]!);
        if (isLong(t)) yield t / (3 * m);
      }
    }

    const adjoint = this.#scratch.array(4, width + 1);
    for (let r = 0; r < width; r++) adjoint[r] = scale * discount[above + r]!;
    adjoint[width] = 0;
    let value = 0;
    for (let b = blocks - 1; b >= 0; b--) {
      const first = b * block;
      const count = Math.min(block, m - first);
      rows.set(starts.subarray(b * width, (b + 1) * width));
      for (let t = 0; t < count; t++) {
        const after = first + t + 1;
        advance(rows, t * width, (t + 1) * width, width, low[after]!, high[after]!, wins[first + t]!);
        if (isLong(after)) yield (3 * m - 2 * after + count) / (3 * m);
      }
      if (b === blocks - 1) {
        for (let r = low[m]!; r < high[m]!; r++) value += adjoint[r]! * rows[count * width + r]!;
        if (gradient === undefined) return value;
      }
      for (let t = count - 1; t >= 0; t--) {
        const before = first + t;
        const slope = goBack(adjoint, rows, t * width, low[before]!, high[before]!, wins[before]!);
        const i = rivals[before]!;
        const lambda = slope * this.winSlope(scores[i]! - scores[j]!);
        gradient![i]! += lambda;
        gradient![j]! -= lambda;
        if (isLong(before)) yield (3 * m - 2 * before) / (3 * m);
      }
    }
    return value;
  }
}

/**
 * The logarithm of 2 over the probability that may be left out, so small that it changes nothing: the result is at
 * least the least
 * |discount| of the ranks 0..m. Infinite where one of these is worth nothing: then the rare ranks may be all there is.
 */
function likelihood(discount: Float64Array, m: number): number {
  let [least, most] = [discount.length > m ? Number.POSITIVE_INFINITY : 0, 0];
  for (const value of discount) {
    least = Math.min(least, Math.abs(value));
    most = Math.max(most, Math.abs(value));
  }
  return Math.log((2 * most) / (NEGLIGIBLE * least));
}

/**
 * After t rivals the rank is from low[t] to high[t] - 1. Bernstein's inequality: with mean mu and variance V of the
 * rank, it is off by more than x with probability at most 2 exp(-x^2 / (2 (V + x/3))); x is where that is 2
 * exp(-likelihood). Ranks only rise with more rivals, so a lower end never goes back.
 */
function bands(
  wins: Float64Array,
  m: number,
  width: number,
  likelihood: number,
  low: Int32Array,
  high: Int32Array,
): void {
  let mean = 0;
  let variance = 0;
  low[0] = 0;
  high[0] = 1;
  for (let t = 0; t < m; t++) {
    const win = wins[t]!;
    mean += win;
    variance += win * (1 - win);
    const off = likelihood / 3 + Math.sqrt(likelihood ** 2 / 9 + 2 * variance * likelihood);
    low[t + 1] = Math.max(low[t]!, Math.floor(mean - off));
    high[t + 1] = Math.min(width, high[t]! + 1, Math.max(high[t]!, Math.ceil(mean + off) + 1));
  }
}

/**
 * p after one more rival, from the row at `from` to that at `to`, which may be the same; 0 on both sides of low..high.
 */
function advance(
  rows: Float64Array,
  from: number,
  to: number,
  width: number,
  low: number,
  high: number,
  win: number,
): void {
  for (let r = high - 1; r > low; r--) {
    const here = rows[from + r]!;
    rows[to + r] = here + win * (rows[from + r - 1]! - here);
  }
  const last = rows[from + low]!;
  rows[to + low] = last + win * ((low > 0 ? rows[from + low - 1]! : 0) - last);
  if (low > 0) rows[to + low - 1] = 0;
  if (high < width) rows[to + high] = 0;
}

/**
 * Takes the adjoint to before a rival, where p is the row at `before` and the rank was from `low` to `high` - 1, and
 * returns the derivative by its win; adjoint[width] is 0: what falls off the end is worth nothing.
 */
function goBack(
  adjoint: Float64Array,
  rows: Float64Array,
  before: number,
  low: number,
  high: number,
  win: number,
): number {
  let slope = 0;
  let here = adjoint[low]!;
  for (let r = low; r < high; r++) {
    const next = adjoint[r + 1]!;
    const step = next - here;
    slope += rows[before + r]! * step;
    adjoint[r] = here + win * step;
    here = next;
  }
  return slope;
}
