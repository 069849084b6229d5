/** Which features a node may be split by: those of its tree, or a share of them drawn for each node. */
import { hash32 } from '../../../numeric/random.js';

export interface NodeFeatures {
  /** 1 for each feature that the tree may use. */
  readonly tree: Uint8Array;
  /** The share that each node may use. */
  readonly share: number;
}

/** By the node's key, so that it is the same whoever asks; at least one. */
export function nodeMask({ tree, share }: NodeFeatures, key: number): Uint8Array {
  if (share >= 1) return tree;
  const mask = tree.map((allowed, f) => Number(allowed === 1 && hash32(key, f) < share * 2 ** 32));
  if (mask.includes(1)) return mask;
  const allowed = [...tree.keys()].filter(f => tree[f] === 1);
  mask[allowed[hash32(key, tree.length) % allowed.length]!] = 1;
  return mask;
}

/** The key of a child, from its parent's. */
export function childKey(key: number, isLeft: boolean): number {
  return hash32(key, isLeft ? 1 : 2);
}
