import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseModel, printModel } from '#listwise/models/model-file.js';
import { readObject } from '#listwise/models/model-json.js';
import { type Tree, TreesModel } from '#listwise/models/trees/trees.js';
import { randomEnsemble } from './random-trees.js';

describe('model files of trees', () => {
  it('read back exactly', () => {
    const shape = fc.record({
      features: fc.constant(4),
      leaves: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 4 }),
      grid: fc.constantFrom(5, 1000),
      skew: fc.constant(0.2),
      sums: fc.constantFrom('float32', 'float64'),
      zeroMissing: fc.constantFrom(0, 0.5),
      categories: fc.record({ share: fc.constantFrom(0, 0.5), levels: fc.constantFrom(3, 300) }),
    });
    fc.assert(
      fc.property(shape, fc.boolean(), fc.nat(), (given, narrow, seed) => {
        const random = randomEnsemble(seed, given);
        const trees = random.trees.map(tree => ({ ...tree, value: narrow ? tree.value.map(Math.fround) : tree.value }));
        const model = new TreesModel({ ...random, trees });
        const read = parseModel(printModel(model));
        if (!(read instanceof TreesModel)) throw new Error(read.kind);
        expect([read.base, read.sums]).toEqual([model.base, model.sums]);
        const plain = ({ zeroMissing, ...tree }: Tree): Tree => ({
          ...tree,
          threshold: tree.threshold.map(value => value + 0), // JSON has no minus zero, which is the same threshold
          ...(zeroMissing?.includes(1) ? { zeroMissing } : {}),
        });
        expect(read.trees).toEqual(trees.map(plain));
      }),
    );
  });

  it.each([
    [[{ node: 9, levels: [1] }], 'has node 9 of a tree; it must have a node from 0 to 2'],
    [
      [
        { node: 1, levels: [1] },
        { node: 1, levels: [2] },
      ],
      'has node 1 of a tree; it must have a node from 0 to 2, each once',
    ],
    [[{ node: 1, levels: [1.5] }], 'node 1 of a tree holds level 1.5; it must be a whole number from 0'],
    [[{ node: 1, levels: [2 ** 24] }], 'node 1 of a tree holds level 16777216'],
    [[{ node: 1 }], '"levels" must be an array'],
    [7, '"leftLevels" must be an array of objects'],
  ])('refuse sets of levels that are none: %j', (leftLevels, reason) => {
    const json = randomEnsemble(1, { features: 2, leaves: [4], grid: 5, skew: 0 }).toJSON();
    const [tree] = json.trees as object[];
    expect(() => readObject({ ...json, trees: [{ ...tree, leftLevels }] }, 'm', true)).toThrow(reason);
  });

  it('write 32-bit numbers with their own digits', () => {
    const { trees, featureNames } = randomEnsemble(1, { features: 1, leaves: [2], grid: 5, skew: 0 });
    const model = new TreesModel({
      featureNames,
      trees: [{ ...trees[0]!, value: Float64Array.of(Math.fround(0.1), 2) }],
    });
    expect(printModel(model)).toContain('"value":[0.1,2]');
    const wide = new TreesModel({ featureNames, trees: [{ ...trees[0]!, value: Float64Array.of(0.1, 2) }] });
    expect(printModel(wide)).not.toContain('"values"');
    expect(parseModel(printModel(wide)).scoreRow([Number.NaN])).toBe(wide.scoreRow([Number.NaN]));
  });
});
