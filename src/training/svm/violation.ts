/** What a loss is: it finds the ranking of a query that a model finds most tempting for how wrong it is. */
import { ListwiseError } from '../../errors.js';
import type { Steps } from '../../steps.js';

export interface Violation {
  /** How wrong the ranking is, between 0 and 1. */
  readonly loss: number;
  /** By document: Psi of the right ranking less Psi of this one is the sum of these times the features. */
  readonly coefficients: Float64Array;
}

/** Labels may be NaN: no part of the query. */
export interface ViolationSearch {
  /** Whether any ranking of a query with these labels can be wrong. */
  canBeWrong(labels: Float64Array): boolean;
  /**
   * The most violated ranking of one query; undefined where none can be wrong. `before` are the scores of a model
   * before, for losses that take the right order of documents of one label from it. In steps: a query may be long.
   */
  find(scores: Float64Array, labels: Float64Array, before: Float64Array): Steps<Violation | undefined>;
}

/** Documents with a label that passes, highest score first. */
export function sortedDocuments(
  scores: Float64Array,
  labels: Float64Array,
  passes: (label: number) => boolean,
): Uint32Array {
  const documents: number[] = [];
  for (let d = 0; d < scores.length; d++) if (passes(labels[d]!)) documents.push(d);
  return byScore(documents, scores);
}

/** The highest score first. */
export function byScore(documents: number[], scores: Float64Array): Uint32Array {
  return Uint32Array.from(documents.sort((a, b) => scores[b]! - scores[a]! || a - b));
}

/** A table of `numbers`, `bytes` each, that one query needs: of a long one more than any machine has room for. */
export function roomFor<T>(make: () => T, what: string, numbers: number, bytes: number): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const count = (n: number) => n.toLocaleString('en-GB');
    throw new ListwiseError(
      'data-too-large',
      `the most violated ranking of a query needs a number for each ${what}: ${count(numbers)} here, ${count(Math.ceil((bytes * numbers) / 2 ** 30))} GiB; ` +
        'train on fewer documents a query, or with loss=pairs, whose need grows with the documents alone, as that of form=positions with positions=linear does where grades are few',
    );
  }
}
