// asc: --sharedMemory --maximumMemory 65536 --enable threads
// What RankBoost chooses its stumps by: potentials of documents, their sums by bin, and the best threshold of each
// feature. The pair of a worse document x and a better one y weighs e^(f(x) - f(y)), which is a product of one factor a
// document, whatever the number of grades: sums over lower and higher grades do, and no pair is visited.

import { MISSING_BIN, TILE_COLUMNS } from './layouts/boosting';
import { FEATURE_SUMS, Plan, Threshold, THRESHOLD_BYTES } from './layouts/stumps';

/** Factors beyond these, or below what is 1 over them, are brought nearer to 1: only their ratios count. */
const LARGEST: f64 = 1e140;

const FEATURE_BYTES: usize = FEATURE_SUMS << 3;

/** Eight times a byte of a word. */
const BIN: u32 = 255 << 3;

/**
 * Potentials by bin of eight features, one after the other; a document has a byte for each. Eight at a time: sums of
 * one feature would wait for each other where neighbours share a bin. Potentials are rounded to what adding and taking
 * away `rounder` leaves of them.
 */
export function sumByBin(bins: usize, n: i32, potentials: usize, rounder: f64, sums: usize): void {
  memory.fill(sums, 0, TILE_COLUMNS * FEATURE_BYTES);
  for (const end = bins + (<usize>n << 3); bins < end; bins += 8) {
    const four = load<u32>(bins);
    const others = load<u32>(bins, 4);
    const potential = load<f64>(potentials) + rounder - rounder;
    potentials += 8;
    // Offsets of features are written out: only constants are part of an instruction.
    let at: usize;
    at = sums + ((four << 3) & BIN);
    store<f64>(at, load<f64>(at) + potential);
    at = sums + ((four >> 5) & BIN);
    store<f64>(at, load<f64>(at, FEATURE_BYTES) + potential, FEATURE_BYTES);
    at = sums + ((four >> 13) & BIN);
    store<f64>(at, load<f64>(at, 2 * FEATURE_BYTES) + potential, 2 * FEATURE_BYTES);
    at = sums + ((four >> 21) & BIN);
    store<f64>(at, load<f64>(at, 3 * FEATURE_BYTES) + potential, 3 * FEATURE_BYTES);
    at = sums + ((others << 3) & BIN);
    store<f64>(at, load<f64>(at, 4 * FEATURE_BYTES) + potential, 4 * FEATURE_BYTES);
    at = sums + ((others >> 5) & BIN);
    store<f64>(at, load<f64>(at, 5 * FEATURE_BYTES) + potential, 5 * FEATURE_BYTES);
    at = sums + ((others >> 13) & BIN);
    store<f64>(at, load<f64>(at, 6 * FEATURE_BYTES) + potential, 6 * FEATURE_BYTES);
    at = sums + ((others >> 21) & BIN);
    store<f64>(at, load<f64>(at, 7 * FEATURE_BYTES) + potential, 7 * FEATURE_BYTES);
  }
}

/**
 * The best weak rankers of features, from their sums: 1 above a threshold and 0 up to it, missing values whichever is
 * better. Of equals the first is chosen.
 */
export function thresholds(sums: usize, count: i32, out: usize): void {
  for (let f = 0; f < count; f++) {
    bestThreshold(sums, changetype<Threshold>(out));
    sums += FEATURE_BYTES;
    out += THRESHOLD_BYTES;
  }
}

/** In two goes, neither of which guesses what the next sum will be: above which thresholds the most is, then where. */
function bestThreshold(sums: usize, out: Threshold): void {
  const missing = load<f64>(sums, MISSING_BIN << 3);
  let most: f64 = 0;
  let above: f64 = 0;
  // Above the last bin are missing values alone.
  for (let bin = out.bins; bin-- > 0; ) {
    most = max(most, max(abs(above), abs(above + missing)));
    above += load<f64>(sums + (<usize>bin << 3));
  }
  above = 0;
  let best: u32 = 0;
  for (let bin = out.bins; most > 0 && bin-- > 0; ) {
    best = bin;
    if (abs(above) == most || abs(above + missing) == most) break;
    above += load<f64>(sums + (<usize>bin << 3));
  }
  const missingLeft = abs(above) == most;
  out.bin = best;
  out.missingLeft = u32(missingLeft);
  out.r = missingLeft ? above : above + missing;
}

/** The output of a stump to the documents of queries first..last, from the bins of a feature, eight bytes apart. */
export function addStump(address: usize, first: i32, last: i32, bins: usize): void {
  const plan = changetype<Plan>(address);
  const from = startOf(plan, first);
  const to = startOf(plan, last);
  for (let k = from; k < to; k += 8) {
    const factor = <usize>plan.factors + k;
    const multiplier = <usize>plan.multipliers + (<usize>load<u8>(bins + k) << 3);
    store<f64>(factor, load<f64>(factor) * load<f64>(multiplier));
  }
}

/** Eight times the first document of a query. */
@inline function startOf(plan: Plan, query: i32): usize {
  const grade = load<u32>(<usize>plan.grades + (<usize>query << 2));
  return <usize>load<u32>(<usize>plan.starts + (<usize>grade << 2)) << 3;
}

/** Potentials of queries first..last: the weight of pairs that want a document higher less that of the others. */
export function potentials(address: usize, first: i32, last: i32): void {
  const plan = changetype<Plan>(address);
  for (let q = <usize>first; q < <usize>last; q++) {
    const grades = <usize>plan.grades + (q << 2);
    const lowest = <usize>load<u32>(grades) << 2;
    const end = <usize>load<u32>(grades, 4) << 2;
    const weight = load<f64>(<usize>plan.weights + (q << 3));
    store<f64>(<usize>plan.totals + (q << 3), lowest == end ? 0 : ofQuery(plan, lowest, end, weight));
  }
}

/** Of the query with the grades from `lowest` on to before `end`. Returns the weight of all its pairs. */
function ofQuery(plan: Plan, lowest: usize, end: usize, weight: f64): f64 {
  const starts = <usize>plan.starts;
  const factors = <usize>plan.factors;
  const out = <usize>plan.potentials;
  const first = <usize>load<u32>(starts + lowest) << 3;
  scale(factors, first, <usize>load<u32>(starts + end) << 3);
  let total: f64 = 0;
  let lower: f64 = 0; // sum over documents of lower grades of their factors
  for (let grade = lowest, k = first; grade < end; grade += 4) {
    const to = <usize>load<u32>(starts + grade, 4) << 3;
    let same: f64 = 0;
    // Most documents are of the lowest grade: there nothing is divided.
    if (grade == lowest) {
      for (; k < to; k += 8) same += load<f64>(factors + k);
    } else {
      for (; k < to; k += 8) {
        const factor = load<f64>(factors + k);
        same += factor;
        const potential = (weight / factor) * lower;
        store<f64>(out + k, potential);
        total += potential;
      }
    }
    lower += same;
  }
  let higher: f64 = 0; // sum over documents of higher grades of 1 / factor
  let k = <usize>load<u32>(starts + end) << 3;
  for (let grade = end; grade > lowest + 4; ) {
    grade -= 4;
    const from = <usize>load<u32>(starts + grade) << 3;
    let same: f64 = 0;
    while (k > from) {
      k -= 8;
      const factor = load<f64>(factors + k);
      same += 1 / factor;
      store<f64>(out + k, load<f64>(out + k) - weight * factor * higher);
    }
    higher += same;
  }
  for (let i = first; i < k; i += 8) store<f64>(out + i, -(weight * load<f64>(factors + i) * higher));
  return total;
}

@inline function scale(factors: usize, from: usize, to: usize): void {
  let least = load<f64>(factors + from);
  let most = least;
  let leasts = f64x2.splat(least);
  let mosts = leasts;
  let k = from;
  for (; k + 8 < to; k += 16) {
    const two = v128.load(factors + k);
    leasts = f64x2.pmin(leasts, two);
    mosts = f64x2.pmax(mosts, two);
  }
  if (k < to) {
    least = load<f64>(factors + k);
    most = least;
  }
  least = min(least, min(f64x2.extract_lane(leasts, 0), f64x2.extract_lane(leasts, 1)));
  most = max(most, max(f64x2.extract_lane(mosts, 0), f64x2.extract_lane(mosts, 1)));
  if (most < LARGEST && least > 1 / LARGEST) return;
  const centre = 1 / (sqrt(least) * sqrt(most));
  for (let i = from; i < to; i += 8) store<f64>(factors + i, load<f64>(factors + i) * centre);
}
