/**
 * Models that LightGBM 4.6 and XGBoost 1.7 trained score here to the bit as they did there; scores were recorded from
 * those.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { TreesModel } from '#listwise/models/trees/trees.js';

const read = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url));
const recorded = JSON.parse(String(read('predictions.json'))) as {
  rows: (number | null)[][];
  lightgbm: Record<string, number[]>;
  xgboost: Record<string, number[]>;
};
const rows = recorded.rows.map(row => Float32Array.from(row, value => value ?? Number.NaN));

function scores(model: TreesModel): number[] {
  const out = new Float64Array(rows.length);
  const width = model.featureNames.length;
  const flat = new Float32Array(rows.length * width);
  rows.forEach((row, i) => {
    flat.set(row, i * width);
  });
  model.scoreRows(flat, rows.length, out);
  expect(rows.map(row => model.scoreRow(row))).toEqual([...out]);
  return [...out];
}

function load(file: string, names?: readonly string[]): TreesModel {
  const { model, losses } = importModel(read(file), { featureSet: names, file });
  expect(losses).toEqual([]);
  if (!(model instanceof TreesModel)) throw new Error(model.kind);
  return model;
}

describe('LightGBM', () => {
  it.each(Object.entries(recorded.lightgbm))('%s', (name, predictions) => {
    const model = load(`lightgbm-${name}.txt`);
    expect(model.featureNames).toEqual(['0', '1', '2', '3']);
    expect(scores(model)).toEqual(predictions);
  });

  it('marks zeros as missing only where that makes a difference', () => {
    const flags = (name: string) => load(`lightgbm-${name}.txt`).trees.flatMap(tree => [...(tree.zeroMissing ?? [])]);
    expect(flags('missing-nan')).toEqual([]);
    expect(new Set(flags('missing-zero'))).toEqual(new Set([0, 1]));
  });
});

describe('XGBoost', () => {
  it.each(Object.entries(recorded.xgboost))('%s', (name, predictions) => {
    const model = load(`xgboost-${name}.json`);
    expect(model.featureNames).toEqual(['bm25', 'age', 'clicks', 'kind']);
    expect(scores(model)).toEqual(predictions);
  });

  it('ndcg as a dump, which leaves out the base score', () => {
    const model = load('xgboost-ndcg.dump.json', ['bm25', 'age', 'clicks', 'kind']);
    const off = scores(model).map((score, i) => recorded.xgboost.ndcg![i]! - score);
    expect(Math.max(...off.map(value => Math.abs(value - 0.5)))).toBeLessThan(1e-6);
  });
});

describe('documents by node', () => {
  it.each(['lightgbm-dart.txt', 'lightgbm-missing-nan.txt', 'xgboost-ndcg.json', 'xgboost-forest.json'])('%s', file => {
    for (const tree of load(file).trees) {
      expect(tree.leafDocuments!.every(count => count > 0)).toBe(true);
      tree.documents.forEach((count, node) => {
        const of = (child: number) => (child < 0 ? tree.leafDocuments![~child]! : tree.documents[child]!);
        expect(of(tree.left[node]!) + of(tree.right[node]!)).toBeCloseTo(count, 3);
      });
    }
  });

  it.each([
    ['lightgbm-missing-nan.txt', 'lightgbm'],
    ['xgboost-ndcg.json', 'xgboost'],
  ])('%s keeps them there and back', (file, to) => {
    const before = load(file);
    const { files } = exportModel(before, { to });
    const { model } = importModel(Buffer.from(files[0]!.content), { file });
    if (!(model instanceof TreesModel)) throw new Error(model.kind);
    const covers = ({ trees }: TreesModel) => trees.map(tree => [...tree.leafDocuments!].sort((a, b) => a - b));
    expect(covers(model)).toEqual(covers(before));
  });
});
