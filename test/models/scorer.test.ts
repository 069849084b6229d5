import { setFlagsFromString } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { scorer } from '#listwise/models/scorer.js';
import { PlainTrees } from '#listwise/models/trees/score-trees.reference.js';
import { type EnsembleShape, randomEnsemble, randomRows } from './random-trees.js';

const shape: EnsembleShape = { features: 3, leaves: [8, 31, 2, 300], grid: 30, skew: 0.2, zeroMissing: 0.3 };
const names = ['1', '2', '3'];
const standardise = { mean: [0.1, 0.2, 0.3], scale: [1, 2, 3] };
const models: Record<string, Ranker> = {
  trees: randomEnsemble(1, shape),
  'trees with 32-bit sums': randomEnsemble(1, { ...shape, sums: 'float32' }),
  linear: new LinearModel({ featureNames: names, weights: [0.3, -1.7, 2.1], bias: 0.7, standardise }),
  net: new NetModel({
    featureNames: names,
    hidden: [3, 2],
    activation: 'tanh',
    standardise,
    parameters: Array.from({ length: 3 * 3 + 3 + 3 * 2 + 2 + 2 + 1 }, (_, i) => Math.sin(7 * i)),
  }),
};
const rows = randomRows(2, 100, shape, 0.1);
const reference = (model: Ranker) =>
  Float64Array.from({ length: 100 }, (_, i) => model.scoreRow(rows.subarray(3 * i, 3 * i + 3)));

describe.each(Object.entries(models))('scorer of %s', (_, model) => {
  const { score, featureNames } = scorer(model);

  it('scores each document as the reference does, to the bit', () => {
    expect(featureNames).toBe(model.featureNames);
    expect(score(rows, 100)).toEqual(reference(model));
    expect(score(rows.subarray(0, 21), 7)).toEqual(reference(model).subarray(0, 7));
    expect(score(new Float32Array(0), 0)).toEqual(new Float64Array(0));
  });

  it('fills the same array again, or that of the caller', () => {
    expect(score(rows, 100)).toBe(score(rows, 100));
    const out = new Float64Array(101).fill(-1);
    expect(score(rows, 100, out)).toBe(out);
    expect(out.at(-1)).toBe(-1);
    expect(out.subarray(0, 100)).toEqual(reference(model));
  });

  it('leaves next to nothing for the garbage collector', () => {
    const calls = 2000;
    const some = rows.subarray(0, 30);
    const growth = () => {
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < calls; i++) score(some, 10);
      return process.memoryUsage().heapUsed - before;
    };
    // Code that is not compiled yet keeps numbers as objects. Compiled in this thread, not beside it, what a function
    // becomes does not depend on how busy the machine is. One object a call would be 16 bytes or more. A round in which
    // memory is cleared tells nothing.
    setFlagsFromString('--no-concurrent-recompilation');
    let least = Number.POSITIVE_INFINITY;
    const until = performance.now() + 20_000;
    while (least > 8 * calls && performance.now() < until) {
      const bytes = growth();
      if (bytes >= 0) least = Math.min(least, bytes);
    }
    expect(least).toBeLessThanOrEqual(8 * calls);
  });

  it('refuses arrays of the wrong size', () => {
    expect(() => score(rows, 99)).toThrow('300 values for 99 documents of 3 features; there must be 297');
    expect(() => score(rows, 100, new Float64Array(99))).toThrow('room for 99 scores of 100 documents');
  });
});

describe('trees without the kernel', () => {
  it.each([models.trees!, models['trees with 32-bit sums']!])('score rows and blocks alike', model => {
    const plain = new PlainTrees(features => model.scoreRow(features), 3);
    const out = new Float64Array(100);
    plain.scoreRows(rows, 100, out);
    expect(out).toEqual(reference(model));
    const columns = Float32Array.from({ length: 300 }, (_, at) => rows[3 * (at % 100) + Math.floor(at / 100)]!);
    plain.scoreBlock({ rows: 100, stride: 100, data: columns }, Int32Array.of(0, 1, 2), 0, out.fill(0));
    expect(out).toEqual(reference(model));
    const absent = Float64Array.from({ length: 100 }, (_, i) => model.scoreRow([rows[3 * i]!, Number.NaN, 0.5]));
    const block = { rows: 100, stride: 100, data: columns.map((value, at) => (at < 200 ? value : 0.5)) };
    plain.scoreBlock(block, Int32Array.of(0, -1, 2), Number.NaN, out.fill(0));
    expect(out).toEqual(absent);
  });
});
