/** How options are settled for data of a size. */
import { describe, expect, it } from 'vitest';
import { parseObjective } from '#listwise/objectives/parse.js';
import { settleOptions, treeOptions, withoutEffect } from '#listwise/training/boosting/options.js';

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

describe('l2', () => {
  const l2Of = (objective: string, options: object = {}) =>
    settleOptions(treeOptions.parse(options), 1000, parseObjective(objective)).l2;

  it('is 20 times as strong for the likelihood of clicks', () => {
    for (const part of ['ranknet(labels=clicks)', 'lambdarank(ndcg,labels=clicks)', 'logistic(labels=clicks)']) {
      for (const positions of ['examined', 'joint']) expect(l2Of(`debias(${part},positions=${positions})`)).toBe(20);
    }
  });

  it('is 1 where lambdas are of another size', () => {
    const debiased = 'debias(ranknet(labels=clicks))';
    expect(
      [`graded(lambdarank(ndcg),${debiased})`, `normalise(${debiased})`, 'debias(listnet)'].map(one => l2Of(one)),
    ).toEqual([1, 1, 1]);
    for (const positions of ['additive', 'ratios', 'power']) {
      expect(l2Of(`debias(ranknet(labels=clicks),positions=${positions})`)).toBe(1);
    }
    expect(['ranknet', 'logistic(labels=clicks)'].map(one => l2Of(one))).toEqual([1, 1]);
  });

  it('grows with what is given', () => {
    for (const l2 of [0, 1, 3]) {
      expect(l2Of('debias(ranknet(labels=clicks))', { l2 })).toBe(20 * l2);
      expect(l2Of('ranknet', { l2 })).toBe(l2);
    }
    expect(settleOptions(treeOptions.parse({}), 1000).l2).toBe(1);
  });
});

describe('options that say more about another', () => {
  const told = (options: object) => withoutEffect(settleOptions(treeOptions.parse(options), 1000));

  it('change nothing where that one is at its default, which is said', () => {
    expect(told({ skipDrop: 0.1, maxDrop: 3, dropNormalise: 'tree', uniformDrop: true })).toEqual([
      'max-drop = 3 changes nothing as drop-rate is 0; set drop-rate, or leave max-drop out',
      'skip-drop = 0.1 changes nothing as drop-rate is 0; set drop-rate, or leave skip-drop out',
      'uniform-drop = true changes nothing as drop-rate is 0; set drop-rate, or leave uniform-drop out',
      'drop-normalise = tree changes nothing as drop-rate is 0; set drop-rate, or leave drop-normalise out',
    ]);
    expect(told({ otherShare: 0.3 })).toEqual([
      'other-share = 0.3 changes nothing as top-share is 1; set top-share, or leave other-share out',
    ]);
  });

  it('are taken without a word where it is not, or where they are at their own', () => {
    expect(told({ dropRate: 0.1, skipDrop: 0.1, topShare: 0.2, otherShare: 0.3 })).toEqual([]);
    expect(told({ skipDrop: 0.5, otherShare: 0.1 })).toEqual([]);
  });
});
