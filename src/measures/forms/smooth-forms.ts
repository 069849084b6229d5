/** Differentiable forms of a measure; an objective that needs one refuses a measure that has none, by name. */
import type { QueryView } from '../measure.js';

/**
 * The expected value when ranks are random and each document has its own rank distribution (SoftRank).
 *
 * - positional: norm times the sum over documents and ranks of gain (by document) times discount (by rank from 0)
 *   times the
 *   probability that the document has the rank.
 * - precision: norm times the sum over relevant documents (gain 1, others 0) of expected relevant documents down to
 *   it over
 *   expected documents down to it.
 *
 * `fill` returns the norm; NaN where the measure is undefined for the query.
 */
export type SoftForm =
  | { readonly form: 'positional'; fill(view: QueryView, tables: { gain: Float64Array; upper: Float64Array }): number }
  | { readonly form: 'precision'; fill(view: QueryView, gain: Float64Array): number };

/**
 * A ranking in which positions are smooth functions of the scores (the approximation framework). A measure reads it and
 * reports its partial derivatives with respect to what it read; the chain rule down to the scores is the objective's.
 */
export interface SmoothRanking {
  /** The position of a document: a real number from 1, near its rank. */
  position(document: number): number;
  /** Near 1 where the document is in the top k, near 0 elsewhere. */
  within(document: number, k: number): number;
  /** Near 1 where the first document is above the second, near 0 elsewhere. */
  before(first: number, second: number): number;
  /** How many of these documents are above another: the sum of `before` over those that are not the other itself. */
  countBefore(documents: readonly number[], other: number): number;
  addPosition(document: number, partial: number): void;
  addWithin(document: number, k: number, partial: number): void;
  addBefore(first: number, second: number, partial: number): void;
  /** To be called right after `countBefore` of the same. */
  addCountBefore(documents: readonly number[], other: number, partial: number): void;
}

export interface ApproxForm {
  /** The value, NaN where it is undefined for the query; reports every partial derivative on the way. */
  value(view: QueryView, ranking: SmoothRanking): number;
}
