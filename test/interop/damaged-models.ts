/**
 * Damaged model files: each is refused as a mistake of the user, or is a model whose kernel scores as its plain code.
 */
import { equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ListwiseError } from '#listwise/errors.js';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import type { Model } from '#listwise/models/all.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import type { Random } from '#listwise/numeric/random.js';
import { wholeEnsemble, zeroWhereMissing } from './ensembles.js';

const recorded = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url));
export const trees = zeroWhereMissing(wholeEnsemble(1, { features: 4, leaves: [7, 1, 12], grid: 20, skew: 0.2 }));
const linear = new LinearModel({ featureNames: ['1', '2', '3'], weights: [0.5, -2, 0.25], bias: 1 });
export const writtenAs = (model: Model, to: string) => Buffer.from(exportModel(model, { to }).files[0]!.content);

export const modelFiles: [name: string, content: Buffer][] = [
  ['LightGBM', recorded('lightgbm-missing-zero.txt')],
  ['XGBoost', recorded('xgboost-dart.json')],
  ["XGBoost's dump", recorded('xgboost-ndcg.dump.json')],
  ['RankLib', writtenAs(trees, 'ranklib')],
  ['RankLib, linear', writtenAs(linear, 'ranklib')],
  ['ONNX', writtenAs(trees, 'onnx')],
  ['ONNX, linear', writtenAs(linear, 'onnx')],
  ['listwise', writtenAs(trees, 'listwise')],
];

const BITS = ['NaN', 'inf', '-1', '1e400', '2147483648', '9999999999', '', '0', 'null', '[', '}', '"', ',', '=', ' '];
BITS.push('\n', '<', '>', ':', '-0', '1e-320', '\0', 'é', 'true', '<split>', '</tree>');
const NUMBER = /-?\d+(\.\d+)?([eE][-+]?\d+)?/g;

function damagedModel(random: Random, content: Buffer): Buffer {
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

/** Damages the file as chance has it, and gives whether it was read. */
export function readDamagedModel(random: Random, content: Buffer): 'read' | 'refused' {
  try {
    const { model } = importModel(damagedModel(random, content), { file: 'file' });
    const row = new Float32Array(model.featureNames.length).fill(0.3);
    const score = new Float64Array(1);
    model.scoreRows(row, 1, score);
    equal(score[0], model.scoreRow(row));
    ok(Number.isFinite(score[0]), `score ${score[0]}`);
    return 'read';
  } catch (error) {
    if (!(error instanceof ListwiseError)) throw error;
    return 'refused';
  }
}
