/** ONNX through onnxruntime. */
import * as ort from 'onnxruntime-web';
import { describe, expect, it } from 'vitest';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { decodeModel, encodeModel, type Tensor } from '#listwise/interop/formats/onnx-schema.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { documents, wholeEnsemble } from './ensembles.js';

ort.env.wasm.numThreads = 1;

const shape = { features: 5, leaves: [31, 1, 6, 40], grid: 30, skew: 0.2 };

function bytesOf(model: Ranker, featureSet?: readonly string[]): Uint8Array {
  const { files, losses } = exportModel(model, { to: 'onnx', featureSet });
  expect(losses).toEqual([]);
  const { content } = files[0]!;
  if (typeof content === 'string') throw new Error('text');
  return content;
}

async function run(bytes: Uint8Array, rows: readonly ArrayLike<number>[]): Promise<number[]> {
  const session = await ort.InferenceSession.create(bytes);
  const width = rows[0]!.length;
  const data = Float32Array.from(rows.flatMap(row => Array.from(row)));
  const { scores } = await session.run({ features: new ort.Tensor('float32', data, [rows.length, width]) });
  expect(scores!.dims).toEqual([rows.length, 1]);
  if (!(scores!.data instanceof Float32Array)) throw new Error(scores!.type);
  return [...scores!.data];
}

/** The same file with one tensor that is another. */
function withTensor(model: Ranker, name: string, change: (tensor: Tensor) => Tensor): Uint8Array {
  const { node = [], initializer = [] } = decodeModel(bytesOf(model)).graph!;
  expect(initializer.map(tensor => tensor.name)).toContain(name);
  const tensors = initializer.map(tensor => (tensor.name === name ? change(tensor) : tensor));
  return encodeModel(node, tensors, model.featureNames);
}

const oneLess = (tensor: Tensor): Tensor => ({ ...tensor, floatData: tensor.floatData!.slice(1) });

function randomRows(n: number, width: number): Float32Array[] {
  const random = new Random(1, 'rows');
  return Array.from({ length: n }, () =>
    Float32Array.from({ length: width }, () => (random.below(8) === 0 ? Number.NaN : 3 * random.gaussian())),
  );
}

function furthest(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
}

describe('trees', () => {
  it('score as here', async () => {
    const model = wholeEnsemble(1, shape);
    const rows = documents(1, 3000, model);
    expect(await run(bytesOf(model), rows)).toEqual(rows.map(row => model.scoreRow(row)));
  });

  it('come back the same', () => {
    const model = wholeEnsemble(2, shape, ['a', 'b', 'c', 'd', 'e']);
    const back = importModel(bytesOf(model)).model;
    expect(back.featureNames).toEqual(model.featureNames);
    const rows = documents(2, 1000, model);
    expect(rows.map(row => back.scoreRow(row))).toEqual(rows.map(row => model.scoreRow(row)));
    expect(bytesOf(back)).toEqual(bytesOf(importModel(bytesOf(back)).model));
  });

  it('without trees are their base', async () => {
    const model = new TreesModel({ featureNames: ['1'], trees: [], base: 3 });
    expect(await run(bytesOf(model), [[1], [2]])).toEqual([3, 3]);
  });

  it('take their inputs in the order of a feature set', async () => {
    const model = wholeEnsemble(3, shape, ['a', 'b', 'c', 'd', 'e']);
    const rows = documents(3, 200, model);
    const placed = rows.map(row => [...row].reverse().concat(9));
    expect(await run(bytesOf(model, ['e', 'd', 'c', 'b', 'a', 'f']), placed)).toEqual(
      rows.map(row => model.scoreRow(row)),
    );
  });
});

describe('linear models', () => {
  const model = new LinearModel({
    featureNames: ['a', 'b', 'c'],
    weights: [0.5, -2, 0.1],
    bias: 0.25,
    standardise: { mean: [1, 2, 3], scale: [2, 0.5, 1] },
    missing: [0.5, 2, -1],
  });
  const rows = randomRows(2000, 3);

  it('score as here, missing values included', async () => {
    expect(
      furthest(
        await run(bytesOf(model), rows),
        rows.map(row => model.scoreRow(row)),
      ),
    ).toBeLessThan(2e-5);
  });

  it('come back the same, to 32 bits', () => {
    const back = importModel(bytesOf(model)).model;
    expect(back.toJSON()).toEqual(model.with({ weights: Float32Array.from(model.weights) }).toJSON());
  });

  it.each(['mean', 'scale', 'fill'])('whose tensor %s does not fit the features are refused', name => {
    expect(() => importModel(withTensor(model, name, oneLess))).toThrow(
      `the tensor "${name}" has 2 values where 3 are needed`,
    );
  });

  it('with bytes that are no whole numbers are refused', () => {
    const halved = (tensor: Tensor): Tensor => ({ ...tensor, floatData: [], rawData: new Uint8Array(10) });
    expect(() => importModel(withTensor(model, 'mean', halved))).toThrow('the tensor "mean" has 10 bytes');
  });
});

describe.each(['tanh', 'sigmoid', 'relu'] as const)('nets with %s', activation => {
  const random = new Random(1, 'net');
  const model = new NetModel({
    featureNames: ['a', 'b', 'c'],
    hidden: [4, 3],
    activation,
    parameters: Array.from({ length: 4 * 4 + 5 * 3 + 4 }, () => Math.fround(random.gaussian())),
    standardise: { mean: [1, 2, 3], scale: [2, 0.5, 1] },
  });
  const rows = randomRows(2000, 3);

  it('score as here, missing values included', async () => {
    expect(
      furthest(
        await run(bytesOf(model), rows),
        rows.map(row => model.scoreRow(row)),
      ),
    ).toBeLessThan(2e-5);
  });

  it('come back the same', () => {
    expect(importModel(bytesOf(model)).model.toJSON()).toEqual(model.toJSON());
  });

  it.each(['scale', 'weights0', 'weights1', 'weights2', 'bias2'])('whose tensor %s does not fit are refused', name => {
    expect(() => importModel(withTensor(model, name, oneLess))).toThrow(`the tensor "${name}" has `);
  });
});
