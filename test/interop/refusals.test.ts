/** What cannot be read is refused by name; what is damaged is refused with its place; nothing is guessed. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ListwiseError } from '#listwise/errors.js';
import { exportModel, importModel } from '#listwise/interop/convert.js';

const read = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url), 'utf8');
const lightgbm = read('lightgbm-missing-nan.txt');
const xgboost = read('xgboost-ndcg.json');
const dart = read('xgboost-dart.json');
const dump = read('xgboost-ndcg.dump.json');
const ranklib = (body: string, name = 'LambdaMART') => `## ${name}\n\n<ensemble>${body}</ensemble>`;
const split = (feature: string, threshold: string) =>
  `<feature>${feature}</feature><threshold>${threshold}</threshold><split pos="left"><output>1</output></split><split pos="right"><output>2</output></split>`;

function refusal(text: string | Uint8Array): string {
  try {
    importModel(text, { file: 'm' });
    return 'no error';
  } catch (error) {
    if (error instanceof ListwiseError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

/** Text with one replacement that must be possible. */
function changed(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, to);
  expect(result).not.toBe(text);
  return result;
}

describe('LightGBM', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'several classes',
      () => changed(lightgbm, 'num_class=1', 'num_class=3'),
      /^model-unsupported: m: a model of 3 classes/,
    ],
    ['linear trees', () => changed(lightgbm, 'is_linear=0', 'is_linear=1'), /^model-unsupported: .*linear_tree/],
    [
      'a set of categories that is not there',
      () => changed(lightgbm, /decision_type=\d+/, 'decision_type=1'),
      /^model-invalid: m:\d+: "threshold" of tree 0 must be of splits by category from 0/,
    ],
    ['early versions', () => changed(lightgbm, 'version=v4\n', ''), /^model-unsupported: m: it has no "version"/],
    ['a cut dump', () => '{"name":"tree","version":"v4","num_class":1,', /^model-invalid: m: it is not JSON/],
    ['a dump of classes', () => '{"name":"tree","num_class":3}', /^model-unsupported: m: a model of 3 classes/],
    ['a cut file', () => lightgbm.slice(0, 1200), /^model-invalid: m: the line "end of trees" is missing/],
    [
      'too few numbers',
      () => changed(lightgbm, /leaf_value=\S+ /, 'leaf_value='),
      /^model-invalid: m:\d+: "leaf_value" of tree 0 must be 6 numbers/,
    ],
    ['a loop', () => changed(lightgbm, /left_child=\S+/, 'left_child=0'), /^model-invalid: .*reached in two ways/],
    [
      'a child that is not there',
      () => changed(lightgbm, /left_child=\S+/, 'left_child=77'),
      /^model-invalid: .*from -6 to 4/,
    ],
    [
      'a feature that is not there',
      () => changed(lightgbm, /split_feature=\d/, 'split_feature=9'),
      /^model-invalid: .*numbers from 0 to 3/,
    ],
    [
      'a key twice',
      () => changed(lightgbm, /num_leaves=\d+\n/, 'num_leaves=2\nnum_leaves=6\n'),
      /^model-invalid: m:\d+: "num_leaves" is there twice, in line \d+ already/,
    ],
    [
      'names that do not fit',
      () => changed(lightgbm, ' Column_3', ''),
      /^model-invalid: .*3 feature names for 4 features/,
    ],
  ])('%s', (_, text, message) => expect(refusal(text())).toMatch(message));

  it('other outputs than the sum are a loss', () => {
    const losses = (objective: string) => importModel(changed(lightgbm, 'lambdarank', objective)).losses;
    expect(losses('regression')).toEqual([]);
    expect(losses('regression sqrt')).toEqual([expect.stringContaining('signed square')]);
    expect(losses('binary sigmoid:1')).toEqual([expect.stringContaining('a sigmoid of the sum')]);
    expect(losses('unheard-of')).toEqual([expect.stringContaining('"unheard-of" is not known')]);
    const forest = importModel(changed(lightgbm, 'objective=', 'average_output\nobjective='));
    expect(forest.losses).toEqual([]);
    expect(forest.notes).toContainEqual(expect.stringContaining('divides the sum of this random forest by 4'));
    const row = [0.5, 0.5, 0.5, 1];
    expect(forest.model.scoreRow(row)).toBeCloseTo(importModel(lightgbm).model.scoreRow(row) / 4, 12);
  });
});

describe('XGBoost', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'several classes',
      () => changed(xgboost, '"num_class":"0"', '"num_class":"3"'),
      /^model-unsupported: m: a model of 3 classes/,
    ],
    [
      'several targets',
      () => changed(xgboost, '"num_target":"1"', '"num_target":"2"'),
      /^model-unsupported: m: a model of 2 targets/,
    ],
    [
      'categories that are not there',
      () => changed(xgboost, '"split_type":[0', '"split_type":[1'),
      /^model-invalid: m: node 0 of tree 0 is split by no category/,
    ],
    [
      'an unknown booster',
      () => changed(xgboost, '"gbtree"', '"gbforest"'),
      /^model-unsupported: .*no booster "gbforest"/,
    ],
    ['binary files', () => 'binf\x00\x00', /^model-unsupported: .*ends in .json/],
    ['UBJSON that is cut off', () => '{L', /^model-invalid: .*cut off/],
    ['cut JSON', () => xgboost.slice(0, 900), /^model-invalid: m: it is not JSON/],
    [
      'arrays that do not fit',
      () => changed(xgboost, /"left_children":\[1,/, '"left_children":['),
      /^model-invalid: m: "learner.*right_children" must be an array of \d+ numbers/,
    ],
    [
      'an odd base score',
      () => changed(xgboost, /"base_score":"[^"]*"/, '"base_score":"[1,2]"'),
      /^model-invalid: .*base_score" must be one number/,
    ],
    [
      'weights that do not fit',
      () => changed(dart, /"weight_drop":\[[^,]*,/, '"weight_drop":['),
      /^model-invalid: .*weight_drop" must be an array of 3 numbers/,
    ],
  ])('%s', (_, text, message) => expect(refusal(text())).toMatch(message));

  it('a base score as a list, as newer versions write it', () => {
    const listed = changed(xgboost, /"base_score":"([^"]*)"/, '"base_score":"[$1]"');
    expect(importModel(listed).model.scoreRow([1, 1, 1, 1])).toBe(importModel(xgboost).model.scoreRow([1, 1, 1, 1]));
  });

  it('a name by which XGBoost would take JSON for UBJSON', () => {
    const { model } = importModel(xgboost);
    expect(() => exportModel(model, { to: 'xgboost', target: 'out/model.ubj' })).toThrow(
      'out/model.ubj: XGBoost takes a file for UBJSON whose name ends in .ubj',
    );
    expect(exportModel(model, { to: 'xgboost', target: 'ubj' }).files[0]!.path).toBe('ubj');
  });

  it('an objective that is not known is a loss', () => {
    expect(importModel(changed(xgboost, 'rank:ndcg', 'reg:newer')).losses).toEqual([
      'its objective "reg:newer" is not known; scores are the base score and the leaves added up',
    ]);
  });
});

describe("XGBoost's dump", () => {
  it.each<[string, () => string, RegExp]>([
    [
      'categories that are none',
      () => changed(dump, /"split_condition": [^,]*/, '"split_condition": [1, -2]'),
      /^model-invalid: m: a split is by category -2/,
    ],
    ['indicators', () => changed(dump, /"split_condition": [^,]*,/, ''), /^model-unsupported: .*is an indicator/],
    [
      'vectors',
      () => changed(dump, /"leaf": [^ ,}]*/, '"leaf": [1, 2]'),
      /^model-unsupported: .*vectors in its leaves/,
    ],
    [
      'a child that is not there',
      () => changed(dump, '"missing": 1', '"missing": 9'),
      /^model-invalid: .*node 9, "missing" of its parent/,
    ],
  ])('%s', (_, text, message) => expect(refusal(text())).toMatch(message));

  it('an objective with a sigmoid is a loss', () => {
    const losses = (objective: string) => importModel(`{"objective":"${objective}","splits":${dump}}`).losses;
    expect([losses('rank:ndcg'), losses('reg:logistic').length]).toEqual([[], 1]);
  });
});

describe('RankLib', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'other algorithms',
      () => '## Random Forests\n<ensemble></ensemble>',
      /^model-unsupported: .*"Random Forests" are not read; LambdaMART/,
    ],
    [
      'feature 0',
      () => ranklib(`<tree id="1" weight="1"><split>${split('0', '1')}</split></tree>`),
      /^model-invalid: .*counts from 1/,
    ],
    [
      'a threshold of text',
      () => ranklib(`<tree id="1" weight="1"><split>${split('1', 'x')}</split></tree>`),
      /^model-invalid: .*threshold" must be a number/,
    ],
    [
      'a tree without weight',
      () => ranklib(`<tree id="1"><split>${split('1', '1')}</split></tree>`),
      /^model-invalid: .*weight" must be text/,
    ],
    [
      'cut XML',
      () => ranklib(`<tree id="1" weight="1"><split>${split('1', '1')}</split>`).slice(0, -9),
      /^model-invalid: .*it is not XML/,
    ],
    ['weights of text', () => '## Linear Regression\n0:1 1:x\n', /^model-invalid: .*found "1:x"/],
    ['a weight twice', () => '## Linear Regression\n1:1 1:2\n', /^model-invalid: .*feature 1 has two weights/],
  ])('%s', (_, text, message) => expect(refusal(text())).toMatch(message));

  it('weights of trees multiply their leaves, rounded as RankLib does', () => {
    const text = ranklib(
      `<tree id="1" weight="0.1"><split>${split('2', '0.5')}</split></tree><tree id="2" weight="0.3"><split>${split('1', '0')}</split></tree>`,
    );
    const { model } = importModel(text);
    const f32 = Math.fround;
    expect(model.scoreRow([0, f32(0.5)])).toBe(f32(f32(f32(0.1)) + f32(0.3)));
    expect(model.scoreRow([1, Number.NaN])).toBe(f32(f32(f32(0.1)) + 2 * f32(0.3)));
  });
});

describe('anything else', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['no model', '1 qid:1 1:2\n', /^model-invalid: m: it is not a model of a format that is known .*`from: NAME`/],
    ['nothing', '', /^model-invalid/],
    ['an ONNX file that is cut', Uint8Array.of(8, 8, 0x3a, 99), /^model-invalid: m: it is not an ONNX file/],
  ])('%s', (_, content, message) => expect(refusal(content)).toMatch(message));

  it('a format that does not exist, or is written only', () => {
    expect(() => importModel('x', { from: 'ligthgbm' })).toThrow(/did you mean "lightgbm"\?/);
    expect(() => importModel('x', { from: 'javascript' })).toThrow(/javascript is written only/);
  });
});
