/** Measures in every way that programs have them; see train.ts for how this is checked. */

import type { Model } from 'listwise';
import {
  compareSystems,
  type Dataset,
  evaluate,
  type MeasureResult,
  normalise,
  parseMeasure,
  parseMeasures,
  rank,
  readDataset,
} from 'listwise';

declare const data: Dataset;
declare const scores: Float64Array;
declare const model: Model;

export const results: MeasureResult[][] = [
  evaluate(data, scores, 'ndcg@10,ap'),
  evaluate(data, scores, ['ndcg@10', parseMeasure('ap')]),
  evaluate(data, scores, parseMeasures('ndcg@5')),
  evaluate(data, scores, [...parseMeasures('ndcg@5'), parseMeasure('ap'), 'rr'], { ties: 'input' }),
];

export const compared = compareSystems([{ name: 'a', data, scores }], 'ndcg@10');

// @ts-expect-error a misspelt rule for ties
evaluate(data, scores, 'ap', { ties: 'inputs' });

export const id: string | undefined = rank(model, [{ id: 'a', features: { bm25: 1, brand: 'Acme' } }])[0]?.document.id;
// @ts-expect-error no features
rank(model, [{ id: 'a' }]);

normalise(data, 'zscore');
void readDataset('train.txt', { normalise: 'linear' });
// @ts-expect-error a misspelt normalisation
normalise(data, 'z-score');
// @ts-expect-error a misspelt normalisation
void readDataset('train.txt', { normalise: 'min-max' });
