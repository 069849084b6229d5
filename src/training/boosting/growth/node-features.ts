/** Which features a node may be split by: those of its tree that may follow its path, or a share of them. */
import { hash32 } from '../../../numeric/random.js';
import { type FeatureGroups, mayFollow } from './interactions.js';

export interface NodeFeatures {
  /** 1 for each feature that the tree may use. */
  readonly tree: Uint8Array;
  /** The share that each node may use. */
  readonly share: number;
  /** Features that may meet on a path; any where there are none. */
  readonly groups?: FeatureGroups | undefined;
}

/** By the node's key, so that it is the same whoever asks; at least one where the path leaves any. */
export function nodeMask({ tree, share, groups }: NodeFeatures, key: number, path: readonly number[]): Uint8Array {
  const following = groups && mayFollow(groups, path);
  const all = following === undefined ? tree : tree.map((allowed, f) => allowed & following[f]!);
  if (share >= 1) return all;
  const mask = all.map((allowed, f) => Number(allowed === 1 && hash32(key, f) < share * 2 ** 32));
  if (mask.includes(1)) return mask;
  const allowed = [...all.keys()].filter(f => all[f] === 1);
  if (allowed.length > 0) mask[allowed[hash32(key, all.length) % allowed.length]!] = 1;
  return mask;
}

/** The key of a child, from its parent's. */
export function childKey(key: number, isLeft: boolean): number {
  return hash32(key, isLeft ? 1 : 2);
}
