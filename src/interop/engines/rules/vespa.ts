/**
 * Vespa. Its own pages recommend UBJSON, since dumps of XGBoost have fewer digits; dumps from here have all of them,
 * and values at thresholds go the right way there, so the dump comes first. Of XGBoost's objectives none is
 * followed: lists of trees have none, and of UBJSON only the base score is turned into a sum.
 */
import { shortestFloat32 } from '../../../data/writers/shortest-float.js';
import { nextBelow } from '../../float32.js';
import { sigmoid } from '../../transform.js';
import { strictNode, wideNode } from '../../written-node.js';
import type { EngineRule, TreesRule } from '../rule.js';
import { anyScore32, anyScore64, asIs, float32, onnx } from './shared.js';

/** A float32 that was written as a decimal and read as 64 bits. */
const decimal = (value: number) => Number(shortestFloat32(Math.fround(value)));

const trees: TreesRule = { written: strictNode, compares: '<', missing: 'node', leaf: decimal, sums: 'float64' };
const ubjTrees: TreesRule = { ...trees, leaf: float32, baseAtLast: decimal };

export const vespaRules: readonly EngineRule[] = [
  {
    engine: 'vespa',
    since: '7',
    format: 'xgboost-dump',
    trees,
    ...anyScore64,
    namesAreExpressions: true,
    evidence: 'XGBoostParser: !(x >= c) where missing values go to yes',
  },
  {
    engine: 'vespa',
    since: '7',
    format: 'lightgbm-dump',
    trees: { ...trees, written: wideNode, leaf: asIs },
    sigmoid,
    ...anyScore64,
    namesAreExpressions: true,
    evidence: 'LightGBMParser: < where LightGBM has <=',
  },
  {
    engine: 'vespa',
    since: '8.624',
    before: '8.656',
    format: 'xgboost-ubj',
    trees: ubjTrees,
    ...anyScore64,
    namesAreExpressions: true,
    evidence: 'XGBoostUbjParser, in the tags since 8.624.72',
  },
  {
    engine: 'vespa',
    since: '8.656',
    format: 'xgboost-ubj',
    trees: { ...ubjTrees, reads: nextBelow },
    ...anyScore64,
    namesAreExpressions: true,
    evidence: 'XGBoostUbjParser takes the float32 below every split_condition, in the tags since 8.656.31',
    loses: 'values that equal a threshold go right there',
    advice: 'Deploy as xgboost-dump: values that equal a threshold go the right way there.',
  },
  { engine: 'vespa', since: '7', ...onnx, ...anyScore32, evidence: 'onnxruntime' },
];
