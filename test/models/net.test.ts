import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { parameterCount } from '#listwise/kernels/net-shape.js';
import { parseModel, printModel } from '#listwise/models/model-file.js';
import { checksum } from '#listwise/models/model-object.js';
import { NetModel } from '#listwise/models/net/net.js';
import { scoreData } from '#listwise/models/ranker.js';

const number = fc.double({ min: -10, max: 10, noNaN: true });

const nets = fc
  .record({
    inputs: fc.integer({ min: 1, max: 5 }),
    hidden: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
    activation: fc.constantFrom('tanh' as const, 'sigmoid' as const, 'relu' as const),
  })
  .chain(shape => {
    const list = (length: number, of = number) => fc.array(of, { minLength: length, maxLength: length });
    return fc
      .tuple(
        list(parameterCount(shape)),
        list(shape.inputs),
        list(shape.inputs, fc.double({ min: 0.1, max: 9, noNaN: true })),
      )
      .map(
        ([parameters, mean, scale]) =>
          new NetModel({
            ...shape,
            featureNames: Array.from({ length: shape.inputs }, (_, f) => `f${f}`),
            parameters,
            standardise: { mean, scale },
          }),
      );
  });

function dataOf(rows: readonly (readonly number[])[], featureNames: readonly string[]) {
  const builder = new DatasetBuilder({ absent: 0, featureNames });
  for (const values of rows) {
    builder.append({
      rows: 1,
      width: values.length,
      stride: 1,
      columns: Float32Array.from(values),
      labels: { label: Float64Array.of(0) },
      queries: [{ id: 'q', rows: 1 }],
    });
  }
  return builder.finish();
}

describe('net model', () => {
  it('scores a row as it scores a block, to the bit', () => {
    const value = fc.oneof(fc.float({ noNaN: true, min: -100, max: 100 }), fc.constant(Number.NaN));
    fc.assert(
      fc.property(
        nets,
        fc.array(fc.array(value, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 9 }),
        (net, cells) => {
          const rows = cells.map(row => row.slice(0, net.featureNames.length));
          const scores = scoreData(net, dataOf(rows, net.featureNames));
          expect([...scores]).toEqual(rows.map(row => net.scoreRow(row)));
        },
      ),
    );
  });

  it('comes back from its file unchanged', () => {
    fc.assert(
      fc.property(nets, net => {
        const text = printModel(net);
        const read = parseModel(text);
        expect(read).toBeInstanceOf(NetModel);
        expect(printModel(read)).toBe(text);
      }),
    );
  });

  it('counts a missing value as the mean', () => {
    const net = new NetModel({
      featureNames: ['a', 'b'],
      hidden: [2],
      activation: 'tanh',
      parameters: [1, 2, 3, 4, 5, 6, 7, 8, 9],
      standardise: { mean: [10, 20], scale: [2, 4] },
    });
    expect(net.scoreRow([Number.NaN, 3])).toBe(net.scoreRow([10, 3]));
    // 7 tanh(5 + 1 x 1 + 2 x -1) + 8 tanh(6 + 3 x 1 + 4 x -1) + 9
    expect(net.scoreRow([12, 16])).toBeCloseTo(7 * Math.tanh(4) + 8 * Math.tanh(5) + 9, 12);
  });

  it('says what is wrong with a file', () => {
    const net = new NetModel({ featureNames: ['a'], hidden: [1], activation: 'tanh', parameters: [1, 2, 3, 4] });
    const good = net.toJSON();
    const file = (change: object) => {
      const { checksum: _, ...content } = { ...good, ...change };
      return JSON.stringify({ ...content, checksum: checksum(content) });
    };
    expect(() => parseModel(file({ hidden: [0] }))).toThrow('"hidden" must be an array of whole numbers');
    expect(() => parseModel(file({ activation: 'step' }))).toThrow(
      '"activation" must be one of tanh, sigmoid, relu, found "step"',
    );
    expect(() => parseModel(file({ scale: [0] }))).toThrow('"scale" of feature "a" is 0');
    expect(() => parseModel(file({ parameters: [1] }))).toThrow('"parameters" must be an array of 4 finite numbers');
  });
});
