import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsOfQuery } from '#listwise/analysis/scored-query.js';
import { whyDifferent } from '#listwise/analysis/why.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { contributionsOf } from '#listwise/models/contributions.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import { type Ranker, scoreData } from '#listwise/models/ranker.js';
import { type Tree, TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { randomEnsemble } from '../models/random-trees.js';
import { separable } from '../training/small-data.js';

const data = separable(3, 10, 3);
const { featureNames } = data;
const linear = (...weights: number[]) => new LinearModel({ featureNames, weights, bias: 2 });
const random = new Random(4);
const net = new NetModel({
  featureNames,
  hidden: [4],
  activation: 'tanh',
  parameters: Float64Array.from({ length: 3 * 4 + 4 + 4 + 1 }, () => random.gaussian()),
});
const trees = new TreesModel({
  featureNames,
  trees: randomEnsemble(3, { features: 3, leaves: [5, 1, 8, 4], grid: 9, skew: 0 }).trees,
});

function expectSum(model: Ranker, rows: Float32Array, n: number): void {
  const features = model.featureNames.length;
  const { how, values } = contributionsOf(model, rows, n);
  expect(how).toBe('parts');
  const scores = Array.from({ length: n }, (_, i) => model.scoreRow(rows.subarray(i * features, (i + 1) * features)));
  const mean = scores.reduce((sum, score) => sum + score, 0) / n;
  for (const [i, score] of scores.entries()) {
    const own = values.subarray(i * features, (i + 1) * features).reduce((sum, value) => sum + value, 0);
    expect(own).toBeCloseTo(score - mean, 10);
  }
}

describe('contributions', () => {
  it('of linear models and trees add up to the score less the mean score, missing values too', () => {
    const value = fc.oneof(fc.double({ min: -5, max: 5, noNaN: true }), fc.constant(Number.NaN));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(), fc.infiniteStream(value), (n, seed, stream) => {
        const rows = Float32Array.from({ length: 3 * n }, () => stream.next().value);
        expectSum(linear(1, -2, 0.5), rows, n);
        expectSum(randomEnsemble(seed, { features: 3, leaves: [5, 1, 8, 4], grid: 9, skew: 0.5 }), rows, n);
      }),
      { numRuns: 50 },
    );
  });

  it('of a tree go to the feature of each split on the way, by means over the documents that pass', () => {
    // Feature 0 at the root, feature 1 on its right; leaves 1, 4, 10.
    const tree: Tree = {
      feature: Int32Array.of(0, 1),
      threshold: Float32Array.of(0, 0),
      missingLeft: Uint8Array.of(1, 1),
      left: Int32Array.of(~0, ~1),
      right: Int32Array.of(1, ~2),
      value: Float64Array.of(1, 4, 10),
      gain: new Float64Array(2),
      documents: new Float64Array(2),
    };
    const model = new TreesModel({ featureNames: ['x', 'y'], trees: [tree] });
    const { values } = contributionsOf(model, Float32Array.of(-1, 5, 1, -1, 1, 1, 1, 1), 4);
    // Leaf values 1, 4, 10, 10: mean 6.25; right of the root 8.
    expect([...values]).toEqual([-5.25, 0, 1.75, -4, 1.75, 2, 1.75, 2]);
  });

  it('by occlusion are the parts themselves where the model is a sum', () => {
    const model = linear(1, -2, 0.5);
    const rows = rowsOfQuery(model, data, 1);
    const hidden: Ranker = {
      kind: 'linear',
      featureNames,
      scoreBlock: model.scoreBlock.bind(model),
      scoreRows: model.scoreRows.bind(model),
      scoreRow: (features: ArrayLike<number>) => model.scoreRow(features),
      toJSON: () => model.toJSON(),
    };
    const found = contributionsOf(hidden, rows, 10);
    expect(found.how).toBe('occlusion');
    for (const [i, value] of contributionsOf(model, rows, 10).values.entries()) {
      expect(found.values[i]).toBeCloseTo(value, 6);
    }
  });

  it('by occlusion are what a net loses with the mean value of the feature', () => {
    const rows = rowsOfQuery(net, data, 0);
    const { how, values } = contributionsOf(net, rows, 10);
    expect(how).toBe('occlusion');
    const row = [...rows.subarray(0, 3)];
    const mean = Array.from({ length: 10 }, (_, i) => rows[3 * i + 1]! / 10).reduce((sum, value) => sum + value, 0);
    expect(values[1]).toBeCloseTo(net.scoreRow(row) - net.scoreRow(row.with(1, mean)), 6);
  });
});

describe('why two models differ on a query', () => {
  const measures = [parseMeasure('ndcg@3'), parseMeasure('ap')];

  it.each([
    ['linear', linear(1, 0, 0), linear(0, 1, 0)],
    ['trees and a net', trees, net],
  ])('%s: ranks, scores and measures are those of scoring and evaluation', (_, a, b) => {
    const why = whyDifferent([a, b], data, 'q1', { measures });
    const start = data.offsets[1]!;
    for (const [side, model] of [a, b].entries()) {
      const scores = scoreData(model, data);
      const own = [...scores.subarray(start, start + 10)];
      const order = own.map((_, i) => i).sort((i, j) => own[j]! - own[i]! || i - j);
      const rank = side === 0 ? 'rankA' : 'rankB';
      const score = side === 0 ? 'scoreA' : 'scoreB';
      for (const [r, i] of order.entries()) {
        const document = why.documents.find(one => one.document === data.documentId(start + i))!;
        expect(document[rank]).toBe(r + 1);
        expect(document[score]).toBeCloseTo(own[i]!, 10);
        expect(document.label).toBe(data.label()[start + i]);
      }
      const values = evaluate(data, scores, measures).map(result => result.values[1]);
      expect(why.measures.map(one => (side === 0 ? one.a : one.b))).toEqual(values);
    }
    expect(why.documents.map(({ rankB }) => rankB)).toEqual(Array.from({ length: 10 }, (_, r) => r + 1));
    for (const { moved, rankA, rankB } of why.documents) expect(moved).toBe(rankA - rankB);
  });

  it('names the features that the models weigh differently, the largest shift first', () => {
    const why = whyDifferent([linear(1, 0, 1), linear(1, 3, 1)], data, 'q0');
    expect(why.features[0]!.feature).toBe(featureNames[1]);
    for (const { features } of why.documents) {
      const sizes = features.map(({ shift }) => Math.abs(shift));
      expect(sizes).toEqual(sizes.toSorted((x, y) => y - x));
      for (const { a, b, shift } of features) expect(shift).toBe(b - a);
    }
  });

  it('finds nothing between a model and its double, which ranks alike', () => {
    const why = whyDifferent([linear(1, -1, 2), linear(2, -2, 4)], data, 'q2');
    expect(why.documents.every(({ moved }) => moved === 0)).toBe(true);
    expect(Math.max(...why.features.map(({ shift }) => shift))).toBeLessThan(1e-12);
  });

  it('an unknown query is an error that suggests one', () => {
    expect(() => whyDifferent([trees, trees], data, 'q9')).toThrow(
      expect.objectContaining({ code: 'option-invalid', message: expect.stringContaining('did you mean "q') }),
    );
  });
});
