/**
 * Interaction constraints: groups of features that may meet on a path from the root to a leaf. The features of a path
 * must all be in one group; a feature that is in none is alone on its paths.
 */
import { didYouMean, ListwiseError, quote } from '../../../errors.js';

/** Groups of features, each a mask over all of them; every feature is in one at least. */
export type FeatureGroups = readonly Uint8Array[];

/** From groups such as `a+b+c`; undefined without constraints. */
export function groupsOf(
  interactions: readonly (string | number)[],
  names: readonly string[],
): FeatureGroups | undefined {
  if (interactions.length === 0) return undefined;
  const maskOf = (features: readonly number[]) => {
    const mask = new Uint8Array(names.length);
    for (const feature of features) mask[feature] = 1;
    return mask;
  };
  const groups = interactions.map(group => maskOf(featuresOf(String(group), names)));
  const alone = [...names.keys()].filter(feature => groups.every(group => group[feature] === 0));
  return [...groups, ...alone.map(feature => maskOf([feature]))];
}

/** Names may have a + in them: the longest that fits is taken. */
function featuresOf(text: string, names: readonly string[]): number[] {
  const parts = text.split('+');
  const found: number[] = [];
  for (let first = 0; first < parts.length; ) {
    let last = parts.length;
    while (last > first + 1 && !names.includes(parts.slice(first, last).join('+'))) last--;
    const name = parts.slice(first, last).join('+');
    const feature = names.indexOf(name);
    if (feature < 0) {
      throw new ListwiseError(
        'option-invalid',
        `interactions has the group ${quote(text)} with ${quote(name)}, which is no feature${didYouMean(name, names)} ` +
          'A group is NAME+NAME+…',
      );
    }
    found.push(feature);
    first = last;
  }
  return found;
}

/** Features that may follow those of a path: all that are in a group with all of them. */
export function mayFollow(groups: FeatureGroups, path: readonly number[]): Uint8Array {
  const allowed = new Uint8Array(groups[0]!.length);
  for (const group of groups) {
    if (!path.every(feature => group[feature] === 1)) continue;
    group.forEach((inside, feature) => {
      if (inside === 1) allowed[feature] = 1;
    });
  }
  return allowed;
}
