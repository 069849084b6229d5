/**
 * Binary relevance: a document is relevant when its label reaches a threshold; an unjudged one (NaN) never does.
 * Number(…) and not a conditional, which would be a branch that the processor guesses wrong every other time: a third
 * of the time of LambdaRank for AP.
 */
import type { QueryView } from '../measure.js';

/**
 * 1 for a relevant label, 0 for another.
 *
 * @example
 * import { relevanceGain } from 'listwise/measures';
 *
 * const gain = relevanceGain(2);
 * console.log(gain(1), gain(2)); // 0 1
 */
export function relevanceGain(threshold: number): (label: number) => number {
  return label => Number(label >= threshold);
}

/** R: the relevant documents of the query, in the list or among all judged ones. */
export function relevantCount(view: QueryView, labels: string, threshold: number, over: 'list' | 'judged'): number {
  const sorted = view.ideal(labels, over);
  let count = 0;
  while (count < sorted.length && sorted[count]! >= threshold) count++;
  return count;
}

/** The relevant ones of labels[start] to labels[end - 1]. */
export function countRelevant(labels: Float64Array, start: number, end: number, threshold: number): number {
  let count = 0;
  for (let r = start; r < end; r++) count += Number(labels[r]! >= threshold);
  return count;
}

/** Writes 1 or 0 for each document into `gain`: the gains of swap tables. */
export function fillRelevance(view: QueryView, labels: string, threshold: number, gain: Float64Array): void {
  const byDocument = view.labels(labels);
  for (let i = 0; i < view.n; i++) gain[i] = Number(byDocument[i]! >= threshold);
}
