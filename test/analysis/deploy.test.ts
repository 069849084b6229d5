/** Checks are about the file that a conversion for the engine gives, and advise what a conversion accepts. */
import { describe, expect, it } from 'vitest';
import { checkDeployment } from '#listwise/analysis/deploy-check.js';
import { verifyDeployment } from '#listwise/analysis/deploy-verify.js';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { deploymentOf } from '#listwise/interop/engines/deployment.js';
import { engineScorer } from '#listwise/interop/engines/engine-scorer.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { datasetOf } from '../data/datasets.js';
import { stump } from '../interop/engines/stump.js';

/** a, b and c come to 0.001, 0.002 and -100000. */
const spread = new TreesModel({
  featureNames: ['x'],
  trees: [
    stump({ threshold: 0, missingLeft: true, left: -100_000, right: 0 }).trees[0]!,
    stump({ threshold: 1, missingLeft: true, left: 0.001, right: 0.002 }).trees[0]!,
  ],
});
const two = datasetOf(
  [
    ['q', 0, 1],
    ['q', 1, 2],
  ],
  ['x'],
);

describe('the offset', () => {
  it('is that of the conversion: digits that it takes away are seen', () => {
    const check = checkDeployment(spread, two, { engine: 'opensearch@3.8' });
    expect(check).toMatchObject({ offset: 100_000, otherLeaf: 0, otherRank: 2 });
    expect(check.examples.map(({ score }) => score.there)).toEqual([100_000, 100_000]);
    const { rule } = check;
    const written = exportModel(spread, { to: rule.format, rule, offset: 'auto' }).files[0]!.content;
    const back = importModel(written).model;
    expect([1, 2].map(x => back.scoreRow([x]))).toEqual([100_000, 100_000]);
    expect(check.advice).toEqual([expect.stringMatching(/documents tie\. `offset: 0` is enough for this data/)]);
  });

  it.each([
    ['opensearch@3.8', '0'],
    ['elasticsearch@9.0.1', undefined],
    ['vespa@8.700', undefined],
  ])('%s with %s: none is needed', (engine, offset) => {
    const check = checkDeployment(spread, two, { engine, offset });
    // Elasticsearch raises in 64 bits and returns 32.
    expect([check.offset, check.otherRank]).toEqual([0, engine.startsWith('elastic') ? 2 : 0]);
  });

  it('ends for scores that 32 bits hold in large steps only', () => {
    const terms = Array.from({ length: 9 }, (_, i) => -1e30 * (1 + i * 1e-9));
    const trees = terms.map(left => stump({ threshold: 0, missingLeft: true, left, right: 0 }).trees[0]!);
    const { model, offset, rule } = deploymentOf('opensearch@3.8', new TreesModel({ featureNames: ['x'], trees }), {});
    expect(offset).toBeGreaterThan(8e30);
    expect(engineScorer(model, rule).score([-1])).toBeGreaterThanOrEqual(0);
  });

  it.each([undefined, '0', '100000'])('deploy verify: answers of a file written with %s are as expected', offset => {
    const { rule, model } = deploymentOf('opensearch@3.8', spread, { offset });
    const there = engineScorer(model, rule);
    const answers = [1, 2].map((x, row) => ({ query: 'q', document: two.documentId(row), score: there.score([x]) }));
    const found = verifyDeployment(spread, two, answers, { engine: 'opensearch@3.8' });
    expect(found).toMatchObject({ same: 2, other: 0, offset: offset === '0' ? 0 : 100_000 });
  });
});

describe('what Elasticsearch raises scores by', () => {
  const raised = stump({ threshold: 0, missingLeft: true, left: -2.5, right: 1 });
  const data = datasetOf(
    [
      ['q', 0, -1],
      ['q', 1, 1],
    ],
    ['x'],
  );

  it('is said, and is no difference of scores', () => {
    expect(checkDeployment(raised, data, { engine: 'elasticsearch@9.1' })).toMatchObject({
      raised: 2.5,
      offset: 0,
      largestDifference: 0,
      negative: 0,
    });
    expect(checkDeployment(raised, data, { engine: 'elasticsearch@8.18' })).toMatchObject({ raised: 0, offset: 3 });
  });
});

describe('versions beyond those that are known', () => {
  const model = stump({ threshold: 0, missingLeft: true, left: 1, right: 2 });
  const answers = [{ query: 'q', document: two.documentId(0), score: 2 }];

  it.each([
    ['opensearch@4', true],
    ['opensearch@3.9.1', true],
    ['opensearch@3.8.7', false],
    ['elasticsearch@10', true],
    ['lightgbm@4', false],
    ['xgboost@3.4.1', false],
  ])('%s: a note is %s', (engine, noted) => {
    const notes = noted ? [expect.stringMatching(/is later than .*, the newest whose rule is known here/)] : [];
    expect(checkDeployment(model, two, { engine }).notes).toEqual(notes);
    expect(verifyDeployment(model, two, answers, { engine }).notes).toEqual(notes);
  });
});

describe('linear models', () => {
  const linear = new LinearModel({ featureNames: ['x', 'y'], weights: [1, -2], bias: 0.5 });
  const data = datasetOf(
    [
      ['q', 0, 1, 2],
      ['q', 1, 2, 0],
    ],
    ['x', 'y'],
  );

  it('below 0 are told what holds an offset, which a conversion takes', () => {
    const check = checkDeployment(linear, data, { engine: 'opensearch@3.8' });
    expect(check.negative).toBe(1);
    expect(check.losses).toEqual([expect.stringMatching(/no intercept: every score is 0.5 less/)]);
    expect(check.advice).toEqual([
      '`to: ranklib` holds the intercept.',
      expect.stringMatching(/^Write the model with `to: ranklib`, which holds an intercept, and `offset: 3` or more:/),
    ]);
    const advised = checkDeployment(linear, data, { engine: 'opensearch@3.8', to: 'ranklib', offset: '3' });
    expect(advised).toMatchObject({ negative: 0, otherRank: 0, losses: [], advice: [], offset: 3 });
  });

  it.each([
    [-100, 103],
    [100, 0],
  ])('with an intercept of %s are told the offset with it: %s', (bias, offset) => {
    const far = linear.with({ bias });
    const { advice } = checkDeployment(far, data, { engine: 'opensearch@3.8' });
    expect(advice.at(-1)).toContain(`\`to: ranklib\`, which holds an intercept, and \`offset: ${offset}\` or more`);
    const options = { engine: 'opensearch@3.8', to: 'ranklib', offset: String(offset) };
    expect(checkDeployment(far, data, options)).toMatchObject({ negative: 0, advice: [] });
  });

  it('with an intercept and scores below 0 are told an offset', () => {
    const { advice } = checkDeployment(linear, data, { engine: 'opensearch@3.8', to: 'ranklib' });
    expect(advice).toEqual([
      expect.stringMatching(/^Write the model with `offset: 3` or more: the least score of this data is -2.5/),
    ]);
  });

  it.each([
    ['linear', new LinearModel({ featureNames: ['x', 'y'], weights: [1, 1], missing: [5, 0] }), 'opensearch@3.8'],
    [
      'net',
      new NetModel({
        featureNames: ['x', 'y'],
        hidden: [1],
        activation: 'relu',
        parameters: [1, 1, 10, 1, 0],
        standardise: { mean: [5, 0], scale: [1, 1] },
      }),
      'solr@9.5',
    ],
  ])('that missing values move are told so: %s', (_, model, engine) => {
    const missing = datasetOf(
      [
        ['q', 0, Number.NaN, 1],
        ['q', 1, 2, 1],
      ],
      ['x', 'y'],
    );
    const check = checkDeployment(model, missing, { engine });
    expect(check).toMatchObject({ otherLeaf: 0, otherRank: 2, withMissing: 1 });
    expect(check.advice).toEqual([expect.stringMatching(/`absent: zero`/)]);
  });
});

describe('other formats', () => {
  // A missing value goes left, 0 goes right; the data has no value missing where it would matter.
  const missingLeft = stump({ threshold: -1, missingLeft: true, left: 1, right: 2 });
  const both = new TreesModel({
    featureNames: ['x', 'y'],
    trees: [
      missingLeft.trees[0]!,
      { ...stump({ threshold: 1, missingLeft: true, left: 1, right: 2 }).trees[0]!, feature: Int32Array.of(1) },
    ],
  });
  const data = datasetOf(
    [
      ['q', 0, 1, Number.NaN],
      ['q', 1, -2, 0],
    ],
    ['x', 'y'],
  );

  it('are advised with what a conversion asks for', () => {
    const { advice, otherLeaf } = checkDeployment(both, data, { engine: 'opensearch@3.5' });
    expect(otherLeaf).toBe(1);
    expect(advice[0]).toMatch(
      /^Deploy as ranklib with `lossy: true`: all documents of this data .*1 split of the model/,
    );
  });

  it('are advised plainly where nothing is lost', () => {
    const exact = stump({ threshold: 1, missingLeft: true, left: 1, right: 2 });
    const missing = datasetOf([['q', 0, Number.NaN]], ['x']);
    const { advice } = checkDeployment(exact, missing, { engine: 'opensearch@3.5' });
    expect(advice[0]).toBe('Deploy as ranklib: all documents come to the same leaves there.');
    expect(exportModel(exact, { to: 'ranklib' }).losses).toEqual([]);
  });
});

it('refuses nets of an activation that a version does not know', () => {
  const net = new NetModel({ featureNames: ['x'], hidden: [1], activation: 'tanh', parameters: [1, 0, 1, 0] });
  const data = datasetOf([['q', 0, 1]], ['x']);
  expect(() => checkDeployment(net, data, { engine: 'solr@7.3' })).toThrow(
    'solr 7.3 knows nets of relu and sigmoid, and this one has tanh',
  );
  expect(checkDeployment(net, data, { engine: 'solr@7.6' }).otherRank).toBe(0);
});
