/** What a loss is: it finds the ranking of a query that a model finds most tempting for how wrong it is. */
import { type Need, roomFor } from '../../data/room-for.js';
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

/** A table of one query. */
export function tableFor<T>(make: () => T, of: string, need: Pick<Need, 'numbers' | 'bytes' | 'documents'>): T {
  return roomFor(make, {
    what: `the most violated ranking of a query needs a number for each ${of}`,
    ...need,
    instead:
      'with loss=pairs, whose need grows with the documents alone, as that of form=positions with positions=linear does where grades are few',
  });
}
