/** Trees in every format score as the target's own rule has it, and come back the same. */
import { describe, expect, it } from 'vitest';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import type { EnsembleShape } from '../models/random-trees.js';
import { documents, wholeEnsemble, zeroWhereMissing } from './ensembles.js';
import { dumpRule, lightgbmRule, ranklibRule, xgboostRule } from './evaluators.js';

const shape: EnsembleShape = { features: 6, leaves: [31, 7, 1, 2, 64, 12], grid: 40, skew: 0.3 };
const names = ['bm25', 'title', 'age', 'clicks', 'length', 'rank'];
const DOCUMENTS = 3000;

function textOf(model: TreesModel, to: string): string {
  const { files, losses } = exportModel(model, { to });
  expect(losses).toEqual([]);
  return String(files[0]!.content);
}

function expectScores(
  model: TreesModel,
  rule: (columns: readonly number[]) => number,
  columns = (row: readonly number[]) => row,
  zero = 0,
) {
  const rows = documentsOf(1, model, zero);
  const scores = rows.map(row => model.scoreRow(row));
  expect(rows.map(row => rule(columns([...row])))).toEqual(scores);
  expect(new Set(scores).size).toBeGreaterThan(100);
}

/** Values up to `zero` from zero are zero. */
function documentsOf(seed: number, model: TreesModel, zero = 0): Float32Array[] {
  return documents(seed, DOCUMENTS, model).map(row => row.map(x => (Math.abs(x) <= zero ? 0 : x)));
}

/** SVMlight's numbers are columns: the first, 0, is empty. */
const from1 = (row: readonly number[]) => [Number.NaN, ...row];

interface Case {
  to: string;
  make(seed: number, names?: readonly string[]): TreesModel;
  rule(text: string): (columns: readonly number[]) => number;
  columns: (row: readonly number[]) => readonly number[];
  /** Up to where a value counts as zero there; such values are left out where models go there. */
  zero?: number;
}

const any: Case['make'] = (seed, given) => wholeEnsemble(seed, shape, given);
const cases: Case[] = [
  {
    to: 'lightgbm',
    make: (seed, given) => wholeEnsemble(seed, { ...shape, zeroMissing: 0.3 }, given),
    rule: lightgbmRule,
    columns: from1,
    zero: Math.fround(1e-35),
  },
  { to: 'xgboost', make: any, rule: xgboostRule, columns: from1 },
  { to: 'xgboost-dump', make: any, rule: text => dumpRule(text, ['1', '2', '3', '4', '5', '6']), columns: row => row },
  { to: 'ranklib', make: (seed, given) => zeroWhereMissing(any(seed, given)), rule: ranklibRule, columns: row => row },
];

describe.each(cases)('$to', ({ to, make, rule, columns, zero }) => {
  it('scores as here, by its own rule', () => {
    for (const seed of [1, 2]) {
      const model = make(seed);
      expectScores(model, rule(textOf(model, to)), columns, zero);
    }
  });

  it('comes back as the same trees', () => {
    const model = make(3);
    const back = importModel(textOf(model, to)).model;
    if (!(back instanceof TreesModel)) throw new Error(back.kind);
    const used = new Set(model.trees.flatMap(tree => [...tree.feature]));
    expect(used.size).toBe(6);
    expect(back.featureNames).toEqual(model.featureNames);
    expect(back.base).toBe(model.base);
    const rows = documentsOf(4, model, zero);
    expect(rows.map(row => back.scoreRow(row))).toEqual(rows.map(row => model.scoreRow(row)));
    expect(textOf(back, to)).toBe(textOf(importModel(textOf(back, to)).model as TreesModel, to));
  });

  it('adds up real values as the format does, to the bit', () => {
    const model = make(5);
    const real = new TreesModel({
      featureNames: model.featureNames,
      base: 0.1,
      trees: model.trees.map(tree => ({ ...tree, value: tree.value.map(value => value / 37) })),
    });
    const text = textOf(real, to);
    const back = importModel(text).model;
    const evaluate = rule(text);
    const rows = documents(6, DOCUMENTS, model);
    expect(rows.map(row => back.scoreRow(row))).toEqual(rows.map(row => evaluate(columns([...row]))));
    const differences = documentsOf(6, model, zero).map(row => Math.abs(back.scoreRow(row) - real.scoreRow(row)));
    expect(Math.max(...differences)).toBeLessThan(1e-5);
  });

  it('keeps names, or counts features in the order of a feature set', () => {
    const model = make(7, names);
    const featureSet = ['spare', ...[...names].reverse()];
    const { files } = exportModel(model, { to, featureSet });
    const back = importModel(String(files[0]!.content), { featureSet }).model;
    expect(back.featureNames).toEqual(featureSet);
    const rows = documentsOf(8, model, zero).slice(0, 200);
    const placed = rows.map(row => featureSet.map(name => (name === 'spare' ? 5 : row[names.indexOf(name)]!)));
    expect(placed.map(row => back.scoreRow(row))).toEqual(rows.map(row => model.scoreRow(row)));
    expect(() => exportModel(model, { to, featureSet: names.slice(1) })).toThrow(/the feature set lacks "bm25"/);
  });
});

describe('decimals, which LightGBM reads with 64 bits', () => {
  const random = new Random(6);
  const decimal = () => (random.below(2001) - 1000) / 100;
  const rows = Array.from({ length: DOCUMENTS }, () => Array.from({ length: 6 }, decimal));

  it('go there as here with a model from here', () => {
    const model = wholeEnsemble(2, shape);
    for (const { threshold } of model.trees) threshold.set(Array.from(threshold, decimal));
    const rule = lightgbmRule(textOf(model, 'lightgbm'));
    expect(rows.map(row => rule(from1(row)))).toEqual(rows.map(row => model.scoreRow(row)));
  });

  it('go here as there with a model of LightGBM, whose thresholds are the middle of two', () => {
    const text = textOf(wholeEnsemble(3, shape), 'lightgbm').replace(/^threshold=.*$/gm, line =>
      line.replace(/[^= ]+(?= |$)/g, () => {
        const middle = (decimal() + decimal()) / 2;
        return String(middle + 2e-16 * Math.abs(middle));
      }),
    );
    const rule = lightgbmRule(text);
    const { model } = importModel(text);
    expect(rows.map(row => model.scoreRow(row))).toEqual(rows.map(row => rule(from1(row))));
  });
});

describe('values beside zero, which count as zero in LightGBM', () => {
  it('go where zero goes', () => {
    const near = ['-1.0000000180025095e-35', '1.0000000180025095e-35', '0', '1e-40', '-1e-40', '-0'];
    near.push('2.000000036005019e-35', '-2.000000036005019e-35');
    let at = 0;
    const text = textOf(wholeEnsemble(4, { ...shape, zeroMissing: 0.3 }), 'lightgbm').replace(
      /^threshold=.*$/gm,
      line => line.replace(/[^= ]+(?= |$)/g, () => near[at++ % near.length]!),
    );
    const model = importModel(text).model;
    const rule = lightgbmRule(text);
    const values = near
      .flatMap(one => [Number(one), 1.00001 * Number(one), 0.99999 * Number(one)])
      .concat(Number.NaN, 1);
    const random = new Random(3);
    const rows = Array.from({ length: DOCUMENTS }, () =>
      Float32Array.from({ length: 6 }, () => values[random.below(values.length)]!),
    );
    expect(rows.map(row => model.scoreRow(row))).toEqual(rows.map(row => rule(from1([...row]))));
  });

  it('are a loss where thresholds are among them', () => {
    const model = wholeEnsemble(1, shape);
    model.trees[0]!.threshold[0] = 1e-40;
    expect(exportModel(model, { to: 'lightgbm' }).losses).toEqual([
      '1 threshold of the model is within 1e-35 of zero; LightGBM takes values there for zero',
    ]);
  });
});

describe('what a format cannot hold', () => {
  it.each(['xgboost', 'xgboost-dump', 'ranklib', 'onnx'])('zeros that are missing, in %s', to => {
    const { losses } = exportModel(zeroWhereMissing(wholeEnsemble(1, { ...shape, zeroMissing: 0.3 })), { to });
    expect(losses).toEqual([expect.stringMatching(/^zeros count as missing in \d+ splits of the model/)]);
  });

  it('missing values, in RankLib', () => {
    const { losses } = exportModel(wholeEnsemble(1, shape), { to: 'ranklib' });
    expect(losses).toEqual([
      expect.stringMatching(/^missing values count as 0 there; \d+ splits of the model send them/),
    ]);
  });

  it('names with blanks, in LightGBM; brackets, in XGBoost', () => {
    const model = (name: string) => wholeEnsemble(1, shape, [name, ...names.slice(1)]);
    expect(() => exportModel(model('title length'), { to: 'lightgbm' })).toThrow(/found "title length"/);
    expect(() => exportModel(model('a<b'), { to: 'xgboost' })).toThrow(/found "a<b"/);
  });
});

describe('an offset', () => {
  it.each(cases)('raises every score in $to', ({ to, make, zero }) => {
    const model = make(9);
    const { files } = exportModel(model, { to, offset: 'auto' });
    const back = importModel(String(files[0]!.content)).model;
    const raised = documentsOf(1, model, zero).map(row => back.scoreRow(row) - model.scoreRow(row));
    expect(new Set(raised).size).toBe(1);
    const least = model.trees.reduce((sum, tree) => sum + Math.min(...tree.value), model.base);
    expect(raised[0]).toBe(-least);
  });

  it('keeps scores at 0 or above with sums of 32 bits, too', () => {
    const none = new Int32Array(0);
    const leaf = (value: number) => ({
      feature: none,
      left: none,
      right: none,
      threshold: new Float32Array(0),
      missingLeft: new Uint8Array(0),
      value: Float64Array.of(value),
      gain: new Float64Array(0),
      documents: new Float64Array(0),
    });
    // 300 times -0.3 is not below -90 in 64 bits, and is in 32.
    for (const value of [-0.1, -0.7, -0.3, -1 / 3]) {
      const trees = Array.from({ length: 300 }, () => leaf(value));
      const { files } = exportModel(new TreesModel({ featureNames: ['a'], trees }), { to: 'ranklib', offset: 'auto' });
      expect(ranklibRule(String(files[0]!.content))([0])).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('a split of missing values from all others', () => {
  const rows = [0, -3.4e38, 3.4028235e38, Number.NaN].map(value => Float32Array.of(value));
  const split = (missingLeft: number): TreesModel => {
    const [left, right] = [Int32Array.of(~0), Int32Array.of(~1)];
    const tree = { feature: Int32Array.of(0), threshold: Float32Array.of(3.4028235e38), left, right };
    const leaves = { value: Float64Array.of(1, 2), gain: Float64Array.of(0), documents: Float64Array.of(0) };
    const trees = [{ ...tree, ...leaves, missingLeft: Uint8Array.of(missingLeft) }];
    return new TreesModel({ featureNames: ['a'], trees, sums: 'float32' });
  };

  it.each([0, 1])('is written to JSON without an infinity and comes back (missing left: %d)', missingLeft => {
    const model = split(missingLeft);
    const text = textOf(model, 'xgboost-dump');
    expect(JSON.parse(text)).toHaveLength(1);
    expect(rows.map(row => dumpRule(text, ['a'])([...row]))).toEqual(rows.map(row => model.scoreRow(row)));
    const again = importModel(Buffer.from(text)).model;
    expect(rows.map(row => again.scoreRow(row))).toEqual(rows.map(row => model.scoreRow(row)));
  });

  it.each(['-Infinity', '-3.4028235e38'])('at %s, which is above no value, is read', condition => {
    const leaves = '"children":[{"nodeid":1,"leaf":1.0},{"nodeid":2,"leaf":2.0}]';
    const text = `[{"nodeid":0,"depth":0,"split":"a","split_condition":${condition},"yes":1,"no":2,"missing":1,${leaves}}]`;
    const { model } = importModel(Buffer.from(text));
    expect(rows.map(row => model.scoreRow(row))).toEqual([2, 2, 2, 1]);
  });
});
