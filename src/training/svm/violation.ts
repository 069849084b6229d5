/** What a loss is: it finds the ranking of a query that a model finds most tempting for how wrong it is. */

export interface Violation {
  /** How wrong the ranking is, between 0 and 1. */
  readonly loss: number;
  /** By document: Psi of the right ranking less Psi of this one is the sum of these times the features. */
  readonly coefficients: Float64Array;
}

/**
 * The most violated ranking of one query; undefined where no ranking can be wrong. Labels may be NaN: no part of it.
 * `before` are the scores of a model before, for losses that take the right order of documents of one label from it.
 */
export type FindViolation = (scores: Float64Array, labels: Float64Array, before: Float64Array) => Violation | undefined;

/** Documents with a label that passes, highest score first. */
export function sortedDocuments(
  scores: Float64Array,
  labels: Float64Array,
  passes: (label: number) => boolean,
): Uint32Array {
  const documents: number[] = [];
  for (let d = 0; d < scores.length; d++) if (passes(labels[d]!)) documents.push(d);
  return Uint32Array.from(documents.sort((a, b) => scores[b]! - scores[a]! || a - b));
}
