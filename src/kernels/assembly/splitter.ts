// asc: --sharedMemory --maximumMemory 65536 --enable threads
// The best split of a node for each feature, from its histogram. The reference is src/training/boosting/reference/.

const FEATURE_BYTES: usize = 256 * 16 + 64;
const MISSING: i32 = 255;

/** What a side is worth: force^2 / (curvature + l2). */
@inline function worth(force: f64, curvature: f64, l2: f64): f64 {
  return (force * force) / (curvature + l2);
}

/**
 * Scans one feature's bins and writes its best split to `out` (48 bytes): gain f64, bin i32, missing-goes-left i32, then force,
 * curvature, documents of the left side as i32. The gain is 0 where no split is allowed.
 * Documents with bin <= the split's go left. Missing values (bin 255) go to the side where they gain more.
 */
export function bestSplit(
  histogram: usize, bins: i32, out: usize, force: i32, curvature: i32, documents: i32,
  forceScale: f64, curvatureScale: f64, l2: f64, leastDocuments: i32, leastCurvature: f64, leastGain: f64,
): void {
  const whole = worth(<f64>force * forceScale, <f64>curvature * curvatureScale, l2) + leastGain;
  const missing = histogram + (<usize>MISSING << 4);
  const missingDocuments = load<i32>(missing, 8);
  store<f64>(out, 0);
  scan(histogram, bins, out, 0, 0, 0, 0, force, curvature, documents, whole, forceScale, curvatureScale, l2, leastDocuments, leastCurvature);
  if (missingDocuments > 0) {
    scan(
      histogram, bins, out, 1, load<i32>(missing), load<i32>(missing, 4), missingDocuments,
      force, curvature, documents, whole, forceScale, curvatureScale, l2, leastDocuments, leastCurvature,
    );
  }
}

/** Scans with the left side starting at the given sums; keeps what beats `out`. */
function scan(
  histogram: usize, bins: i32, out: usize, missingLeft: i32, leftForce: i32, leftCurvature: i32, leftDocuments: i32,
  force: i32, curvature: i32, documents: i32, whole: f64,
  forceScale: f64, curvatureScale: f64, l2: f64, leastDocuments: i32, leastCurvature: f64,
): void {
  let best = load<f64>(out);
  for (let b = 0; b < bins; b++) {
    const cell = histogram + (<usize>b << 4);
    const own = load<i32>(cell, 8);
    // A bin without documents splits like the one before it.
    if (own == 0) continue;
    leftForce += load<i32>(cell);
    leftCurvature += load<i32>(cell, 4);
    leftDocuments += own;
    if (leftDocuments < leastDocuments) continue;
    const rightDocuments = documents - leftDocuments;
    if (rightDocuments < leastDocuments || rightDocuments == 0) break;
    const left = <f64>leftCurvature * curvatureScale;
    const right = <f64>(curvature - leftCurvature) * curvatureScale;
    if (left < leastCurvature || right < leastCurvature) continue;
    const gain = worth(<f64>leftForce * forceScale, left, l2) + worth(<f64>(force - leftForce) * forceScale, right, l2) - whole;
    if (gain > best) {
      best = gain;
      store<f64>(out, gain);
      store<i32>(out, b, 8);
      store<i32>(out, missingLeft, 12);
      store<i32>(out, leftForce, 16);
      store<i32>(out, leftCurvature, 20);
      store<i32>(out, leftDocuments, 24);
    }
  }
}
