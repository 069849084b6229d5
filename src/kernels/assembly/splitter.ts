// asc: --sharedMemory --maximumMemory 65536 --enable threads
// The best split of a node for each feature, from its histogram. The reference is
// test/training/boosting/kernel-work.reference.ts.

import { Split } from './layouts/boosting';

let lambdaUnit: v128 = f64x2.splat(0);
let hessianUnit: v128 = f64x2.splat(0);
let regularisation: v128 = f64x2.splat(0);
let bySquares: i32 = 0;

/** The same for all features of a node: one unit of lambda and hessian, l2, whether least squares decide. */
export function setUnits(lambda: f64, hessian: f64, l2: f64, squares: i32): void {
  bySquares = squares;
  lambdaUnit = f64x2.splat(lambda);
  hessianUnit = f64x2.splat(hessian);
  regularisation = f64x2.splat(l2);
}

/**
 * The score of two sides: lambda^2 / (hessian + l2) of each, or lambda^2 / documents. `documents` are 32-bit integers.
 */
@inline function scores(lambdas: v128, hessians: v128, documents: v128): v128 {
  const below = bySquares != 0 ? f64x2.convert_low_i32x4_s(documents) : f64x2.add(hessians, regularisation);
  return f64x2.div(f64x2.mul(lambdas, lambdas), below);
}

/**
 * Scans one feature's bins and writes its best split to `out`. The gain is 0 where no split is allowed. Documents with
 * bin <= the split's go left. Missing values (bin `missing`) go to the side where they gain more.
 */
export function bestSplit(
  histogram: usize, bins: i32, missing: i32, out: usize, lambda: i32, hessian: i32, documents: i32,
  leastDocuments: i32, leastHessian: f64, leastGain: f64,
): void {
  const node = i32x4(lambda, hessian, documents, 0);
  const all = scores(
    f64x2.mul(f64x2.splat(<f64>lambda), lambdaUnit),
    f64x2.mul(f64x2.splat(<f64>hessian), hessianUnit),
    i32x4.splat(documents),
  );
  const whole = f64x2.extract_lane(all, 0) + leastGain;
  const absent = v128.load(histogram + (<usize>missing << 4));
  changetype<Split>(out).gain = 0;
  scan(histogram, bins, out, 0, i32x4.splat(0), node, documents, whole, leastDocuments, leastHessian);
  if (i32x4.extract_lane(absent, 2) > 0) {
    scan(histogram, bins, out, 1, absent, node, documents, whole, leastDocuments, leastHessian);
  }
}

/** Scans with the left side starting at the given sums (lambda, hessian, documents); keeps what beats `out`. */
function scan(
  histogram: usize, bins: i32, out: usize, missingLeft: i32, left: v128, node: v128, documents: i32, whole: f64,
  leastDocuments: i32, leastHessian: f64,
): void {
  const split = changetype<Split>(out);
  let best = split.gain;
  const least = f64x2.splat(leastHessian);
  for (let b = 0; b < bins; b++) {
    // A bin without documents splits like the one before it, which gains no more; looking for them would take longer.
    left = i32x4.add(left, v128.load(histogram + (<usize>b << 4)));
    const leftDocuments = i32x4.extract_lane(left, 2);
    if (leftDocuments < leastDocuments) continue;
    const rightDocuments = documents - leftDocuments;
    if (rightDocuments < leastDocuments || rightDocuments == 0) break;
    const right = i32x4.sub(node, left);
    // Both sides at once: left in one lane, right in the other.
    const hessians = f64x2.mul(f64x2.convert_low_i32x4_s(v128.shuffle<i32>(left, right, 1, 5, 1, 5)), hessianUnit);
    if (i64x2.bitmask(f64x2.lt(hessians, least)) != 0) continue;
    const lambdas = f64x2.mul(f64x2.convert_low_i32x4_s(v128.shuffle<i32>(left, right, 0, 4, 0, 4)), lambdaUnit);
    const sides = scores(lambdas, hessians, v128.shuffle<i32>(left, right, 2, 6, 2, 6));
    const gain = f64x2.extract_lane(sides, 0) + f64x2.extract_lane(sides, 1) - whole;
    if (gain > best) {
      best = gain;
      split.gain = gain;
      split.bin = b;
      split.missingLeft = missingLeft;
      v128.store(out, left, offsetof<Split>('lambda'));
    }
  }
}
