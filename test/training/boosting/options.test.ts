/** How options are settled for data of a size. */
import { describe, expect, it } from 'vitest';
import { settleOptions, treeOptions } from '#listwise/training/boosting/options.js';

const leavesOf = (documents: number, options: object = {}) =>
  settleOptions(treeOptions.parse(options), documents).leaves;

describe('leaves of a tree', () => {
  it('are few for little data and 31 for much', () => {
    expect([100, 10_000, 100_000, 190_000, 10_000_000].map(documents => leavesOf(documents))).toEqual([
      4, 7, 23, 31, 31,
    ]);
  });

  it('are as many as a depth allows where only that is given', () => {
    expect([1, 3, 6, 8].map(depth => leavesOf(100_000, { depth }))).toEqual([2, 8, 64, 256]);
    expect(leavesOf(100_000, { depth: 6, leaves: 20 })).toBe(20);
  });

  it('are no more than the documents can fill, so that no memory is set aside for others', () => {
    expect(leavesOf(1000, { leaves: 32_767, minDocuments: 10 })).toBe(100);
    expect(leavesOf(1000, { depth: 40, minDocuments: 10 })).toBe(100);
    expect(leavesOf(3, { leaves: 8, minDocuments: 10 })).toBe(2);
  });
});
