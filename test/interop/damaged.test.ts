/**
 * Damaged model files: each is refused as a mistake of the user, or is a model whose kernel scores as its plain code.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ListwiseError } from '#listwise/errors.js';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { Random } from '#listwise/numeric/random.js';
import { wholeEnsemble, zeroWhereMissing } from './ensembles.js';

const recorded = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url));
const trees = zeroWhereMissing(wholeEnsemble(1, { features: 4, leaves: [7, 1, 12], grid: 20, skew: 0.2 }));
const linear = new LinearModel({ featureNames: ['1', '2', '3'], weights: [0.5, -2, 0.25], bias: 1 });
const written = (model: typeof trees | typeof linear, to: string) =>
  Buffer.from(exportModel(model, { to }).files[0]!.content);

const files: [name: string, content: Buffer][] = [
  ['LightGBM', recorded('lightgbm-missing-zero.txt')],
  ['XGBoost', recorded('xgboost-dart.json')],
  ["XGBoost's dump", recorded('xgboost-ndcg.dump.json')],
  ['RankLib', written(trees, 'ranklib')],
  ['RankLib, linear', written(linear, 'ranklib')],
  ['ONNX', written(trees, 'onnx')],
  ['ONNX, linear', written(linear, 'onnx')],
  ['listwise', written(trees, 'listwise')],
];

const BITS = ['NaN', 'inf', '-1', '1e400', '2147483648', '9999999999', '', '0', 'null', '[', '}', '"', ',', '=', ' '];
BITS.push('\n', '<', '>', ':', '-0', '1e-320', '\0', 'é', 'true', '<split>', '</tree>');
const NUMBER = /-?\d+(\.\d+)?([eE][-+]?\d+)?/g;

function damaged(random: Random, content: Buffer): Buffer {
  let bytes = content;
  const bit = () => BITS[random.below(BITS.length)]!;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(bytes.length);
    const join = (middle: string, from: number) =>
      Buffer.concat([bytes.subarray(0, at), Buffer.from(middle, 'latin1'), bytes.subarray(from)]);
    const kind = random.below(8);
    if (kind === 0) bytes = bytes.subarray(0, at + 1);
    else if (kind === 1) bytes = join(String.fromCharCode(random.below(256)), at + 1);
    else if (kind === 2) bytes = join(bit(), at + random.below(6));
    else if (kind === 3) bytes = join('', at + random.below(200));
    else {
      const text = bytes.toString('latin1');
      const near = text.slice(at, at + 200).replace(NUMBER, number => (random.below(8) === 0 ? bit() : number));
      bytes = Buffer.from(text.slice(0, at) + near + text.slice(at + 200), 'latin1');
    }
    if (bytes.length === 0) bytes = Buffer.from(' ');
  }
  return bytes;
}

describe.each(files)('%s', (_, content) => {
  it('is a model', () => expect(importModel(content).model.featureNames.length).toBeGreaterThan(2));

  it('is read or refused, however it is damaged', () => {
    const random = new Random(1, 'damage');
    let refused = 0;
    for (let i = 0; i < 400; i++) {
      try {
        const { model } = importModel(damaged(random, content), { file: 'file' });
        const row = new Float32Array(model.featureNames.length).fill(0.3);
        const score = new Float64Array(1);
        model.scoreRows(row, 1, score);
        expect(score[0]).toBe(model.scoreRow(row));
        expect(score[0]).not.toBeNaN();
      } catch (error) {
        if (!(error instanceof ListwiseError)) throw error;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});

it.each(['2147483648', '99999999', '4294967297'])('feature %s is refused', feature => {
  const text = String(written(trees, 'ranklib')).replace(/<feature>\d+/, `<feature>${feature}`);
  expect(() => importModel(text)).toThrow(/columns; there can be 1048577/);
});
