import { describe, expect, it } from 'vitest';
import { parseMeasure, parseMeasures } from '#listwise/measures/parse.js';

describe("other systems' names", () => {
  it.each([
    ['map', 'ap'],
    ['map_cut_10', 'ap@10'],
    ['map@5', 'ap@5'],
    ['gm_map', 'gmap'],
    ['ndcg_cut_20', 'ndcg@20'],
    ['recip_rank', 'rr'],
    ['mrr@10', 'rr@10'],
    ['P_5', 'p@5'],
    ['P_5(rel=2)', 'p(rel=2)@5'],
    ['recall_100', 'recall@100'],
    ['set_recall', 'recall'],
    ['set_F', 'f1'],
    ['success_1', 'success@1'],
    ['Rprec', 'rprec'],
    ['auc', 'pairs'],
    ['iprec_at_recall_0.10', 'iprec(recall=0.1)'],
    ['iprec_at_recall_0.00', 'iprec'],
    ['11pt_avg', '11pt'],
    ['NDCG@10', 'ndcg@10'],
    ['nDCG_cut_10', 'ndcg@10'],
    ['ndcg_cut.5', 'ndcg@5'],
    ['P.5', 'p@5'],
    ['P@5', 'p@5'],
    ['precision@10', 'p@10'],
    ['Precision@10', 'p@10'],
    ['Recall@100', 'recall@100'],
    ['hit@10', 'success@10'],
    ['MAP', 'ap'],
    ['MRR', 'rr'],
    ['MRR@10', 'rr@10'],
    ['iprec_at_recall.0.10', 'iprec(recall=0.1)'],
    ['ndcg@10(gain=linear)', 'ndcg(gain=linear)@10'],
    ['NDCG@10()', 'ndcg@10'],
  ])('%s is %s', (asked, spec) => expect(parseMeasure(asked).spec).toBe(spec));
});

it('a list repeats the last measure with other cut-offs', () => {
  const specs = parseMeasures('ndcg@1,3,map,p(rel=2)@5,10').map(({ measure }) => measure.spec);
  expect(specs).toEqual(['ndcg@1', 'ndcg@3', 'ap', 'p(rel=2)@5', 'p(rel=2)@10']);
});

it('a list repeats the last of the names that end in a number, as trec_eval is asked', () => {
  const specs = parseMeasures('ndcg_cut.5,10,P_5,20,iprec_at_recall.0.1,0.2,map').map(({ measure }) => measure.spec);
  expect(specs.join(' ')).toBe('ndcg@5 ndcg@10 p@5 p@20 iprec(recall=0.1) iprec(recall=0.2) ap');
});

describe('mistakes', () => {
  it.each([
    ['ndgc@10', 'spec-unknown', 'did you mean "ndcg"?'],
    // Two of three letters would have to change for "ap".
    ['bad', 'spec-unknown', 'there is no measure "bad". Measures: ndcg, dcg'],
    ['p', 'spec-parameter', 'p needs a cut-off, as in p@10'],
    ['wta@3', 'spec-parameter', 'wta has no cut-off; write it without "@3"'],
    ['ndcg(gian=linear)', 'spec-parameter', 'did you mean "gain"?'],
    ['ndcg(constructor=1)', 'spec-parameter', 'ndcg has no parameter "constructor"'],
    ['ndcg(__proto__=1)', 'spec-parameter', 'ndcg has no parameter "__proto__"'],
    ['ndcg(gain=0/3/1)', 'spec-parameter', 'gain=0/3/1 is not allowed'],
    ['ndcg(gain=-1/3)', 'spec-parameter', 'gain=-1/3 is not allowed'],
    ['rbp(p=1)', 'spec-parameter', 'p is a number above 0 and below 1'],
    ['err(max=60)', 'spec-parameter', 'max=60 is not allowed'],
    ['ap(2)', 'spec-parameter', 'ap takes parameters as name=value, found "2"'],
    ['P_5@10', 'spec-parameter', '"P_5@10" gives the cut-off twice'],
    ['iprec_at_recall_0.10(recall=0.2)', 'spec-parameter', 'gives the recall twice'],
    ['ndcg@0', 'spec-syntax', 'expected a cut-off of at least 1'],
    ['ndcg@5(gain=linear)@10', 'spec-syntax', 'expected the end'],
    ['NDGC@10', 'spec-unknown', 'did you mean "ndcg"?'],
  ])('%s: %s', (text, code, message) => {
    expect(() => parseMeasure(text)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});
