import { TreesModel } from '#listwise/models/trees/trees.js';

/** A model of one split over feature `x`. */
export function stump(split: { threshold: number; missingLeft: boolean; left: number; right: number }): TreesModel {
  const tree = {
    feature: Int32Array.of(0),
    threshold: Float32Array.of(split.threshold),
    missingLeft: Uint8Array.of(split.missingLeft ? 1 : 0),
    left: Int32Array.of(~0),
    right: Int32Array.of(~1),
    value: Float64Array.of(split.left, split.right),
    gain: Float64Array.of(1),
    documents: Float64Array.of(2),
  };
  return new TreesModel({ featureNames: ['x'], trees: [tree] });
}
