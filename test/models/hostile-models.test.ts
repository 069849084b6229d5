/** Model files that are made to harm: a small file takes neither time nor memory, and what is no number is no model. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { datasetFrom } from '#listwise/data/dataset-from.js';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { openModel } from '#listwise/interop/open-model.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { parseModel } from '#listwise/models/model-file.js';
import { checksum } from '#listwise/models/model-object.js';
import { NetModel } from '#listwise/models/net/net.js';
import { scoreData } from '#listwise/models/ranker.js';
import { type Tree, TreesModel } from '#listwise/models/trees/trees.js';
import { temporaryDirectory } from '../temporary.js';

/** Nodes in a row; both children of each are `child` and its leaf, unless told otherwise. */
function chain(nodes: number): Tree {
  const count = (of: (node: number) => number, length = nodes) => Array.from({ length }, (_, node) => of(node));
  return {
    feature: new Int32Array(nodes),
    threshold: Float32Array.from(count(node => node / 2)),
    missingLeft: new Uint8Array(nodes),
    left: Int32Array.from(count(node => ~node)),
    right: Int32Array.from(count(node => (node < nodes - 1 ? node + 1 : ~nodes))),
    value: Float64Array.from(count(node => node % 7, nodes + 1)),
    gain: new Float64Array(nodes),
    documents: new Float64Array(nodes),
  };
}

/** The text of a file with these contents and a right checksum. */
function signed(change: (json: Record<string, unknown>) => Record<string, unknown>, nodes = 40): string {
  const { checksum: _, ...json } = new TreesModel({ featureNames: ['1', '2'], trees: [chain(nodes)] }).toJSON();
  const content = change(structuredClone(json) as Record<string, unknown>);
  return JSON.stringify({ ...content, checksum: checksum(content) });
}

const documents = [
  { query: 'q', label: 1, '1': 1e30, '2': 1 },
  { query: 'q', label: 0, '1': 0, '2': 1 },
];
const data = datasetFrom(documents, { query: 'query', label: 'label', features: ['1', '2'] });

describe('a tree of a model file', () => {
  const changed = (key: string, of: (tree: { left: number[]; right: number[] }) => unknown) =>
    signed(json => {
      const [tree] = json.trees as [{ left: number[]; right: number[] }];
      return { ...json, trees: [{ ...tree, [key]: of(tree) }] };
    });

  it('whose nodes are reached in two ways is refused: 40 nodes would be 2^40 paths', () => {
    expect(() => parseModel(changed('left', tree => tree.right))).toThrow(/node 1 of a tree is reached in two ways/);
  });

  it('whose leaf is reached in two ways is refused', () => {
    expect(() => parseModel(changed('left', tree => tree.left.with(1, -1)))).toThrow(/leaf 0 of a tree is reached in/);
  });

  it('may be a chain of 20,000 nodes, which nested formats refuse', () => {
    const model = parseModel(signed(json => json, 20_000));
    expect(scoreData(model, data)).toHaveLength(2);
    for (const to of ['ranklib', 'xgboost-dump']) {
      expect(() => exportModel(model, { to })).toThrow(/20000 levels deep; files of nested nodes hold 1000/);
    }
  });
});

describe('lists nested 100,000 deep', () => {
  const nested = '['.repeat(100_000) + ']'.repeat(100_000);

  it.each([
    ['listwise', `{"format":"listwise/model/2","kind":"trees","featureNames":["1"],"base":${nested}}`],
    ['xgboost', `{"learner":${nested}}`],
    ['linear', `{"a":${nested}}`],
  ])('are refused in files of %s', (from, text) => {
    expect(() => importModel(text, { from, file: 'a.json' })).toThrow(
      expect.objectContaining({ code: 'model-invalid', message: expect.stringContaining('nested too deeply') }),
    );
  });
});

it('a file that unpacks to more than a text can hold is refused', async () => {
  const file = join(temporaryDirectory(), 'bomb.json.gz');
  const piece = gzipSync(Buffer.alloc(1 << 26));
  writeFileSync(file, Buffer.concat(Array<Buffer>(9).fill(piece))); // members one after another are one stream
  await expect(openModel(file)).rejects.toMatchObject({
    code: 'model-invalid',
    message: expect.stringContaining('too large for a model'),
  });
});

describe('numbers that are not finite', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%d makes no model', value => {
    const featureNames = ['1', '2'];
    const invalid = expect.objectContaining({ code: 'model-invalid' });
    expect(() => new LinearModel({ featureNames, weights: [1, value] })).toThrow(invalid);
    expect(() => new LinearModel({ featureNames, weights: [1, 1], bias: value })).toThrow(invalid);
    const net = { featureNames, hidden: [1], activation: 'tanh' } as const;
    expect(() => new NetModel({ ...net, parameters: [1, 1, 0, value, 0] })).toThrow(invalid);
    const tree = chain(2);
    expect(() => new TreesModel({ featureNames, trees: [{ ...tree, value: tree.value.with(1, value) }] })).toThrow(
      invalid,
    );
    expect(() => new TreesModel({ featureNames, trees: [], base: value })).toThrow(invalid);
  });

  it('are refused in ONNX files, by the name of the file', () => {
    const model = new LinearModel({ featureNames: ['1', '2'], weights: [0.5, 12345.678] });
    const content = Buffer.from(exportModel(model, { to: 'onnx' }).files[0]!.content);
    const weight = Buffer.from(Float32Array.of(12345.678).buffer);
    Buffer.from(Float32Array.of(Number.NaN).buffer).copy(content, content.indexOf(weight));
    expect(() => importModel(content, { file: 'nan.onnx' })).toThrow(/^nan\.onnx: "weights" must be finite numbers/);
  });

  it('are refused in files of 32-bit numbers that do not fit', () => {
    expect(() => parseModel(signed(json => ({ ...json, sums: 'float32', base: 1e300 })))).toThrow(
      /"base" must be finite/,
    );
  });

  it('a scale of 0 is refused', () => {
    const standardise = { mean: [0], scale: [0] };
    expect(() => new LinearModel({ featureNames: ['1'], weights: [1], standardise })).toThrow(
      /"scale" of feature "1" is 0/,
    );
  });

  it('are no scores: neither given out nor evaluated', () => {
    const model = new LinearModel({ featureNames: ['1', '2'], weights: [1e300, 1] });
    const invalid = expect.objectContaining({
      code: 'score-invalid',
      message: expect.stringContaining('query "q" is Infinity'),
    });
    expect(() => scoreData(model, data)).toThrow(invalid);
    expect(() => evaluate(data, [Number.POSITIVE_INFINITY, 0], 'ndcg@10')).toThrow(invalid);
    expect(() => evaluate(data, [Number.NaN, 0], 'ndcg@10')).toThrow(
      expect.objectContaining({ code: 'score-invalid' }),
    );
  });
});

it('a feature that is no whole number is refused', () => {
  const model = new TreesModel({ featureNames: ['1', '2'], trees: [chain(2)] });
  const text = String(exportModel(model, { to: 'xgboost' }).files[0]!.content);
  const changed = text.replace(/"split_indices":\[\d+,/, '"split_indices":[0.7,');
  expect(changed).not.toBe(text);
  expect(() => importModel(changed)).toThrow(/by feature 0.7; it must be a whole number/);
});
