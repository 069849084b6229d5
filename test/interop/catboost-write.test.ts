/** Trees for CatBoost: its rule over the file that is written, and the emulator, give the scores that the model has. */
import { describe, expect, it } from 'vitest';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { engineScorer } from '#listwise/interop/engines/engine-scorer.js';
import { findEngine, ruleFor } from '#listwise/interop/engines/find-rules.js';
import { catboostNumber } from '#listwise/interop/formats/catboost-number.js';
import { LARGEST_THRESHOLD, type Tree, TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { stump } from './engines/stump.js';
import { documents, wholeEnsemble } from './ensembles.js';
import { catboostRule } from './evaluators.js';

const names = ['bm25', 'title', 'age', 'clicks', 'length'];
const shape = { features: 5, leaves: [31, 7, 1, 40], grid: 30, skew: 0.2 };
const model = wholeEnsemble(3, shape, names);
const rows = documents(3, 2000, model);
const rule = ruleFor(findEngine('catboost@1.2'), 'trees');

const write = (given: TreesModel) => {
  const { files, losses, notes } = exportModel(given, { to: 'catboost', rule });
  return { text: String(files[0]!.content), losses, notes };
};
const goesOneWay = (given: TreesModel, left: (feature: number) => boolean) =>
  given.with({
    trees: given.trees.map(tree => ({ ...tree, missingLeft: Uint8Array.from(tree.feature, f => Number(left(f))) })),
  });

describe('a file for CatBoost', () => {
  it.each([
    ['splits that differ on missing values', model],
    ['missing values on the left', goesOneWay(model, () => true)],
    ['missing values on the right', goesOneWay(model, () => false)],
    ['one way a feature', goesOneWay(model, f => f % 2 === 0)],
  ])('scores the same: %s', (_, given) => {
    const { text, losses } = write(given);
    expect(losses).toEqual([]);
    const there = catboostRule(text);
    const { score } = engineScorer(given, rule);
    const back = importModel(text).model;
    expect(back.featureNames).toEqual(names);
    for (const row of rows) {
      const here = given.scoreRow(row);
      expect([there([...row]), score(row), back.scoreRow(row)]).toEqual([here, here, here]);
    }
  });

  it('has no copies where the splits of a feature agree', () => {
    const given = goesOneWay(model, f => f % 2 === 0);
    const leaves = write(given).text.match(/"value":/g)!;
    expect(leaves).toHaveLength(given.trees.reduce((sum, tree) => sum + tree.value.length, 0));
  });

  it('has oblivious trees where it came with them', () => {
    const split = (border: number, feature: number) => ({
      split_type: 'FloatFeature',
      float_feature_index: feature,
      border,
    });
    const named = (feature_id: string, i: number) => ({ feature_index: i, flat_feature_index: i, feature_id });
    const { model: read } = importModel(
      JSON.stringify({
        features_info: { float_features: ['a', 'b'].map(named) },
        oblivious_trees: [
          { splits: [split(0.5, 0), split(2, 1), split(-1, 0)], leaf_values: [1, 2, 4, 8, 16, 32, 64, 128] },
          { splits: null, leaf_values: [3] },
        ],
      }),
    );
    if (read.kind !== 'trees') throw new Error(read.kind);
    const { text } = write(read);
    expect(JSON.parse(text).oblivious_trees[0].leaf_values).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
    expect(JSON.parse(text).trees).toBeUndefined();
    const there = catboostRule(text);
    for (const a of [-2, -1, 0, 0.5, 1, Number.NaN])
      for (const b of [1, 2, 3, Number.NaN]) expect(there([a, b])).toBe(read.scoreRow([a, b]));
  });

  it('holds a threshold with all values on the left', () => {
    const all = stump({ threshold: LARGEST_THRESHOLD, missingLeft: false, left: 10, right: 20 });
    const there = catboostRule(write(all).text);
    expect([3e38, LARGEST_THRESHOLD, -3e38, Number.NaN].map(x => there([x]))).toEqual([10, 10, 10, 20]);
  });

  it('is refused where copies would need more nodes than a tree can have', () => {
    // Every split goes left or right with another feature, in a chain: each copy holds all that is below.
    const levels = 40;
    const place = Int32Array.from({ length: levels }, (_, i) => i);
    const chain: Tree = {
      feature: place.map(i => i % 20),
      threshold: new Float32Array(levels).fill(1),
      missingLeft: Uint8Array.from(place, i => Number(i < 20)),
      left: place.map(i => (i + 1 < levels ? i + 1 : ~0)),
      right: place.map(i => ~(i + 1)),
      value: Float64Array.from({ length: levels + 1 }, (_, i) => i),
      gain: new Float64Array(levels),
      documents: new Float64Array(levels),
    };
    const many = new TreesModel({ featureNames: Array.from({ length: 20 }, (_, f) => `f${f}`), trees: [chain] });
    expect(() => write(many)).toThrow(/more than 65535 nodes in CatBoost/);
  });
});

describe('numbers in JSON as CatBoost reads them', () => {
  // Recorded from its reader of JSON.
  it.each([
    [0.1, 0.1],
    [-3, -3],
    [0.000059787652436711884, 0.00005978765243671189],
    [-2.4079449755521098e-9, -2.4079449755521093e-9],
    [-0.40074998140335083, -0.4007499814033508],
    [7.0516388284147524e-9, 7.051638828414752e-9],
  ])('%d', (written, read) => expect(catboostNumber(written)).toBe(read));

  it('are exact up to 15 digits and 22 places, and within a few of their last bits beyond', () => {
    const random = new Random(1, 'numbers');
    let moved = 0;
    for (let i = 0; i < 20_000; i++) {
      const value = random.gaussian() * 10 ** (random.below(5) - 2);
      expect(catboostNumber(Number(value.toPrecision(15)))).toBe(Number(value.toPrecision(15)));
      expect(Math.abs(catboostNumber(value) / value - 1)).toBeLessThan(2 ** -50);
      if (catboostNumber(value) !== value) moved++;
    }
    expect(moved).toBeGreaterThan(0);
  });

  it('are said to be rounded', () => {
    expect(write(model).notes).not.toContainEqual(expect.stringMatching(/rounds some leaf values/));
    const values = wholeEnsemble(3, shape, names);
    const digits = values.with({
      trees: values.trees.map(tree => ({ ...tree, value: tree.value.map(Math.cbrt) })),
    });
    expect(write(digits).notes).toContainEqual(expect.stringMatching(/rounds some leaf values/));
  });
});
