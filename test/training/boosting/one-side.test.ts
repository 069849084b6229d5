/** One-side sampling: what is kept, what is drawn and how it is scaled, beside a plain sort. */
import { describe, expect, it } from 'vitest';
import { hash32, Random } from '#listwise/numeric/random.js';
import { isOneSided, oneSideFactor, oneSideOf } from '#listwise/training/boosting/rows/one-side.js';
import { train, trainNamed } from '#listwise/training/train.js';
import { treeData } from './tree-data.js';
import '../../threads-at-once.js';

const shares = { topShare: 0.2, otherShare: 0.1, rate: 0.1 };

/** In plain words: sort, cut, draw from the rest. */
function factorsOf(magnitudes: Float32Array, seed: number, iteration: number): number[] {
  const { topShare, otherShare } = shares;
  const k = Math.max(1, Math.floor(topShare * magnitudes.length));
  const cut = [...magnitudes].sort((a, b) => b - a)[k - 1]!;
  const chance = otherShare / (1 - topShare);
  return [...magnitudes].map((magnitude, row) => {
    if (magnitude > 0 && magnitude >= cut) return 1;
    return hash32(hash32(hash32(seed, iteration), 1), row) / 2 ** 32 < chance ? Math.fround(1 / chance) : 0;
  });
}

describe('one-side sampling', () => {
  it.each([
    ['apart', (random: Random) => Math.exp(6 * random.gaussian())],
    ['with ties', (random: Random) => random.below(4) / 8],
    ['mostly zero', (random: Random) => (random.uniform() < 0.9 ? 0 : random.uniform())],
    ['tiny', (random: Random) => random.uniform() * 1e-40],
  ])('takes what a sort takes: %s', (_, draw) => {
    const random = new Random(1);
    const magnitudes = Float32Array.from({ length: 5000 }, () => draw(random));
    const how = oneSideOf(shares, magnitudes, 3, 12);
    const factors = [...magnitudes].map((magnitude, row) => oneSideFactor(how, row, magnitude));
    expect(factors).toEqual(factorsOf(magnitudes, 3, 12));
    const drawn = factors.filter(factor => factor > 1).length;
    expect(drawn).toBeGreaterThan(300);
    expect(drawn).toBeLessThan(700);
  });

  it('begins after 1 / rate trees', () => {
    expect([1, 10, 11].map(iteration => isOneSided(shares, iteration))).toEqual([false, false, true]);
    expect(isOneSided({ ...shares, topShare: 1 }, 11)).toBe(false);
  });

  it('draws others for each tree, and gives the same trees for any number of threads', async () => {
    const data = treeData(3, { queries: 900, features: 12 });
    const grown = async (threads: number, topShare = 0.2) => {
      const options = { trees: 5, leaves: 15, rate: 0.5, topShare, evaluateEvery: 0 };
      const { model } = await train({ model: 'trees', data, options, threads, holdout: 0 });
      return model.trees;
    };
    const one = await grown(1);
    expect(await grown(3)).toEqual(one);
    const documents = one.map(({ leafDocuments }) => leafDocuments!.reduce((sum, leaf) => sum + leaf, 0));
    expect(documents.slice(0, 2)).toEqual([data.rows, data.rows]);
    for (const count of documents.slice(2)) expect(Math.abs(count / data.rows - 0.3)).toBeLessThan(0.02);
    expect(new Set(documents.slice(2)).size).toBe(3);
    expect((await grown(1, 1)).slice(0, 2)).toEqual(one.slice(0, 2));
  });

  it.each([
    [{ topShare: 0.95 }, 'together at most 1; found 0.95 and 0.1'],
    [{ topShare: 0.2, queryShare: 0.5 }, 'top-share does not go with query-share'],
    [{ topRate: 0.2 }, 'here it is top-share'],
  ])('refuses %o', async (options, reason) => {
    const data = treeData(1);
    await expect(trainNamed({ model: 'trees', data, validate: data, options })).rejects.toThrow(reason);
  });
});
