/**
 * The emulators against scores that the engines' own classes gave, compiled outside of this project, for files that
 * were written here: 100,000 documents at and beside thresholds and with missing values, of which the digest is kept
 * and the first hundred scores. The plugins: NaiveAdditiveDecisionTree and LinearRanker of the tagged versions, given
 * the trees as their parsers make them; of OpenSearch's also SigmoidNormalizer, and LinearRanker within
 * FeatureNormalizingRanker and its StandardFeatureNormalizer; RankLib's own rankers, which they call, with vectors as
 * theirs. Solr: MultipleAdditiveTreesModel, LinearModel, NeuralNetworkModel of 9.1.1 and 10.0. Vespa: the ranking
 * expressions of XGBoostParser and LightGBMParser (of UBJSON those of its trees, conditions moved as XGBoostUbjParser
 * does). Elasticsearch: EnsembleInferenceModel, TreeInferenceModel and WeightedSum of January 2024, and with
 * BoundedWindowInferenceModel of January 2026, when 9.4 was being made (which releases have it is in versions.test.ts,
 * and cannot be seen here), given the trees as their parsers make them and documents as maps without what is missing.
 * CatBoost: how it reads numbers, puts values between borders, goes down trees and adds the bias, cut out of its
 * sources of August 2026 unchanged, given the trees as its reader of JSON makes them. XGBoost 1.7.4 and LightGBM 4.6
 * themselves.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { engineScorer } from '#listwise/interop/engines/engine-scorer.js';
import { findEngine, ruleFor } from '#listwise/interop/engines/find-rules.js';
import {
  DOCUMENTS,
  fuzzedDocuments,
  fuzzedLinear,
  fuzzedNet,
  fuzzedStandardised,
  fuzzedTrees,
  fuzzedWideTrees,
} from './fuzzed.js';

interface Recorded {
  readonly engine: string;
  readonly format: string;
  /** Of the models below; `wide` are trees, and `standardised` is linear. */
  readonly kind: keyof typeof models;
  readonly transform?: 'sigmoid';
  readonly width: 32 | 64;
  readonly sha256: string;
  /** Numbers; those that are not finite are words. */
  readonly first: readonly (number | string)[];
}

const file = new URL('recorded/scores.json', import.meta.url);
const recorded: readonly Recorded[] = JSON.parse(readFileSync(file, 'utf8'));
const models = {
  trees: fuzzedTrees(),
  linear: fuzzedLinear(),
  net: fuzzedNet(),
  wide: fuzzedWideTrees(),
  standardised: fuzzedStandardised(),
};
const documents = fuzzedDocuments();

describe('scores of the engines themselves', () => {
  it.each(recorded)('$engine as $format: $kind', ({ engine, format, kind, transform, width, sha256, first }) => {
    const model = models[kind];
    const { score } = engineScorer(model, ruleFor(findEngine(engine), model.kind, format), transform);
    // Not a number is one of many, which are all the same here.
    const scores = documents.map(score).map(one => (Number.isNaN(one) ? Number.NaN : one));
    expect(scores.slice(0, first.length)).toEqual(first.map(Number));
    expect(scores).toHaveLength(DOCUMENTS);
    const bits = width === 32 ? Float32Array.from(scores) : Float64Array.from(scores);
    expect(createHash('sha256').update(new Uint8Array(bits.buffer)).digest('hex')).toBe(sha256);
  });

  it('of a sigmoid of 64 bits differ in the last digits at most: LightGBM 4.6', () => {
    const found: number[] = JSON.parse(
      readFileSync(new URL('recorded/lightgbm-sigmoid.json', import.meta.url), 'utf8'),
    );
    const { score } = engineScorer(models.wide, ruleFor(findEngine('lightgbm@4.6'), 'trees'), 'sigmoid');
    const off = found.map((one, i) => Math.abs(score(documents[i]!) - one) / one);
    expect(off).toHaveLength(100);
    expect(Math.max(...off)).toBeLessThanOrEqual(2 ** -51);
  });

  it('are those of several rules', () => {
    const trees = recorded.filter(({ kind, width }) => kind === 'trees' && width === 32);
    expect(new Set(trees.map(({ sha256 }) => sha256)).size).toBeGreaterThanOrEqual(5);
  });
});
