/**
 * Elasticsearch's own learning to rank. Scores are raised since #125694: it is in the release notes of 9.0.1, not of
 * 9.0.0, and was taken into the branch of 8.19 (#126149) after that of 8.18 had parted; eland, the vendor's own client,
 * expects it from 8.19 and from 9.0.1 on.
 */
import type { EngineRule } from '../rule.js';
import { asIs, lucene, ranklibTrees } from './shared.js';

const trees = { ...ranklibTrees, missing: 'node', leaf: asIs, sums: 'compensated' } as const;

function asGiven(since: string, before: string): EngineRule {
  const evidence = 'TreeInferenceModel, WeightedSum, LearningToRankRescorer';
  return { engine: 'elasticsearch', since, before, format: 'elasticsearch', trees, ...lucene, evidence };
}

function raised(since: string, before?: string): EngineRule {
  const evidence = 'BoundedWindowInferenceModel (#125694)';
  const score = { returns: 32, negative: 'raised' } as const;
  return { engine: 'elasticsearch', since, before, format: 'elasticsearch', trees, ...score, evidence };
}

export const elasticsearchRules: readonly EngineRule[] = [
  asGiven('8.12', '8.19'),
  raised('8.19', '9'),
  asGiven('9', '9.0.1'),
  raised('9.0.1'),
];
