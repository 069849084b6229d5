/**
 * What is known of a list beside the value of a measure: how many documents of each label it holds, and what they gain.
 */
import type { ExpectationForm } from '../../measures/forms/expectation.js';
import type { QueryView } from '../../measures/measure.js';

export interface LabelClasses {
  /** The distinct labels of the list, lowest first; NaN, the unjudged documents, before all. */
  readonly labels: Float64Array;
  /** Documents of each label. */
  readonly labelCounts: Float64Array;
  /** The class of each label: labels of equal gain are one class, since the measure cannot tell them apart. */
  readonly classOf: Uint32Array;
  /** The gain of each class, lowest first, and its documents. */
  readonly gains: Float64Array;
  readonly counts: Float64Array;
}

export function labelClasses({ gain }: ExpectationForm, view: QueryView, source: string): LabelClasses {
  const found = new Map<number, number>();
  for (const label of view.labels(source).subarray(0, view.n)) found.set(label, (found.get(label) ?? 0) + 1);
  const rank = (label: number) => (Number.isNaN(label) ? -Infinity : label);
  const labels = Float64Array.from(found.keys()).sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  const labelCounts = labels.map(label => found.get(label)!);
  const gains = Float64Array.from(new Set(labels.map(gain))).sort();
  const classOf = Uint32Array.from(labels, label => gains.indexOf(gain(label)));
  const counts = new Float64Array(gains.length);
  for (const [v, c] of classOf.entries()) counts[c]! += labelCounts[v]!;
  return { labels, labelCounts, classOf, gains, counts };
}

/**
 * From probabilities of classes, [class][rank], to those of labels, [label][rank]. Within a class the measure says
 * nothing, so entropy is largest where labels have the same shares at every rank.
 */
export function probabilitiesOfLabels(ofClasses: Float64Array, n: number, classes: LabelClasses): Float64Array {
  const { labels, labelCounts, classOf, counts } = classes;
  const probabilities = new Float64Array(labels.length * n);
  for (let v = 0; v < labels.length; v++) {
    const c = classOf[v]!;
    const share = labelCounts[v]! / counts[c]!;
    for (let r = 0; r < n; r++) probabilities[v * n + r] = share * ofClasses[c * n + r]!;
  }
  return probabilities;
}
