/**
 * Measures that are a sum over documents of gain times the discount of their rank, and for average precision times the
 * relevant documents down to it: forms `linear` and `precision` of src/measures/forms/expectation.ts. What a block of m
 * documents at ranks s to s + m counts, in the mean over its orders, follows from how many are above it: with D and F
 * the sums of discount_r and r discount_r over ranks above r, it is gain/m (D_(s+m) - D_s), and for r relevant
 * documents with P above r/m ((P + 1) (D_(s+m) - D_s) + (r - 1)/(m - 1) (F_(s+m) - F_s - s (D_(s+m) - D_s))).
 */
import type { Dataset } from '../data/dataset.js';
import type { Measure } from '../measures/measure.js';
import { DatasetView } from '../measures/query-view.js';

export interface CountedForm {
  readonly precision: boolean;
  /** By row. */
  readonly gain: Float64Array;
  /** D and F: those of query q begin at offsets[q] + q, and are one more than its documents. */
  readonly discounts: Float64Array;
  readonly moments: Float64Array;
  /** By query; NaN where the measure is undefined. */
  readonly norm: Float64Array;
}

/** Undefined for a measure that is no such sum. */
export function countedForm(data: Dataset, { expectation, labels }: Measure): CountedForm | undefined {
  if (expectation === undefined || expectation.form === 'cascade') return undefined;
  const { offsets, queries, rows } = data;
  const view = new DatasetView(data);
  const scores = new Float64Array(rows);
  const byRank = new Float64Array(view.scores.length);
  const discounts = new Float64Array(rows + queries);
  const moments = new Float64Array(rows + queries);
  const norm = new Float64Array(queries);
  for (let q = 0; q < queries; q++) {
    norm[q] = expectation.fill(view.moveTo(q, scores), byRank);
    for (let r = 0, at = offsets[q]! + q; r < view.n; r++, at++) {
      discounts[at + 1] = discounts[at]! + byRank[r]!;
      moments[at + 1] = moments[at]! + r * byRank[r]!;
    }
  }
  const gain = data.label(labels).map(label => expectation.gain(label));
  return { precision: expectation.form === 'precision', gain, discounts, moments, norm };
}
