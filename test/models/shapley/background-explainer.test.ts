import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { explainerOf } from '#listwise/models/shapley/explainer-of.js';
import { randomEnsemble, randomRows } from '../random-trees.js';
import { blockOf, close } from './block-of.js';
import { shapes, tenFeatures } from './shapes.js';
import { type Game, shapleyInteractions, shapleyValues } from './shapley.reference.js';

/** Unknown features have the values of the other documents, on average over those. */
function gameOf(model: Ranker, row: Float32Array, others: readonly Float32Array[]): Game {
  return known => {
    const scores = others.map(other =>
      model.scoreRow(row.map((value, f) => ((known & (1 << f)) === 0 ? other[f]! : value))),
    );
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  };
}

function rowsOf(flat: Float32Array, features: number): Float32Array[] {
  return Array.from({ length: flat.length / features }, (_, i) => flat.subarray(i * features, (i + 1) * features));
}

/** As `blockOf`, columns in the order of features. */
function inOrder(flat: Float32Array, features: number) {
  const n = flat.length / features;
  const data = Float32Array.from({ length: flat.length }, (_, k) => flat[(k % n) * features + Math.floor(k / n)]!);
  return { start: 0, rows: n, stride: n, data };
}

function expectDefinition(model: Ranker, flat: Float32Array, others: Float32Array): void {
  const features = model.featureNames.length;
  const explainer = explainerOf(model, inOrder(others, features));
  const { block, columns } = blockOf(flat, features);
  const width = features + 1;
  const values = new Float64Array(block.rows * width);
  const pairs = new Float64Array(block.rows * width * width);
  explainer.values(block, columns, 0, values);
  explainer.interactions(block, columns, 0, pairs);
  for (const [i, row] of rowsOf(flat, features).entries()) {
    const game = gameOf(model, row, rowsOf(others, features));
    close(values.subarray(i * width), [...shapleyValues(game, features), game(0)], 1e-10);
    const wanted = shapleyInteractions(game, features).flatMap(line => [...line, 0]);
    close(pairs.subarray(i * width * width), [...wanted, ...Array(features).fill(0), game(0)], 1e-10);
    const own = values.subarray(i * width, (i + 1) * width);
    expect(Math.abs(own.reduce((sum, value) => sum + value, 0) - model.scoreRow(row))).toBeLessThan(1e-10);
  }
}

describe('Shapley values against a background', () => {
  it('of trees are those of every subset of features', () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 1000 }), (shape, seed) => {
        const others = randomRows(seed + 1, 5, shape, 0.2);
        expectDefinition(randomEnsemble(seed, shape), randomRows(seed, 2, shape, 0.2), others);
      }),
      { numRuns: 30, examples: [[tenFeatures, 1]] },
    );
  });

  it('of a linear model are those of every subset of features', () => {
    const standardise = { mean: [0.1, 0.2, 0.3], scale: [1, 2, 3] };
    const model = new LinearModel({ featureNames: ['a', 'b', 'c'], weights: [1, -2, 3], bias: 0.7, standardise });
    const shape = { features: 3, leaves: [], grid: 9, skew: 0 };
    expectDefinition(model, randomRows(1, 4, shape, 0.2), randomRows(2, 6, shape, 0.2));
  });
});

describe('without a background', () => {
  it('linear models are compared with the mean they were standardised with', () => {
    const standardise = { mean: [1, 2], scale: [2, 4] };
    const model = new LinearModel({ featureNames: ['a', 'b'], weights: [3, 5], bias: 7, standardise });
    const explainer = explainerOf(model);
    const out = new Float64Array(3);
    explainer.values({ start: 0, rows: 1, stride: 1, data: Float32Array.of(2, 6) }, Int32Array.of(0, 1), 0, out);
    expect(explainer).toMatchObject({ how: 'mean', base: 7 });
    expect([...out]).toEqual([1.5, 5, 7]);
  });

  it('others are refused', () => {
    const model = new LinearModel({ featureNames: ['a'], weights: [3] });
    expect(() => explainerOf(model)).toThrowError(/does not know the means of its features.*`background`/);
    const parameters = [1, 2, 3, 4];
    const net = new NetModel({ featureNames: ['a'], hidden: [1], activation: 'tanh', parameters });
    expect(() => explainerOf(net)).toThrowError(/Shapley values are for sums of trees and linear models/);
  });
});
