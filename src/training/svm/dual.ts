/**
 * The dual of the 1-slack problem over a working set of cutting planes: maximise sum of alpha_k delta_k less half the
 * squared length of sum of alpha_k psi_k, with alpha >= 0 and their sum at most c. An active set method: exact but for
 * rounding, and quick, since few planes are active and each call begins at the solution of the last.
 */
import { sum } from '../../numeric/vectors.js';

/** Where a gain of this share is left, the solution stands. */
const TOLERANCE = 1e-12;
/** Added to the diagonal, as a share of its largest: planes may depend on each other. */
const RIDGE = 1e-12;

/** `gram[k][l]` is psi_k . psi_l. Changes `alpha`, which must be allowed, to the solution. */
export function solveDual(gram: readonly Float64Array[], delta: readonly number[], c: number, alpha: number[]): void {
  const active = alpha.map(value => value > 0);
  const refused = new Set<number>();
  for (let round = 0; round < 100 * (alpha.length + 1); round++) {
    const free = [...active.keys()].filter(k => active[k]);
    const { target, multiplier } = optimumOn(gram, delta, c, free);
    let step = 1;
    let leaves = -1;
    for (const [i, k] of free.entries()) {
      if (target[i]! >= 0) continue;
      const most = alpha[k]! / (alpha[k]! - target[i]!);
      if (most < step) {
        step = most;
        leaves = k;
      }
    }
    for (const [i, k] of free.entries()) alpha[k]! += step * (target[i]! - alpha[k]!);
    if (leaves >= 0) {
      alpha[leaves] = 0;
      active[leaves] = false;
      // A plane that leaves as soon as it came would do so for ever.
      if (step === 0) refused.add(leaves);
      continue;
    }
    const enters = steepest(gram, delta, alpha, multiplier, k => !active[k] && !refused.has(k));
    if (enters < 0) return;
    active[enters] = true;
  }
}

/** The optimum over the free planes where alpha may be negative, and the multiplier of the sum. */
function optimumOn(gram: readonly Float64Array[], delta: readonly number[], c: number, free: readonly number[]) {
  const own = free.map(k => Float64Array.from(free, l => gram[k]![l]!));
  const targets = free.map(k => delta[k]!);
  const plain = solve(cholesky(own), targets);
  if (sum(plain) <= c) return { target: plain, multiplier: 0 };
  // On the plane of sum c a constant more in every entry changes nothing, and planes of no length can be solved for.
  const shift = Math.max(largestOf(own), ...targets);
  const factor = cholesky(own.map(row => row.map(value => value + shift)));
  const [shifted, ones] = [
    solve(factor, targets),
    solve(
      factor,
      free.map(() => 1),
    ),
  ];
  const multiplier = (sum(shifted) - c) / sum(ones);
  return { target: shifted.map((value, i) => value - multiplier * ones[i]!), multiplier: multiplier + shift * c };
}

/** On the diagonal. */
function largestOf(matrix: readonly Float64Array[]): number {
  return matrix.reduce((most, row, i) => Math.max(most, row[i]!), 0);
}

/** The plane along which the dual rises most; -1 where it rises along none. */
function steepest(
  gram: readonly Float64Array[],
  delta: readonly number[],
  alpha: readonly number[],
  multiplier: number,
  may: (k: number) => boolean,
): number {
  let best = -1;
  let most = 0;
  for (let k = 0; k < alpha.length; k++) {
    if (!may(k)) continue;
    let product = 0;
    for (let l = 0; l < alpha.length; l++) if (alpha[l]! > 0) product += alpha[l]! * gram[k]![l]!;
    const rise = delta[k]! - product - multiplier;
    if (rise > most + TOLERANCE * Math.max(1, Math.abs(delta[k]!))) {
      most = rise;
      best = k;
    }
  }
  return best;
}

/** Lower factor of a symmetric matrix, with the ridge. */
function cholesky(matrix: readonly Float64Array[]): readonly Float64Array[] {
  const n = matrix.length;
  const ridge = Math.max(RIDGE * largestOf(matrix), Number.EPSILON);
  const factor = matrix.map(row => row.slice());
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i]![j]! + (i === j ? ridge : 0);
      for (let k = 0; k < j; k++) rest -= factor[i]![k]! * factor[j]![k]!;
      factor[i]![j] = i === j ? Math.sqrt(Math.max(rest, ridge)) : rest / factor[j]![j]!;
    }
  }
  return factor;
}

function solve(factor: readonly Float64Array[], target: readonly number[]): number[] {
  const x = [...target];
  for (let i = 0; i < x.length; i++) {
    for (let k = 0; k < i; k++) x[i]! -= factor[i]![k]! * x[k]!;
    x[i]! /= factor[i]![i]!;
  }
  for (let i = x.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < x.length; k++) x[i]! -= factor[k]![i]! * x[k]!;
    x[i]! /= factor[i]![i]!;
  }
  return x;
}
