import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whyAbove } from '#listwise/analysis/why-documents.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import { scoreData } from '#listwise/models/ranker.js';
import { leafOf, type Tree, TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { randomEnsemble } from '../models/random-trees.js';
import { separable } from '../training/small-data.js';

const data = separable(3, 10, 3);
const { featureNames } = data;
const start = data.offsets[1]!;
const id = (i: number) => data.documentId(start + i);
const sum = (parts: readonly { readonly adds: number }[]) => parts.reduce((total, { adds }) => total + adds, 0);

describe('two documents under trees', () => {
  it('differ by what the trees, and the features, add; whatever the trees', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(9), fc.nat(9), (seed, a, b) => {
        fc.pre(a !== b);
        const shape = { features: 3, leaves: [5, 1, 8, 40], grid: 9, skew: 0.5, zeroMissing: 0.3 };
        const model = new TreesModel({ featureNames, base: 3, trees: randomEnsemble(seed, shape).trees });
        const scores = scoreData(model, data);
        const { difference, features, trees, documents } = whyAbove(model, data, 'q1', [id(a), id(b)]);
        expect(difference).toBe(scores[start + a]! - scores[start + b]!);
        expect(sum(trees!)).toBeCloseTo(difference, 10);
        expect(sum(features)).toBeCloseTo(difference, 10);
        expect(documents.map(({ score }) => score)).toEqual([scores[start + a], scores[start + b]]);
        const row = (i: number) => featureNames.map((_, f) => data.feature(start + i, f));
        for (const { tree, values, feature } of trees!) {
          const own: Tree = model.trees[tree - 1]!;
          const leaves = [leafOf(own, row(a)), leafOf(own, row(b))] as const;
          expect(values).toEqual(leaves.map(leaf => own.value[leaf]));
          expect(feature === undefined).toBe(leaves[0] === leaves[1]);
        }
        const sizes = trees!.map(({ adds }) => Math.abs(adds));
        expect(sizes).toEqual(sizes.toSorted((x, y) => y - x));
      }),
      { numRuns: 40 },
    );
  });

  it('part at the first split that sends them different ways', () => {
    // Feature 0 at the root, feature 1 on its right; leaves 1, 4, 10.
    const tree: Tree = {
      feature: Int32Array.of(0, 1),
      threshold: Float32Array.of(0, 0.5),
      missingLeft: Uint8Array.of(1, 1),
      left: Int32Array.of(~0, ~1),
      right: Int32Array.of(1, ~2),
      value: Float64Array.of(1, 4, 10),
      gain: new Float64Array(2),
      documents: new Float64Array(2),
    };
    const model = new TreesModel({ featureNames: ['x', 'y'], trees: [tree] });
    expect(model.partings([-1, 0], [1, 1])).toEqual([{ split: { feature: 0, threshold: 0 }, a: 1, b: 10 }]);
    expect(model.partings([1, 0], [1, 1])).toEqual([{ split: { feature: 1, threshold: 0.5 }, a: 4, b: 10 }]);
    expect(model.partings([-1, 0], [Number.NaN, 1])).toEqual([{ split: undefined, a: 1, b: 1 }]);
  });
});

it('of a linear model differ by its weights times what the features differ by', () => {
  const model = new LinearModel({ featureNames, weights: [1, -2, 0.5], bias: 2 });
  const { difference, features, how, trees } = whyAbove(model, data, 'q1', [id(2), id(7)]);
  expect([how, trees]).toEqual(['parts', undefined]);
  for (const { feature, values, adds } of features) {
    expect(adds).toBeCloseTo([1, -2, 0.5][featureNames.indexOf(feature)]! * (values[0] - values[1]), 6);
  }
  expect(sum(features)).toBeCloseTo(difference, 6);
});

it('of a net are found by occlusion', () => {
  const random = new Random(4);
  const parameters = Float64Array.from({ length: 3 * 4 + 4 + 4 + 1 }, () => random.gaussian());
  const model = new NetModel({ featureNames, hidden: [4], activation: 'tanh', parameters });
  expect(whyAbove(model, data, 'q1', [id(2), id(7)])).toMatchObject({ how: 'occlusion' });
});

it('an unknown document is an error that suggests one', () => {
  const model = new LinearModel({ featureNames, weights: [1, 1, 1], bias: 0 });
  expect(() => whyAbove(model, data, 'q1', [id(0), `${id(3)}0`])).toThrow(
    expect.objectContaining({ code: 'option-invalid', message: expect.stringContaining('query "q1" has no document') }),
  );
});
