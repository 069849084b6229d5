/** Formats of the engines, there and back. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { engineScorer } from '#listwise/interop/engines/engine-scorer.js';
import { findEngine, ruleFor } from '#listwise/interop/engines/find-rules.js';
import { nextAbove, nextBelow } from '#listwise/interop/float32.js';
import { hasNoSlackless, SOLR_SLACK, withoutSlack } from '#listwise/interop/written-node.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { LARGEST_THRESHOLD } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { documents, wholeEnsemble, zeroWhereMissing } from '../ensembles.js';
import { fuzzedLinear, fuzzedNet } from './fuzzed.js';
import { stump } from './stump.js';

const names = ['bm25', 'title', 'age', 'clicks', 'length'];
const model = wholeEnsemble(3, { features: 5, leaves: [31, 7, 1, 40], grid: 30, skew: 0.2 }, names);
const rows = documents(3, 2000, model);

function written(given: Ranker, to: string, engine?: string): string | Uint8Array {
  const rule = engine === undefined ? undefined : ruleFor(findEngine(engine), given.kind, to);
  return exportModel(given, { to, rule }).files[0]!.content;
}

describe('there and back', () => {
  it.each(['elasticsearch', 'lightgbm-dump', 'xgboost', 'xgboost-ubj', 'xgboost-raw'])('%s scores the same', to => {
    const back = importModel(written(model, to)).model;
    expect(back.featureNames).toEqual(names);
    // LightGBM takes tiny values for zero.
    const given = to === 'lightgbm-dump' ? rows.map(row => row.map(x => (Math.abs(x) < 1e-35 ? 0 : x))) : rows;
    expect(given.map(row => back.scoreRow(row))).toEqual(given.map(row => model.scoreRow(row)));
  });

  it('solr scores the same where missing values are zeros, and from 9.2 on where they are not', () => {
    // No number with 1e-6 added is -1 in 32 bits.
    const solvable = (given: typeof model) =>
      given.with({
        trees: given.trees.map(tree => ({ ...tree, threshold: tree.threshold.map(t => (hasNoSlackless(t) ? 3 : t)) })),
      });
    for (const [given, engine] of [
      [solvable(zeroWhereMissing(model)), 'solr@8.11'],
      [solvable(model), 'solr@9.2'],
    ] as const) {
      expect(exportModel(given, { to: 'solr', rule: ruleFor(findEngine(engine), 'trees') }).losses).toEqual([]);
      const back = importModel(written(given, 'solr', engine)).model;
      expect(rows.map(row => back.scoreRow(row))).toEqual(rows.map(row => given.scoreRow(row)));
    }
  });

  it.each([fuzzedLinear(), fuzzedNet()])('solr: $kind', given => {
    const back = importModel(written(given, 'solr')).model;
    const row = [1, 2, 3, 4, 5, 6];
    expect(back.kind).toBe(given.kind);
    expect(back.scoreRow(row)).toBeCloseTo(given.scoreRow(row), 5);
  });
});

describe('normalisers of Solr', () => {
  const norm = (name: string, params: object) => ({ class: `org.apache.solr.ltr.norm.${name}`, params });
  const file = (kind: string, features: object[]) =>
    JSON.stringify({
      class: `org.apache.solr.ltr.model.${kind}`,
      name: 'm',
      features,
      params: { weights: { a: 2, b: 3, c: 1 } },
    });
  const features = [
    { name: 'a', norm: norm('StandardNormalizer', { avg: '10', std: '4' }) },
    { name: 'b', norm: norm('MinMaxNormalizer', { min: '-1', max: '1' }) },
    { name: 'c' },
  ];

  it('are part of a linear model, and of what is written from it', () => {
    const { model: found } = importModel(file('LinearModel', features));
    expect(found.scoreRow([14, 0, 5])).toBe(2 * 1 + 3 * 0.5 + 5);
    expect(found.scoreRow([Number.NaN, Number.NaN, Number.NaN])).toBe(2 * -2.5 + 3 * 0.5);
    const back = importModel(exportModel(found, { to: 'solr' }).files[0]!.content).model;
    expect(back.scoreRow([14, 0, 5]) - back.scoreRow([10, 1, 0])).toBeCloseTo(
      found.scoreRow([14, 0, 5]) - found.scoreRow([10, 1, 0]),
      5,
    );
  });

  const standardised = new LinearModel({
    featureNames: ['a', 'b', 'c'],
    weights: [2, 3, -1],
    standardise: { mean: [10, -0.1, 3], scale: [4, 0.3, -7] },
    missing: [0, 0, 0],
  });

  it.each([
    ['solr@9.5', 'solr'],
    ['elasticsearch-ltr@8.15', 'linear'],
    ['opensearch@2.19', 'linear'],
  ])('are written for %s, with the weights as they are, and nothing is lost', (engine, to) => {
    const rule = ruleFor(findEngine(engine), 'linear', to);
    const { files, losses } = exportModel(standardised, { to, rule, body: 'm' });
    expect(losses).toEqual([]);
    const body = JSON.parse(String(files[0]!.content));
    const there = engineScorer(standardised, rule);
    const [mean, scale] = [
      [10, Math.fround(-0.1), 3],
      [4, Math.fround(0.3), 7],
    ];
    if (to === 'solr') {
      expect(body.params.weights).toEqual({ a: 2, b: 3, c: 1 });
      expect(body.features[1].norm.params).toEqual({ avg: '-0.1', std: '0.3' });
      const back = importModel(String(files[0]!.content)).model;
      expect(back.scoreRow([14, 2, 5])).toBeCloseTo(standardised.scoreRow([14, 2, 5]), 5);
    } else {
      expect(JSON.parse(body.model.model.definition)).toEqual({ a: 2, b: 3, c: 1 });
      const written = body.model.model.feature_normalizers;
      expect(Object.keys(written)).toEqual(['a', 'b', 'c']);
      expect(written.b).toEqual({ standard: { mean: mean[1], standard_deviation: scale[1] } });
    }
    // In the engines: 32 bits throughout.
    const f32 = Math.fround;
    for (const row of [
      [14, 2, 5],
      [0, Number.NaN, -1],
      [3.3, 0.7, 1e6],
    ]) {
      const by = [2, 3, 1].reduce((sum, weight, f) => {
        const value = f32(Number.isNaN(row[f]) ? 0 : row[f]!);
        return f32(sum + f32(weight * f32(f32(value - mean[f]!) / scale[f]!)));
      }, 0);
      expect(there.score(row)).toBe(by);
    }
  });

  it('are folded into weights where an engine has none', () => {
    const rule = ruleFor(findEngine('elasticsearch-ltr@7.6'), 'linear', 'linear');
    const { files, losses } = exportModel(standardised, { to: 'linear', rule, body: 'm' });
    expect(losses).toEqual([expect.stringMatching(/no intercept/)]);
    expect(JSON.parse(String(files[0]!.content)).model.model.feature_normalizers).toBeUndefined();
  });

  it('are refused where they are unknown, and beside other models', () => {
    const other = [{ name: 'a', norm: norm('LogNormalizer', {}) }, { name: 'b' }, { name: 'c' }];
    expect(() => importModel(file('LinearModel', other))).toThrow(/no normaliser "LogNormalizer"/);
    expect(() => importModel(file('MultipleAdditiveTreesModel', features))).toThrow(/normalisers/);
  });
});

describe('Elasticsearch', () => {
  it('gets the trees gzipped in base 64, and an extractor for each feature', () => {
    const body = JSON.parse(String(written(model, 'elasticsearch')));
    const { trained_model } = JSON.parse(gunzipSync(Buffer.from(body.compressed_definition, 'base64')).toString());
    expect(trained_model.ensemble.feature_names).toEqual(names);
    expect(trained_model.ensemble.trained_models).toHaveLength(model.trees.length + 1);
    expect(body.inference_config.learning_to_rank.feature_extractors).toHaveLength(names.length);
    expect(body.input.field_names).toEqual(names);
  });

  it('refuses what is not gzip, and other targets than regression', () => {
    expect(() => importModel('{"compressed_definition": "AAAA"}')).toThrow(/not gzip in base 64/);
    const tree = {
      feature_names: ['x'],
      tree_structure: [{ node_index: 0, leaf_value: [1] }],
      target_type: 'classification',
    };
    expect(() => importModel(JSON.stringify({ trained_model: { tree } }), { from: 'elasticsearch' })).toThrow(
      /regression/,
    );
  });
});

describe('the slack of Solr', () => {
  const withSlack = (written: number) => Math.fround(written + SOLR_SLACK);

  it('is solved, or nothing solves it', () => {
    const random = new Random(1, 'thresholds');
    let none = 0;
    for (let i = 0; i < 20_000; i++) {
      const threshold = Math.fround(random.gaussian() * 10 ** (random.below(16) - 8));
      const solved = withoutSlack(threshold);
      expect(withSlack(solved)).toBeGreaterThanOrEqual(threshold);
      expect(withSlack(nextBelow(solved))).toBeLessThan(threshold);
      if (withSlack(solved) === threshold) continue;
      none++;
      // Sums grow with what is added to: if the next below is too small, there is none.
      expect(hasNoSlackless(threshold)).toBe(true);
    }
    expect(none).toBeGreaterThan(0);
  });

  it('is a loss where nothing solves it, and values at the threshold go left nevertheless', () => {
    const at = stump({ threshold: -1, missingLeft: false, left: 10, right: 20 });
    expect(hasNoSlackless(-1)).toBe(true);
    const { losses } = exportModel(at, { to: 'solr' });
    expect(losses).toEqual([expect.stringMatching(/1 threshold there is no number/)]);
    const back = importModel(written(at, 'solr')).model;
    expect([-1, nextAbove(-1), nextAbove(nextAbove(-1))].map(x => back.scoreRow([x]))).toEqual([10, 10, 20]);
  });
});

describe('a threshold with all values on the left', () => {
  const all = stump({ threshold: LARGEST_THRESHOLD, missingLeft: false, left: 10, right: 20 });
  it.each(['xgboost', 'xgboost-ubj', 'xgboost-raw', 'elasticsearch', 'lightgbm-dump'])('is held by %s', to => {
    const back = importModel(written(all, to)).model;
    expect([3e38, -3e38, Number.NaN].map(x => back.scoreRow([x]))).toEqual([10, 10, 20]);
  });
});

describe('model/xgboost+json+raw', () => {
  it('o19s #500: keeps all digits, and has leaves where the engines read them', () => {
    const digits = stump({ threshold: Math.fround(0.1 + 1e-8), missingLeft: true, left: 1 / 3, right: -1 / 3 });
    const { learner } = JSON.parse(String(written(digits, 'xgboost-raw')));
    const [tree] = learner.gradient_booster.model.trees;
    expect(Math.fround(tree.split_conditions[0])).toBe(nextAbove(Math.fround(0.1 + 1e-8)));
    expect(tree.base_weights.slice(1).map(Math.fround)).toEqual([Math.fround(1 / 3), -Math.fround(1 / 3)]);
    expect(learner.feature_names).toEqual(['x']);
    expect(learner.objective.name).toBe('rank:pairwise');
  });
});
