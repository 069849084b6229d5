/** Features of a path are all in one group. */
import { describe, expect, it } from 'vitest';
import { type Tree, TreesModel } from '#listwise/models/trees/trees.js';
import { groupsOf, mayFollow } from '#listwise/training/boosting/growth/interactions.js';
import { train, trainNamed } from '#listwise/training/train.js';
import { categoryData, treeData } from './tree-data.js';

/** Names of the features on the way to each leaf. */
function pathsOf({ feature, left, right }: Tree, names: readonly string[]): string[][] {
  const below = (node: number, path: string[]): string[][] => {
    if (node < 0) return [path];
    const longer = [...new Set([...path, names[feature[node]!]!])];
    return [left[node]!, right[node]!].flatMap(child => below(child, longer));
  };
  return feature.length === 0 ? [] : below(0, []);
}

describe('interaction constraints', () => {
  it.each([
    ['trees', treeData(1, { queries: 80 }), { featureShare: 0.6 }],
    ['trees', categoryData(1, { queries: 80 }), { nodeFeatureShare: 0.7, featureShare: 0.8 }],
    ['forest', treeData(2, { queries: 80 }), {}],
  ] as const)('of %s hold on every path', async (model, data, more) => {
    const groups = [
      ['1', '3', '10'],
      ['3', '8', '2'],
    ];
    const grown = async (interactions: string[]) => {
      const options = { trees: 30, leaves: 31, minDocuments: 5, interactions, ...more };
      const { model: made } = await trainNamed({ model, data, validate: data, options, objective: 'squared' });
      if (!(made instanceof TreesModel)) throw new Error(model);
      return made.trees.flatMap(tree => pathsOf(tree, data.featureNames));
    };
    const mixed = (paths: string[][]) =>
      paths.filter(path => path.length > 1 && !groups.some(group => path.every(name => group.includes(name))));
    const paths = await grown(groups.map(group => group.join('+')));
    expect(mixed(paths)).toEqual([]);
    expect(paths.some(path => path.length === 3)).toBe(true);
    // Features of no group are used, too, and without constraints others meet.
    expect(paths.some(([name]) => !groups.flat().includes(name!))).toBe(true);
    expect(mixed(await grown([])).length).toBeGreaterThan(50);
  });

  it('allow what is in one group with all of the path', () => {
    const groups = groupsOf(['a+b', 'b+c+d'], ['a', 'b', 'c', 'd', 'e'])!;
    const following = (...path: number[]) => [...mayFollow(groups, path)];
    expect(following()).toEqual([1, 1, 1, 1, 1]);
    expect(following(1)).toEqual([1, 1, 1, 1, 0]);
    expect(following(1, 0)).toEqual([1, 1, 0, 0, 0]);
    expect(following(4)).toEqual([0, 0, 0, 0, 1]);
  });

  it('know names with a plus in them, and numbers', () => {
    const names = ['a', 'a+b', 'b', '7'];
    expect(groupsOf(['b+a+b'], names)![0]).toEqual(Uint8Array.of(0, 1, 1, 0));
    expect(groupsOf([7, 'a'], names)).toHaveLength(4);
    expect(groupsOf([], names)).toBeUndefined();
  });

  it('refuse what is no feature', async () => {
    const data = treeData(1);
    const job = train({ model: 'trees', data, validate: data, options: { interactions: ['1+prise'] } });
    await expect(job).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining('interactions has the group "1+prise" with "prise", which is no feature'),
    });
  });
});
