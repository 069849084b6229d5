/**
 * Shapley values and interactions of models that XGBoost 1.7.4 trained are those that it gave for them: its
 * `pred_contribs` for all rows of predictions.json, its `pred_interactions` for the first ones. XGBoost computes in 32
 * bits.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importModel } from '#listwise/interop/convert.js';
import { explainerOf } from '#listwise/models/shapley/explainer-of.js';

const read = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url));
const { rows } = JSON.parse(String(read('predictions.json'))) as { rows: (number | null)[][] };
const recorded = JSON.parse(String(read('shapley.json'))) as Record<
  string,
  { contributions: number[][]; interactions: number[][] }
>;

function blockOf(rows: (number | null)[][]) {
  const [n, features] = [rows.length, rows[0]!.length];
  const data = Float32Array.from({ length: n * features }, (_, k) => rows[k % n]![Math.floor(k / n)] ?? Number.NaN);
  return { start: 0, rows: n, stride: n, data };
}

describe.each(Object.keys(recorded))('xgboost-%s.json', name => {
  const { model } = importModel(read(`xgboost-${name}.json`), { file: name });
  const explainer = explainerOf(model);
  const columns = Int32Array.from(model.featureNames, (_, f) => f);

  it.each(['contributions', 'interactions'] as const)('%s', what => {
    const wanted = recorded[name]![what];
    const block = blockOf(rows.slice(0, wanted.length));
    const found = new Float64Array(wanted.length * wanted[0]!.length);
    explainer[what === 'contributions' ? 'values' : 'interactions'](block, columns, 0, found);
    const largest = wanted.flat().reduce((most, value, k) => Math.max(most, Math.abs(value - found[k]!)), 0);
    expect(largest).toBeLessThan(1e-5);
  });
});
