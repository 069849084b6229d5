/** What rules of several engines are made of. */
import { plainNode, strictNode } from '../../written-node.js';
import type { TreesRule } from '../rule.js';

export const float32 = Math.fround;
export const asIs = (value: number) => value;

export const ranklibTrees: TreesRule = {
  written: plainNode,
  compares: '<=',
  missing: 'zero',
  leaf: float32,
  sums: 'float32',
};
export const onnxTrees: TreesRule = { ...ranklibTrees, missing: 'node' };
export const xgboostTrees: TreesRule = { ...onnxTrees, written: strictNode, compares: '<' };

/**
 * What ONNX files hold: trees without LOGISTIC, which onnxruntime reads over where there is one score. Sums of linear
 * models and nets are in an order of the runtime's own.
 */
export const onnx = {
  format: 'onnx',
  trees: onnxTrees,
  linear: { width: 32, standardises: 'as-here', intercept: true },
  net: { standardises: 'as-here' },
} as const;

/** Scores of Lucene. */
export const lucene = { returns: 32, negative: 'disallowed' } as const;
export const anyScore32 = { returns: 32, negative: 'kept' } as const;
export const anyScore64 = { returns: 64, negative: 'kept' } as const;

export const zeros =
  'Train on what the engine sees: read the data with `absent: zero`, or fill what is missing with 0.';
