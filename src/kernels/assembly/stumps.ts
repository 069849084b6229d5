// asc: --sharedMemory --maximumMemory 65536 --enable threads
// What RankBoost chooses its stumps by: potentials of documents, added up by bin.

import { BINS, TILE_COLUMNS } from './layouts/boosting';

const FEATURE_BYTES: usize = BINS << 3;

@inline function add(sums: usize, bin: u64, potential: f64): void {
  const at = sums + (<usize>bin << 3);
  store<f64>(at, load<f64>(at) + potential);
}

/**
 * Potentials by bin of eight features, one after the other; a document has a byte for each. Eight at a time: sums of
 * one feature would wait for each other where neighbours share a bin.
 */
export function sumByBin(bins: usize, n: i32, potentials: usize, sums: usize): void {
  memory.fill(sums, 0, TILE_COLUMNS * FEATURE_BYTES);
  for (const end = bins + (<usize>n << 3); bins < end; bins += 8) {
    const eight = load<u64>(bins);
    const potential = load<f64>(potentials);
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
