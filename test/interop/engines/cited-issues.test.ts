/**
 * What users of the engines reported: offline scores and engine scores differ. Each issue is a test of the rule of the
 * versions it is about.
 */
import { describe, expect, it } from 'vitest';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { engineScorer } from '#listwise/interop/engines/engine-scorer.js';
import { findEngine, ruleFor } from '#listwise/interop/engines/find-rules.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { stump } from './stump.js';

/** A missing value and 0 go to different leaves: 10 is where it says it goes, 20 where 0 goes. */
const positive = stump({ threshold: -1, missingLeft: true, left: 10, right: 20 });
const missingRight = stump({ threshold: 1, missingLeft: false, left: 20, right: 10 });

function scoreOf(model: TreesModel, engine: string, value: number, format = 'xgboost-dump'): number {
  return engineScorer(model, ruleFor(findEngine(engine), model.kind, format)).score([value]);
}

describe('a missing value', () => {
  it.each(['6.8', '7.17.0', '8.8.1', '8.11.3'])('o19s #481: is 0 in the plugin for Elasticsearch %s', version => {
    expect(scoreOf(positive, `elasticsearch-ltr@${version}`, Number.NaN)).toBe(20);
    expect(scoreOf(missingRight, `elasticsearch-ltr@${version}`, Number.NaN)).toBe(20);
  });

  it.each(['8.11.4', '8.14.3', '9.0.8'])('o19s #482: goes where its node says for Elasticsearch %s', version => {
    expect(scoreOf(positive, `elasticsearch-ltr@${version}`, Number.NaN)).toBe(10);
    expect(scoreOf(missingRight, `elasticsearch-ltr@${version}`, Number.NaN)).toBe(10);
  });

  it.each(['1.3', '2.19', '3.1'])('OpenSearch #200: is 0 in OpenSearch %s', version => {
    expect(scoreOf(positive, `opensearch@${version}`, Number.NaN)).toBe(20);
    expect(scoreOf(missingRight, `opensearch@${version}`, Number.NaN)).toBe(20);
  });

  it.each(['3.2', '3.5.0', '3.7'])('OpenSearch #206: goes right in OpenSearch %s, whatever its node says', version => {
    expect(scoreOf(positive, `opensearch@${version}`, Number.NaN)).toBe(20);
    expect(scoreOf(missingRight, `opensearch@${version}`, Number.NaN)).toBe(10);
  });

  it.each(['3.8', '3.9.1'])('OpenSearch #379: goes where its node says in OpenSearch %s', version => {
    expect(scoreOf(positive, `opensearch@${version}`, Number.NaN)).toBe(10);
    expect(scoreOf(missingRight, `opensearch@${version}`, Number.NaN)).toBe(10);
  });

  it('OpenSearch #286: is 0 in a model that was trained so, in any version that follows nodes', () => {
    const zero = stump({ threshold: -1, missingLeft: false, left: 10, right: 20 });
    for (const version of ['2.19', '3.8'])
      expect(scoreOf(zero, `opensearch@${version}`, Number.NaN)).toBe(scoreOf(zero, `opensearch@${version}`, 0));
  });

  it('OpenSearch #389: is 0 where a dump says missing_as_zero, whatever its nodes say', () => {
    const splits = JSON.parse(String(exportModel(positive, { to: 'xgboost-dump' }).files[0]!.content));
    const dump = (missing_as_zero: boolean) =>
      importModel(JSON.stringify({ objective: 'rank:ndcg', missing_as_zero, splits })).model;
    expect(dump(false).scoreRow([Number.NaN])).toBe(10);
    expect(dump(true).scoreRow([Number.NaN])).toBe(20);
  });
});

describe('digits', () => {
  it('o19s #497: a dump from here has all digits of thresholds and leaves', () => {
    const threshold = Math.fround(0.1 + 1e-8);
    const model = stump({ threshold, missingLeft: true, left: 1 / 3, right: -1 / 3 });
    const back = importModel(exportModel(model, { to: 'xgboost-dump' }).files[0]!.content).model;
    if (!(back instanceof TreesModel)) throw new Error(back.kind);
    expect(back.trees[0]!.threshold[0]).toBe(threshold);
    expect([...back.trees[0]!.value]).toEqual([Math.fround(1 / 3), -Math.fround(1 / 3)]);
  });
});
