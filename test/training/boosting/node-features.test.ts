/** Features and thresholds that are drawn for each node. */
import { describe, expect, it } from 'vitest';
import { childKey, nodeMask } from '#listwise/training/boosting/growth/node-features.js';
import { train } from '#listwise/training/train.js';
import { categoryData, treeData } from './tree-data.js';
import '../../threads-at-once.js';

const tree = Uint8Array.from({ length: 200 }, (_, f) => Number(f % 2));

describe('features of a node', () => {
  it('are those of the tree, or about the share of them, others in another node', () => {
    expect(nodeMask({ tree, share: 1 }, 5, [])).toBe(tree);
    const masks = [5, childKey(5, true), childKey(5, false)].map(key => nodeMask({ tree, share: 0.3 }, key, []));
    for (const mask of masks) {
      const count = mask.reduce((sum, one) => sum + one, 0);
      expect(count).toBeGreaterThan(15);
      expect(count).toBeLessThan(45);
      expect(mask.every((one, f) => one === 0 || tree[f] === 1)).toBe(true);
    }
    expect(new Set(masks.map(String)).size).toBe(3);
    expect(nodeMask({ tree, share: 0.3 }, 5, [])).toEqual(masks[0]);
  });

  it('are at least one', () => {
    for (let key = 0; key < 50; key++) {
      const mask = nodeMask({ tree, share: 1e-9 }, key, []);
      expect(mask.reduce((sum, one) => sum + one, 0)).toBe(1);
      expect(tree[mask.indexOf(1)]).toBe(1);
    }
  });
});

describe('trees', () => {
  // So many cells that threads are started.
  const data = treeData(3, { queries: 900, features: 12 });
  const withCategories = categoryData(3, { queries: 900 });
  const grown = async (options: object, threads = 1, seed = 1, from = data) => {
    const settings = { trees: 6, leaves: 15, evaluateEvery: 0, ...options };
    const { model } = await train({ model: 'trees', data: from, options: settings, threads, seed, holdout: 0 });
    return JSON.stringify(model.trees);
  };

  it.each([
    [{ nodeFeatureShare: 0.3 }],
    [{ randomThresholds: true }],
    [{ interactions: ['1+2', '3+4+5'], nodeFeatureShare: 0.8 }],
    [{ nodeFeatureShare: 0.5, randomThresholds: true, l1: 0.1, maxStep: 1, pathSmoothing: 5 }],
  ])('are the same for any number of threads, and others than without: %o', async options => {
    const one = await grown(options);
    expect(await grown(options, 3)).toBe(one);
    expect(await grown(options, 1, 2)).not.toBe(one);
    expect(await grown({})).not.toBe(one);
  });

  it.each([
    [{ l1: 5 }],
    [{ maxStep: 0.2 }],
    [{ pathSmoothing: 20 }],
    [{ interactions: ['1+2+5', '3+4+10'] }],
    [{ nodeFeatureShare: 0.4 }],
    [{ randomThresholds: true }],
  ])('are the same on 1, 2 and 3 threads over categories, and others than without: %o', async options => {
    const one = await grown(options, 1, 1, withCategories);
    for (const threads of [2, 3]) expect(await grown(options, threads, 1, withCategories)).toBe(one);
    expect(await grown({}, 1, 1, withCategories)).not.toBe(one);
    expect(one).toContain('leftLevels');
  });
});
