/** Single queries for the tests of measures: made, shown as views, and thrown by fast-check. */

import fc from 'fast-check';
import { Dataset } from '#listwise/data/dataset.js';
import { DatasetView } from '#listwise/measures/query-view.js';

export interface List {
  /** Labels by document; NaN is unjudged. */
  labels: readonly number[];
  scores: readonly number[];
  /** Labels of judged documents that are not in the list. */
  outside: readonly number[];
}

/** A list in the order given: scores fall from the first document to the last. */
export function ranked(labels: readonly number[], outside: readonly number[] = []): List {
  return { labels, scores: labels.map((_, i) => labels.length - i), outside };
}

export function datasetOf(list: List, sources: Readonly<Record<string, readonly number[]>> = {}): Dataset {
  const labels = new Map([['label', Float64Array.from(list.labels)]]);
  for (const [name, values] of Object.entries(sources)) labels.set(name, Float64Array.from(values));
  return new Dataset({
    featureNames: [],
    blocks: [],
    offsets: Uint32Array.of(0, list.labels.length),
    queryIds: ['q'],
    labels,
    unranked: new Map([
      ['label', { offsets: Uint32Array.of(0, list.outside.length), values: Float64Array.from(list.outside) }],
    ]),
  });
}

export function viewOf(list: List): DatasetView {
  return new DatasetView(datasetOf(list)).moveTo(0, list.scores);
}

/** Labels by rank, and the scores beside them, sorted naively; ties in input order. */
export function byRank(list: List): { labels: number[]; scores: number[] } {
  const order = list.labels.map((_, i) => i).sort((i, j) => list.scores[j]! - list.scores[i]! || i - j);
  return { labels: order.map(i => list.labels[i]!), scores: order.map(i => list.scores[i]!) };
}

/** The list after the documents at ranks a and b (from 0) have traded scores. */
export function swapScores(list: List, a: number, b: number): List {
  const order = list.labels.map((_, i) => i).sort((i, j) => list.scores[j]! - list.scores[i]! || i - j);
  const scores = [...list.scores];
  scores[order[a]!] = list.scores[order[b]!]!;
  scores[order[b]!] = list.scores[order[a]!]!;
  return { ...list, scores };
}

const grade = fc.integer({ min: 0, max: 4 });
const real = fc.integer({ min: 0, max: 400 }).map(value => value / 100);
/** Click labels in [0, 1], many of them 0. */
export const click = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 100 }).map(value => value / 100),
);

function listOf(label: fc.Arbitrary<number>, unjudged: boolean, { min, max }: { min: number; max: number }) {
  const any = unjudged
    ? fc.oneof({ weight: 4, arbitrary: label }, { weight: 1, arbitrary: fc.constant(Number.NaN) })
    : label;
  return fc.array(any, { minLength: min, maxLength: max, size: 'max' }).chain(labels =>
    fc.record({
      labels: fc.constant(labels),
      // Distinct scores, in any order.
      scores: fc.shuffledSubarray(
        labels.map((_, i) => i * 0.375 - 1),
        { minLength: labels.length, maxLength: labels.length },
      ),
      outside: unjudged ? fc.array(label, { maxLength: 6 }) : fc.constant([]),
    }),
  );
}

/** Short lists of distinct scores: grades or real labels, some unjudged, some judged documents outside. */
export const anyList: fc.Arbitrary<List> = fc.oneof(
  { weight: 4, arbitrary: listOf(grade, true, { min: 1, max: 12 }) },
  { weight: 2, arbitrary: listOf(real, true, { min: 1, max: 12 }) },
  { weight: 2, arbitrary: listOf(fc.integer({ min: 0, max: 1 }), true, { min: 1, max: 12 }) },
  { weight: 1, arbitrary: listOf(grade, true, { min: 16, max: 24 }) },
);

/** Lists in which every document is judged and none is outside. */
export const completeList: fc.Arbitrary<List> = fc.oneof(
  listOf(grade, false, { min: 1, max: 12 }),
  listOf(real, false, { min: 1, max: 12 }),
);

/** A list with more distinct labels than a table of counts is made for. */
export const manyLabels: fc.Arbitrary<List> = listOf(real, false, { min: 90, max: 100 }).filter(
  list => new Set(list.labels).size > 70,
);

export const clickList: fc.Arbitrary<List> = listOf(click, true, { min: 1, max: 12 });
