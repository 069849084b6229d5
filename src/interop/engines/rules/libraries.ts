/** Libraries that load a model's file. */
import { catboostNumber } from '../../formats/catboost-number.js';
import { sigmoid } from '../../transform.js';
import { wideNode } from '../../written-node.js';
import type { EngineRule } from '../rule.js';
import { anyScore32, anyScore64, asIs, onnx, onnxTrees, xgboostTrees } from './shared.js';

const f32 = Math.fround;

/** In 32 bits throughout, without dividing by what overflows. */
function xgboostSigmoid(sum: number): number {
  const power = f32(Math.exp(Math.min(-sum, f32(88.7))));
  return f32(1 / f32(f32(power + 1) + f32(1e-16)));
}

function xgboostRule(format: string, since: string): EngineRule {
  const evidence = 'XGBoost 1.7.4 itself';
  const linear = { width: 32, intercept: true } as const;
  return {
    engine: 'xgboost',
    since,
    format,
    trees: xgboostTrees,
    linear,
    sigmoid: xgboostSigmoid,
    ...anyScore32,
    evidence,
  };
}

export const libraryRules: readonly EngineRule[] = [
  { engine: 'onnxruntime', since: '1', ...onnx, ...anyScore32, evidence: 'run in the tests' },
  {
    engine: 'lightgbm',
    since: '2.2',
    format: 'lightgbm',
    trees: {
      ...onnxTrees,
      written: wideNode,
      leaf: asIs,
      sums: 'float64',
      zeroMissing: true,
      tinyZeros: true,
    },
    sigmoid,
    ...anyScore64,
    evidence: 'LightGBM 4.6 itself',
  },
  xgboostRule('xgboost', '1'),
  xgboostRule('xgboost-ubj', '1.6'),
  {
    engine: 'catboost',
    since: '0.24',
    format: 'catboost',
    trees: { ...onnxTrees, leaf: catboostNumber, sums: 'float64', baseAtLast: catboostNumber },
    ...anyScore64,
    evidence: 'json_model_helpers.cpp, quantization.h, evaluator_impl.cpp',
  },
];
