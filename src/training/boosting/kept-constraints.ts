/**
 * Whether the trees of a model to go on from keep to the constraints that are asked for. Those that are added do; the
 * sum of all does not where one of the others does not.
 */
import { ListwiseError } from '../../errors.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { type FeatureGroups, groupsOf } from './growth/interactions.js';
import { directionsOf } from './growth/monotone.js';
import type { TreeOptions } from './options.js';

/** `names` are those of the features of the data. */
export function refuseFreeTrees(
  { trees, featureNames }: TreesModel,
  { monotone, interactions }: Pick<TreeOptions, 'monotone' | 'interactions'>,
  names: readonly string[],
): void {
  const directions = directionsOf(monotone, names, () => false);
  const groups = groupsOf(interactions, names);
  const places = featureNames.map(name => names.indexOf(name));
  trees.forEach((tree, t) => {
    const broken = [
      ...(directions !== undefined && !isMonotone(tree, feature => directions[places[feature]!] ?? 0)
        ? ['monotone']
        : []),
      ...(groups !== undefined && !meetInGroups(tree, groups, places) ? ['interactions'] : []),
    ];
    if (broken.length === 0) return;
    throw new ListwiseError(
      'option-invalid',
      `tree ${t + 1} of the model to go on from does not keep to ${broken.join(' and ')}; train that model with the same, or leave it out`,
    );
  });
}

/** Whether all leaves on one side of each split of such a feature are in order with all of the other side. */
function isMonotone(tree: Tree, directionOf: (feature: number) => number): boolean {
  let kept = true;
  const below = (node: number): readonly [least: number, most: number] => {
    if (node < 0) return [tree.value[~node]!, tree.value[~node]!];
    const [left, right] = [below(tree.left[node]!), below(tree.right[node]!)];
    const direction = directionOf(tree.feature[node]!);
    if (direction > 0 && left[1] > right[0]) kept = false;
    if (direction < 0 && right[1] > left[0]) kept = false;
    return [Math.min(left[0], right[0]), Math.max(left[1], right[1])];
  };
  below(tree.feature.length === 0 ? ~0 : 0);
  return kept;
}

/** Whether the features of every path are in one group; one that the data does not have is in none. */
function meetInGroups(tree: Tree, groups: FeatureGroups, places: readonly number[]): boolean {
  const below = (node: number, path: ReadonlySet<number>): boolean => {
    if (node < 0) return path.size < 2 || groups.some(group => [...path].every(feature => group[feature] === 1));
    const longer = new Set([...path, places[tree.feature[node]!]!]);
    return below(tree.left[node]!, longer) && below(tree.right[node]!, longer);
  };
  return below(tree.feature.length === 0 ? ~0 : 0, new Set());
}
