/** The learning-to-rank plugins of Elasticsearch, by the version of Elasticsearch, and of OpenSearch. */
import { sigmoid } from '../../transform.js';
import type { EngineRule, TreesRule } from '../rule.js';
import { lucene, ranklibTrees, xgboostTrees, zeros } from './shared.js';

/** A comparison with NaN is false, and what is false goes right. */
const plugin: TreesRule = { ...xgboostTrees, missing: 'right' };

const right =
  'Go to OpenSearch 3.8 or later, or train with `absent: zero` and deploy as ranklib, which counts missing values as 0.';
const rawRight =
  'Deploy as xgboost-dump, which follows "missing" in this version, or go to a plugin for Elasticsearch 9.0.8 or later.';

type Versions = readonly [since: string, before?: string];

/** Of 64 bits, then of 32: from 17.4 on it is 1. */
const sigmoid32 = (sum: number) => Math.fround(sigmoid(sum));

/** `model/xgboost+json` and `model/xgboost+json+raw`, with a sigmoid where the objective is a logistic one. */
function xgboostRule(
  engine: string,
  [since, before]: Versions,
  format: 'xgboost-dump' | 'xgboost-raw',
  missing: TreesRule['missing'],
  said: Pick<EngineRule, 'evidence' | 'advice'>,
): EngineRule {
  return { engine, since, before, format, trees: { ...plugin, missing }, sigmoid: sigmoid32, ...lucene, ...said };
}

/** `model/ranklib` and `model/linear`, which have been the same in all versions but for normalisers. */
function byPlaceRules(engine: string, since: string, normalised = since): EngineRule[] {
  const evidence = 'DenseFeatureVector: missing is 0';
  const linear = { engine, format: 'linear', ...lucene, advice: zeros } as const;
  const before = { ...linear, since, before: normalised, linear: { width: 32 }, evidence } as const;
  return [
    ...(since === normalised ? [] : [before]),
    {
      ...linear,
      since: normalised,
      linear: { width: 32, standardises: 'normalisers' },
      evidence: `${evidence}; feature_normalizers (o19s #292)`,
    },
    {
      engine,
      since,
      format: 'ranklib',
      trees: ranklibTrees,
      linear: { width: 64, intercept: true },
      ...lucene,
      evidence,
      advice: zeros,
    },
  ];
}

const ES = 'elasticsearch-ltr';
const OS = 'opensearch';
const [DUMP, RAW] = ['xgboost-dump', 'xgboost-raw'] as const;

export const pluginRules: readonly EngineRule[] = [
  {
    ...xgboostRule(ES, ['6', '7.5.2'], DUMP, 'zero', { evidence: 'o19s #481', advice: zeros }),
    sigmoid: undefined,
  },
  xgboostRule(ES, ['7.5.2', '8.11.4'], DUMP, 'zero', {
    evidence: 'o19s #481; objectives (o19s #247)',
    advice: zeros,
  }),
  xgboostRule(ES, ['8.11.4'], DUMP, 'node', { evidence: 'o19s #480, #482' }),
  xgboostRule(ES, ['8.15.2', '9.0.8'], RAW, 'right', {
    evidence: 'o19s #500, #508: "default_left" is not read',
    advice: rawRight,
  }),
  xgboostRule(ES, ['9.0.8'], RAW, 'node', { evidence: 'o19s #518' }),
  ...byPlaceRules(ES, '6', '7.7'),
  xgboostRule(OS, ['1', '3.2'], DUMP, 'zero', { evidence: 'OpenSearch #200', advice: zeros }),
  xgboostRule(OS, ['3.2', '3.8'], DUMP, 'right', {
    evidence: 'OpenSearch #206: "missing" is read and not used',
    advice: right,
  }),
  xgboostRule(OS, ['3.8'], DUMP, 'node', {
    evidence: 'OpenSearch #379; #389 adds "missing_as_zero" (issue #286)',
  }),
  // Its tags 2.19.0.0 and 2.19.1.0 do not have XGBoostRawJsonParser.
  xgboostRule(OS, ['2.19.2', '3.2'], RAW, 'zero', { evidence: 'OpenSearch #151', advice: zeros }),
  xgboostRule(OS, ['3.2', '3.8'], RAW, 'right', { evidence: 'OpenSearch #206', advice: right }),
  xgboostRule(OS, ['3.8'], RAW, 'node', { evidence: 'OpenSearch #379' }),
  ...byPlaceRules(OS, '1'),
];
