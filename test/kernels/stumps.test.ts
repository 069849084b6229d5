// Potentials of RankBoost's kernel are sums over pairs, however far apart the scores are.
import { describe, expect, it } from 'vitest';
import { BINS, MISSING_BIN } from '#listwise/kernels/layouts/boosting.js';
import { FEATURE_SUMS } from '#listwise/kernels/layouts/stumps.js';
import { createStumpMemory, rounderOf, Stumps, StumpThresholds, stumpBins } from '#listwise/kernels/stumps.js';
import { Random } from '#listwise/numeric/random.js';

const offsets = Uint32Array.of(0, 4, 4, 7);
const labels = Float64Array.of(0, 0, 1, 3, 1, 2, 2);

function pairSums(scores: Float64Array, weights: readonly number[]): { sums: number[]; totals: number[] } {
  const sums = Array.from(scores, () => 0);
  const totals = [0, 0, 0];
  for (let q = 0; q < totals.length; q++) {
    for (let i = offsets[q]!; i < offsets[q + 1]!; i++) {
      for (let j = offsets[q]!; j < offsets[q + 1]!; j++) {
        if (labels[i]! >= labels[j]!) continue;
        const weight = weights[q]! * Math.exp(scores[i]! - scores[j]!);
        sums[i]! -= weight;
        sums[j]! += weight;
        totals[q]! += weight;
      }
    }
  }
  return { sums, totals };
}

/** Potentials, by way of a feature in which every document has a bin of its own. */
function byKernel(scores: Float64Array, weights: readonly number[], rounder = 0) {
  const memory = createStumpMemory(offsets, labels, 1)!;
  const [bins] = stumpBins(memory);
  for (let i = 0; i < labels.length; i++) bins![8 * i] = i;
  memory.weights.set(weights);
  const stumps = new Stumps(memory);
  // In ten stumps: each gives every document a tenth of its score.
  for (let step = 0; step < 10; step++) {
    for (let i = 0; i < labels.length; i++) memory.multipliers[i] = Math.exp(scores[i]! / 10);
    stumps.addStump(0, 3, 0);
    stumps.potentials(0, 3);
  }
  stumps.sumByBin(0, rounder);
  return { sums: memory.sums, totals: memory.totals };
}

describe('the kernel of RankBoost', () => {
  it.each([1, 20, 600])('adds up the weights of pairs, with scores up to %d', largest => {
    const scores = Float64Array.from(labels, (label, i) => (largest * (((7 * i) % 5) + label)) / 8);
    const weights = [0.5, 1, 2];
    const expected = pairSums(scores, weights);
    const found = byKernel(scores, weights);
    for (const [i, sum] of expected.sums.entries()) expect(found.sums[i]! / sum).toBeCloseTo(1, 9);
    for (const [q, total] of expected.totals.entries()) {
      if (total === 0) expect(found.totals[q]).toBe(0);
      else expect(found.totals[q]! / total).toBeCloseTo(1, 9);
    }
    expect(found.sums.subarray(labels.length, BINS).every(sum => sum === 0)).toBe(true);
  });

  it('rounds potentials so little that no sum of theirs is rounded', () => {
    const scores = Float64Array.from(labels, (label, i) => Math.sin(i) + label / 3);
    const { sums, totals } = byKernel(scores, [0.5, 1, 2]);
    const total = totals.reduce((sum, own) => sum + own, 0);
    const rounder = rounderOf(total);
    const rounded = byKernel(scores, [0.5, 1, 2], rounder).sums;
    const unit = 2 ** (Math.ceil(Math.log2(total)) - 51);
    for (let i = 0; i < labels.length; i++) {
      expect(Math.abs(rounded[i]! - sums[i]!)).toBeLessThanOrEqual(unit / 2);
      expect(Number.isInteger(rounded[i]! / unit)).toBe(true);
    }
  });

  it('finds the threshold that a plain look at each finds, of equals the one above most bins', () => {
    const features = 11;
    const memory = createStumpMemory(offsets, labels, features)!;
    const stumps = new Stumps(memory);
    const thresholds = new StumpThresholds(memory);
    const random = new Random(1, 'thresholds');
    for (let round = 0; round < 50; round++) {
      for (let f = 0; f < features; f++) {
        thresholds.of(f).bins = 1 + random.below(255);
        const sums = memory.sums.subarray(FEATURE_SUMS * f, FEATURE_SUMS * f + BINS);
        // Few different sums, so that there are equals; missing values now and then.
        for (let bin = 0; bin < BINS; bin++) sums[bin] = f % 4 === 0 ? 0 : random.below(5) - 2;
        if (f % 3 === 0) sums[MISSING_BIN] = 0;
      }
      stumps.thresholds(0);
      stumps.thresholds(1);
      let largest = 0;
      for (let f = 0; f < features; f++) {
        const { bins, ...found } = thresholds.of(f).read();
        const sums = memory.sums.subarray(FEATURE_SUMS * f, FEATURE_SUMS * f + BINS);
        expect(found).toEqual(plainThreshold(sums, bins));
        if (Math.abs(found.r) > Math.abs(thresholds.of(largest).r)) largest = f;
      }
      expect(thresholds.best()).toBe(largest);
    }
  });
});

function plainThreshold(sums: Float64Array, bins: number) {
  let best = { r: 0, bin: 0, missingLeft: 1 };
  let above = 0;
  for (let bin = bins - 1; bin >= 0; bin--) {
    for (const missingLeft of [1, 0]) {
      const r = missingLeft === 1 ? above : above + sums[MISSING_BIN]!;
      if (Math.abs(r) > Math.abs(best.r)) best = { r, bin, missingLeft };
    }
    above += sums[bin]!;
  }
  return best;
}
