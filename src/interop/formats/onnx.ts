/**
 * ONNX: trees as one TreeEnsembleRegressor (ai.onnx.ml 3), linear models and nets as Gemm between standardisation and
 * activations (opset 13). Everything is float32 there: value <= threshold goes left, NaN follows
 * `nodes_missing_value_tracks_true`. Input `features` [documents, features] in the order of the names in the file's
 * `feature_names`, output `scores` [documents, 1].
 */
import type { ModelFormat } from '../format.js';
import { read } from './onnx-read.js';
import { writes } from './onnx-write.js';

export const onnx: ModelFormat = {
  name: 'onnx',
  title: 'ONNX (opset 13, ai.onnx.ml 3)',
  rule: '`<=` goes left, float32; a missing value goes the way of its node; float32 sums',
  extensions: ['.onnx'],
  // A protocol buffer that begins with a small version number.
  recognise: start => start.charCodeAt(0) === 8 && start.charCodeAt(1) <= 32,
  reads: ['trees', 'linear', 'net'],
  read,
  writes,
};
