/** Every rule that is known, by engine; of one engine and version the format to be preferred comes first. */
import { shortestFloat32 } from '../../data/writers/shortest-float.js';
import { nextBelow } from '../float32.js';
import { catboostNumber } from '../formats/catboost-number.js';
import { plainNode, SOLR_SLACK, slackNode, strictNode, wideNode } from '../written-node.js';
import type { EngineRule, TreesRule } from './rule.js';

const float32 = Math.fround;
const asIs = (value: number) => value;
/** A float32 that was written as a decimal and read as 64 bits. */
const decimal = (value: number) => Number(shortestFloat32(Math.fround(value)));

/** Elasticsearch's and OpenSearch's plugins: a comparison with NaN is false, and what is false goes right. */
const plugin: TreesRule = { written: strictNode, compares: '<', missing: 'right', leaf: float32, sums: 'float32' };
const ranklib: TreesRule = { written: plainNode, compares: '<=', missing: 'zero', leaf: float32, sums: 'float32' };
const solr: TreesRule = { ...ranklib, written: slackNode, reads: condition => Math.fround(condition + SOLR_SLACK) };
const vespa: TreesRule = { written: strictNode, compares: '<', missing: 'node', leaf: decimal, sums: 'float64' };
const vespaUbj: TreesRule = { ...vespa, leaf: float32, baseAtLast: decimal };
const elasticsearch: TreesRule = { ...ranklib, missing: 'node', leaf: asIs, sums: 'compensated' };
const onnx: TreesRule = { ...ranklib, missing: 'node' };

const lucene = { returns: 32, negative: 'disallowed' } as const;
const anyScore32 = { returns: 32, negative: 'kept' } as const;
const anyScore64 = { returns: 64, negative: 'kept' } as const;

const zeros = 'Train on what the engine sees: read the data with `absent: zero`, or fill what is missing with 0.';
const right =
  'Go to OpenSearch 3.8 or later, or train with `absent: zero` and deploy as ranklib, which counts missing values as 0.';
const rawRight =
  'Deploy as xgboost-dump, which follows "missing" in this version, or go to a plugin for Elasticsearch 9.0.8 or later.';

/**
 * Every rule that is known.
 *
 * @example
 * import { engineRules } from 'listwise/interop';
 *
 * for (const { engine, since, format } of engineRules) console.log(engine, since, format);
 */
export const engineRules: readonly EngineRule[] = [
  {
    engine: 'elasticsearch',
    since: '8.12',
    before: '8.18',
    format: 'elasticsearch',
    trees: elasticsearch,
    ...lucene,
    evidence: 'TreeInferenceModel, WeightedSum, LearningToRankRescorer',
  },
  {
    engine: 'elasticsearch',
    since: '8.18',
    format: 'elasticsearch',
    trees: elasticsearch,
    returns: 32,
    negative: 'raised',
    evidence: 'BoundedWindowInferenceModel (#125694)',
  },
  ...pluginRules('elasticsearch-ltr', '6', '8.11.4', 'zero', 'o19s #481', zeros),
  {
    engine: 'elasticsearch-ltr',
    since: '8.11.4',
    format: 'xgboost-dump',
    trees: { ...plugin, missing: 'node' },
    ...lucene,
    evidence: 'o19s #480, #482',
  },
  {
    engine: 'elasticsearch-ltr',
    since: '8.15.2',
    before: '9.0.8',
    format: 'xgboost-raw',
    trees: plugin,
    ...lucene,
    evidence: 'o19s #500, #508: "default_left" is not read',
    advice: rawRight,
  },
  {
    engine: 'elasticsearch-ltr',
    since: '9.0.8',
    format: 'xgboost-raw',
    trees: { ...plugin, missing: 'node' },
    ...lucene,
    evidence: 'o19s #518',
  },
  ...byPlaceRules('elasticsearch-ltr', '6', '7.7'),
  ...pluginRules('opensearch', '1', '3.2', 'zero', 'OpenSearch #200', zeros),
  ...pluginRules('opensearch', '3.2', '3.8', 'right', 'OpenSearch #206: "missing" is read and not used', right),
  {
    engine: 'opensearch',
    since: '3.8',
    format: 'xgboost-dump',
    trees: { ...plugin, missing: 'node' },
    ...lucene,
    evidence: 'OpenSearch #379; #389 adds "missing_as_zero" (issue #286)',
  },
  {
    engine: 'opensearch',
    since: '2.19',
    before: '3.2',
    format: 'xgboost-raw',
    trees: { ...plugin, missing: 'zero' },
    ...lucene,
    evidence: 'OpenSearch #151',
    advice: zeros,
  },
  {
    engine: 'opensearch',
    since: '3.2',
    before: '3.8',
    format: 'xgboost-raw',
    trees: plugin,
    ...lucene,
    evidence: 'OpenSearch #206',
    advice: right,
  },
  {
    engine: 'opensearch',
    since: '3.8',
    format: 'xgboost-raw',
    trees: { ...plugin, missing: 'node' },
    ...lucene,
    evidence: 'OpenSearch #379',
  },
  ...byPlaceRules('opensearch', '1'),
  {
    engine: 'solr',
    since: '6.4',
    before: '9.2',
    format: 'solr',
    trees: solr,
    linear: { width: 32, normalises: true },
    net: {},
    ...anyScore32,
    evidence: 'MultipleAdditiveTreesModel: 1e-6 is added to every threshold',
    advice: `${zeros} Or go to Solr 9.2 or later.`,
  },
  {
    engine: 'solr',
    since: '9.2',
    format: 'solr',
    trees: { ...solr, missing: 'node' },
    linear: { width: 32, normalises: true },
    net: {},
    ...anyScore32,
    evidence: 'SOLR-16596: "isNullSameAsZero": false, "missing" of a node, and NaN as the default of the features',
  },
  {
    engine: 'vespa',
    since: '7',
    format: 'xgboost-dump',
    trees: vespa,
    ...anyScore64,
    evidence: 'XGBoostParser: !(x >= c) where missing values go to yes',
  },
  {
    engine: 'vespa',
    since: '7',
    format: 'lightgbm-dump',
    trees: { ...vespa, written: wideNode, leaf: asIs },
    ...anyScore64,
    evidence: 'LightGBMParser: < where LightGBM has <=',
  },
  {
    engine: 'vespa',
    since: '8.624',
    before: '8.656',
    format: 'xgboost-ubj',
    trees: vespaUbj,
    ...anyScore64,
    evidence: 'XGBoostUbjParser',
  },
  {
    engine: 'vespa',
    since: '8.656',
    format: 'xgboost-ubj',
    trees: { ...vespaUbj, reads: nextBelow },
    ...anyScore64,
    evidence: 'XGBoostUbjParser takes the float32 below every split_condition',
    loses: 'values that equal a threshold go right there',
    advice: 'Deploy as xgboost-dump: values that equal a threshold go the right way there.',
  },
  { engine: 'vespa', since: '7', format: 'onnx', trees: onnx, ...anyScore32, evidence: 'onnxruntime' },
  { engine: 'onnxruntime', since: '1', format: 'onnx', trees: onnx, ...anyScore32, evidence: 'run in the tests' },
  {
    engine: 'lightgbm',
    since: '2.2',
    format: 'lightgbm',
    trees: {
      ...onnx,
      written: wideNode,
      leaf: asIs,
      sums: 'float64',
      zeroMissing: true,
      tinyZeros: true,
      categories: true,
    },
    ...anyScore64,
    evidence: 'LightGBM 4.6 itself',
  },
  ...['xgboost', 'xgboost-ubj'].map(
    (format): EngineRule => ({
      engine: 'xgboost',
      since: format === 'xgboost' ? '1' : '1.6',
      format,
      trees: { ...onnx, written: strictNode, compares: '<', categories: true },
      ...anyScore32,
      evidence: 'XGBoost 1.7.4 itself',
    }),
  ),
  {
    engine: 'catboost',
    since: '0.24',
    format: 'catboost',
    trees: { ...onnx, leaf: catboostNumber, sums: 'float64', baseAtLast: catboostNumber },
    ...anyScore64,
    evidence: 'json_model_helpers.cpp, quantization.h, evaluator_impl.cpp',
  },
];

/** `model/xgboost+json` where "missing" is not followed. */
function pluginRules(
  engine: string,
  since: string,
  before: string,
  missing: TreesRule['missing'],
  evidence: string,
  advice: string,
): EngineRule[] {
  const trees = { ...plugin, missing };
  return [{ engine, since, before, format: 'xgboost-dump', trees, ...lucene, evidence, advice }];
}

/** `model/ranklib` and `model/linear`, which have been the same in all versions but for normalisers. */
function byPlaceRules(engine: string, since: string, normalised = since): EngineRule[] {
  const evidence = 'DenseFeatureVector: missing is 0';
  return [
    ...(since === normalised
      ? []
      : [
          {
            engine,
            since,
            before: normalised,
            format: 'linear',
            linear: { width: 32 },
            ...lucene,
            evidence,
            advice: zeros,
          } as const,
        ]),
    {
      engine,
      since: normalised,
      format: 'linear',
      linear: { width: 32, normalises: true },
      ...lucene,
      evidence: `${evidence}; feature_normalizers (o19s #292)`,
      advice: zeros,
    },
    { engine, since, format: 'ranklib', trees: ranklib, linear: { width: 64 }, ...lucene, evidence, advice: zeros },
  ];
}
