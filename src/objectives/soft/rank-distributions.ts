/**
 * SoftRank's rank distributions (Taylor et al. 2008). Scores are Gaussian with deviation sigma; document i beats j with
 * probability pi_ij = Phi((s_i - s_j) / (sqrt(2) sigma)); the wins are taken as independent. Starting from p(0) = 1 every rival
 * i of j is added once: p(r) <- p(r-1) pi_ij + p(r) (1 - pi_ij), r the number of documents above j.
 *
 * Gradients go through the recursion backwards: with a(r) the derivative of the result by p(r) after rival i, the derivative by
 * pi_ij is the sum of a(r) (p(r-1) - p(r)), p before rival i, and a(r) <- a(r) (1 - pi_ij) + a(r+1) pi_ij. A document costs
 * O(n depth).
 */
import { Scratch } from '../scratch.js';
import { density, normal } from './normal.js';

/** At most this many probabilities are stored (8 MB); longer recursions are stored in part and repeated block by block. */
const STORED = 1 << 20;

export class RankDistributions {
  /** sqrt(2) sigma. */
  readonly #spread: number;
  readonly #scratch = new Scratch();
  readonly #stored: number;

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
   * `scale` times the sum over ranks of worth[r] P(document j has rank r), r < depth counted from 0. Its derivatives by all
   * scores are added to `gradient`.
   */
  expectedWorth(
    j: number,
    scores: Float64Array,
    n: number,
    worth: Float64Array,
    depth: number,
    scale: number,
    gradient: Float64Array | undefined,
  ): number {
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

    const block = m * width <= this.#stored ? Math.max(m, 1) : Math.ceil(Math.sqrt(m));
    const blocks = Math.max(1, Math.ceil(m / block));
    /** Row b is p before block b; rows of the block at hand. */
    const starts = this.#scratch.array(2, (blocks + 1) * width);
    const rows = this.#scratch.array(3, (block + 1) * width);
    starts.fill(0, 0, width);
    starts[0] = 1;
    for (let b = 0; b < blocks - 1; b++) {
      const next = (b + 1) * width;
      starts.copyWithin(next, b * width, next);
      for (let t = b * block; t < (b + 1) * block; t++) advance(starts, next, next, width, wins[t]!);
    }

    const adjoint = this.#scratch.array(4, width + 1);
    for (let r = 0; r < width; r++) adjoint[r] = scale * worth[above + r]!;
    adjoint[width] = 0;
    let value = 0;
    for (let b = blocks - 1; b >= 0; b--) {
      const first = b * block;
      const count = Math.min(block, m - first);
      rows.set(starts.subarray(b * width, (b + 1) * width));
      for (let t = 0; t < count; t++) {
        advance(rows, t * width, (t + 1) * width, width, wins[first + t]!);
      }
      if (b === blocks - 1) {
        for (let r = 0; r < width; r++) value += adjoint[r]! * rows[count * width + r]!;
        if (gradient === undefined) return value;
      }
      for (let t = count - 1; t >= 0; t--) {
        const slope = goBack(adjoint, rows, t * width, Math.min(width, first + t + 1), wins[first + t]!);
        const i = rivals[first + t]!;
        const force = slope * this.winSlope(scores[i]! - scores[j]!);
        gradient![i]! += force;
        gradient![j]! -= force;
      }
    }
    return value;
  }
}

/** p after one more rival, from the row at `from` to that at `to`, which may be the same. */
function advance(rows: Float64Array, from: number, to: number, width: number, win: number): void {
  for (let r = width - 1; r > 0; r--) {
    const here = rows[from + r]!;
    rows[to + r] = here + win * (rows[from + r - 1]! - here);
  }
  rows[to] = rows[from]! - win * rows[from]!;
}

/**
 * Takes the adjoint to before a rival, where p is the row at `before` and at most `reach` ranks were possible, and returns the
 * derivative by its win;
 * adjoint[width] is 0: what falls off the end is worth nothing.
 */
function goBack(adjoint: Float64Array, rows: Float64Array, before: number, reach: number, win: number): number {
  let slope = 0;
  let here = adjoint[0]!;
  for (let r = 0; r < reach; r++) {
    const next = adjoint[r + 1]!;
    const step = next - here;
    slope += rows[before + r]! * step;
    adjoint[r] = here + win * step;
    here = next;
  }
  return slope;
}
