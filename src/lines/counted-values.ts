/**
 * Values of queries at many scores, for measures that follow from how many documents are above each
 * (counted-form.ts): short lists are counted by a kernel and never sorted.
 */
import type { Dataset } from '../data/dataset.js';
import { longestQuery } from '../data/longest-query.js';
import { CountedKernel } from '../kernels/counted-values.js';
import { evaluateQuery } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import { DatasetView } from '../measures/query-view.js';
import { type CountedForm, countedForm } from './counted-form.js';

/** Of longer lists sorting is the faster way. */
const LONGEST = 128;
/** Multiples of it are spread evenly over the numbers from 0 to 1, and in no order. */
const GOLDEN = 0.6180339887498949;
const ROUNDING = 1e-9;

export class CountedValues {
  readonly #offsets: Uint32Array;
  readonly #form: CountedForm;
  readonly #kernel: CountedKernel;
  #rows = 0;
  #queries = 0;

  /** For at most so many documents and queries at a time. Undefined where the measure or the lists are not for it. */
  static of(data: Dataset, measure: Measure, documents: number, queries: number): CountedValues | undefined {
    if (longestQuery(data) > LONGEST) return undefined;
    const form = countedForm(data, measure);
    const counted = form && new CountedValues(data, form, new CountedKernel(documents, queries));
    return counted?.agreesWith(measure, data) ? counted : undefined;
  }

  /** On some ranking: a measure that a program made may have the form of another. */
  agreesWith(measure: Measure, data: Dataset): boolean {
    const view = new DatasetView(data);
    const scores = Float64Array.from({ length: data.rows }, (_, row) => (row * GOLDEN) % 1);
    for (let q = 0; q < data.queries; q++) {
      this.show(q, q + 1);
      const found = this.at(scores.subarray(this.#offsets[q]!))[0]!;
      const expected = evaluateQuery(measure, view.moveTo(q, scores));
      if (
        Number.isNaN(found) !== Number.isNaN(expected) ||
        Math.abs(found - expected) > ROUNDING * Math.max(1, Math.abs(expected))
      )
        return false;
    }
    return true;
  }

  private constructor({ offsets }: Dataset, form: CountedForm, kernel: CountedKernel) {
    this.#offsets = offsets;
    this.#form = form;
    this.#kernel = kernel;
  }

  /** The queries whose values are asked for next. */
  show(firstQuery: number, lastQuery: number): void {
    const { arrays } = this.#kernel;
    const { gain, discounts, moments, norm } = this.#form;
    const from = this.#offsets[firstQuery]!;
    const to = this.#offsets[lastQuery]!;
    this.#rows = to - from;
    this.#queries = lastQuery - firstQuery;
    arrays.gain.set(gain.subarray(from, to));
    arrays.discounts.set(discounts.subarray(from + firstQuery, to + lastQuery));
    arrays.moments.set(moments.subarray(from + firstQuery, to + lastQuery));
    arrays.norm.set(norm.subarray(firstQuery, lastQuery));
    for (let q = 0; q <= this.#queries; q++) arrays.first[q] = this.#offsets[firstQuery + q]! - from;
  }

  /** One a query shown, NaN where the measure is undefined, from a score a document of theirs; used again. */
  at(scores: Float64Array): Float64Array {
    const { arrays } = this.#kernel;
    arrays.scores.set(scores.subarray(0, this.#rows));
    this.#kernel.values(this.#queries, this.#form.precision);
    return arrays.value;
  }
}
