// asc: --sharedMemory --maximumMemory 65536 --enable threads
// What RankBoost chooses its stumps by: potentials of documents, and their sums by bin. The pair of a worse document x
// and a better one y weighs e^(f(x) - f(y)), which is a product of one factor a document, whatever the number of
// grades: sums over lower and higher grades do, and no pair is visited.

import { TILE_COLUMNS } from './layouts/boosting';
import { FEATURE_SUMS, Plan } from './layouts/stumps';

/** Factors beyond these, or below what is 1 over them, are brought nearer to 1: only their ratios count. */
const LARGEST: f64 = 1e140;

const FEATURE_BYTES: usize = FEATURE_SUMS << 3;

@inline function add(sums: usize, bin: u64, potential: f64): void {
  const at = sums + (<usize>bin << 3);
  store<f64>(at, load<f64>(at) + potential);
}

/**
 * Potentials by bin of eight features, one after the other; a document has a byte for each. Eight at a time: sums of
 * one feature would wait for each other where neighbours share a bin. Potentials are rounded to what adding and taking
 * away `rounder` leaves of them.
 */
export function sumByBin(bins: usize, n: i32, potentials: usize, rounder: f64, sums: usize): void {
  memory.fill(sums, 0, TILE_COLUMNS * FEATURE_BYTES);
  for (const end = bins + (<usize>n << 3); bins < end; bins += 8) {
    const eight = load<u64>(bins);
    const potential = load<f64>(potentials) + rounder - rounder;
    potentials += 8;
    add(sums, eight & 255, potential);
    add(sums + FEATURE_BYTES, (eight >> 8) & 255, potential);
    add(sums + 2 * FEATURE_BYTES, (eight >> 16) & 255, potential);
    add(sums + 3 * FEATURE_BYTES, (eight >> 24) & 255, potential);
    add(sums + 4 * FEATURE_BYTES, (eight >> 32) & 255, potential);
    add(sums + 5 * FEATURE_BYTES, (eight >> 40) & 255, potential);
    add(sums + 6 * FEATURE_BYTES, (eight >> 48) & 255, potential);
    add(sums + 7 * FEATURE_BYTES, eight >> 56, potential);
  }
}

/** The output of a stump to the documents of queries first..last, from the bins of a feature, eight bytes apart. */
export function addStump(address: usize, first: i32, last: i32, bins: usize): void {
  const plan = changetype<Plan>(address);
  const from = load<u32>(<usize>plan.offsets + (<usize>first << 2));
  const to = load<u32>(<usize>plan.offsets + (<usize>last << 2));
  for (let i = <usize>from; i < <usize>to; i++) {
    const factor = <usize>plan.factors + (i << 3);
    const multiplier = <usize>plan.multipliers + (<usize>load<u8>(bins + (i << 3)) << 3);
    store<f64>(factor, load<f64>(factor) * load<f64>(multiplier));
  }
}

/** Potentials of queries first..last: the weight of pairs that want a document higher less that of the others. */
export function potentials(address: usize, first: i32, last: i32): void {
  const plan = changetype<Plan>(address);
  for (let q = <usize>first; q < <usize>last; q++) {
    const offset = <usize>plan.offsets + (q << 2);
    const from = <usize>load<u32>(offset) << 3;
    const to = <usize>load<u32>(offset, 4) << 3;
    const weight = load<f64>(<usize>plan.weights + (q << 3));
    store<f64>(<usize>plan.totals + (q << 3), from == to ? 0 : ofQuery(plan, from, to, weight));
  }
}

/** Returns the weight of all pairs of the query. */
function ofQuery(plan: Plan, from: usize, to: usize, weight: f64): f64 {
  const labels = <usize>plan.labels;
  const factors = <usize>plan.factors;
  const out = <usize>plan.potentials;
  scale(factors, from, to);
  let total: f64 = 0;
  let lower: f64 = 0; // sum over documents of lower labels of their factors
  let same: f64 = 0;
  let label = load<f64>(labels + from);
  for (let k = from; k < to; k += 8) {
    const next = load<f64>(labels + k);
    if (next != label) {
      lower += same;
      same = 0;
      label = next;
    }
    const factor = load<f64>(factors + k);
    same += factor;
    const potential = (weight / factor) * lower;
    store<f64>(out + k, potential);
    total += potential;
  }
  let higher: f64 = 0; // sum over documents of higher labels of 1 / factor
  same = 0;
  for (let k = to; k > from; ) {
    k -= 8;
    const next = load<f64>(labels + k);
    if (next != label) {
      higher += same;
      same = 0;
      label = next;
    }
    const factor = load<f64>(factors + k);
    same += 1 / factor;
    store<f64>(out + k, load<f64>(out + k) - weight * factor * higher);
  }
  return total;
}

@inline function scale(factors: usize, from: usize, to: usize): void {
  let least = load<f64>(factors + from);
  let most = least;
  for (let k = from + 8; k < to; k += 8) {
    const factor = load<f64>(factors + k);
    least = min(least, factor);
    most = max(most, factor);
  }
  if (most < LARGEST && least > 1 / LARGEST) return;
  const centre = 1 / (sqrt(least) * sqrt(most));
  for (let k = from; k < to; k += 8) store<f64>(factors + k, load<f64>(factors + k) * centre);
}
