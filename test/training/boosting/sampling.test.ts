/** The rows and features of a tree. */
import { describe, expect, it } from 'vitest';
import { chooseFeatures, chooseRows } from '#listwise/training/boosting/rows/sampling.js';
import { treeData } from './tree-data.js';

const data = treeData(1, { queries: 200 });
const rowsOf = (share: number, iteration: number) => {
  const index = new Uint32Array(data.rows);
  return index.subarray(0, chooseRows(index, data, share, 1, iteration));
};

describe('the rows of a tree', () => {
  it('are those of about the share of the queries, whole ones, others for each tree', () => {
    const rows = rowsOf(0.5, 1);
    const chosen = new Set(rows);
    const queries = Array.from({ length: data.queries }, (_, q) => q).filter(q => chosen.has(data.offsets[q]!));
    expect(rows.length).toBe(queries.reduce((sum, q) => sum + data.offsets[q + 1]! - data.offsets[q]!, 0));
    expect(queries.length).toBeGreaterThan(70);
    expect(queries.length).toBeLessThan(130);
    expect(rowsOf(0.5, 2)).not.toEqual(rows);
  });

  it('are those of one query where the share is too small for any', () => {
    for (let iteration = 1; iteration <= 20; iteration++) {
      const rows = rowsOf(1e-9, iteration);
      const query = data.offsets.indexOf(rows[0]!);
      expect(rows.length).toBe(data.offsets[query + 1]! - data.offsets[query]!);
    }
  });
});

describe('the features of a tree', () => {
  it('are at least one', () => {
    const mask = new Uint8Array(19);
    chooseFeatures(mask, 1e-9, 1, 1);
    expect(mask.reduce((sum, one) => sum + one, 0)).toBe(1);
  });
});
