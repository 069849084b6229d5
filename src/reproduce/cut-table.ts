/**
 * Values at cut-offs 1 to 10 in the shape of the paper's tables: a row a method, the paper's values above ours, in
 * points of 100.
 */
import { meanInterval } from '../analysis/significance/index.js';
import { mean } from '../numeric/vectors.js';
import type { LinesChart } from '../report/charts.js';
import type { Section, TableBlock } from '../report/document.js';
import { written } from '../report/numbers.js';
import { type Against, against, type Sample, significant, testsOf } from './contest.js';
import type { Drawn } from './drawn.js';
import { ALPHA, above, alike, together } from './evidence.js';
import type { Finding } from './experiment.js';

/** The same colour, dashed: colours come round again after so many. */
const DASHED = 6;

export const cuts = Array.from({ length: 10 }, (_, i) => i + 1);

/** One a cut-off. */
export interface CutValue {
  readonly mean: number;
  readonly interval: readonly [number, number];
}

export interface CutRow {
  readonly name: string;
  /** As the paper prints them, in points, with blanks between; absent where it has no such row. */
  readonly paper?: string | undefined;
  readonly here: readonly CutValue[];
}

/** One method less another, one a cut-off. */
export interface CutDifference {
  readonly name: string;
  readonly against: readonly Against[];
}

/** By cut-off, then by data set. */
export type CutSamples = readonly (readonly Sample[])[];

export function cutValues(samples: CutSamples): CutValue[] {
  return samples.map(ofData => {
    const values = ofData.flatMap(sample => sample.values);
    return { mean: mean(values), interval: meanInterval(Float64Array.from(values), ALPHA) };
  });
}

export function cutDifference(name: string, samples: CutSamples, base: CutSamples): CutDifference {
  return { name, against: samples.map((ofData, cut) => against(ofData, base[cut]!)) };
}

export const points = (share: number) => (100 * share).toFixed(2);
export const signedPoints = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(2)}`;

/** That the one is above the other at all cut-offs from `first` on. */
export function aboveFrom(
  first: number,
  claim: string,
  paper: string,
  difference: CutDifference,
  printed?: readonly number[],
): Finding {
  const from = difference.against.slice(first - 1);
  const ours = differenceInWords(difference);
  const drawn = differenceDrawn(difference, printed);
  return { claim, paper, ours, drawn, ...together(from.map(one => above(...testsOf(one, 't')))) };
}

/** `printed` is the paper's difference, in points. */
export function differenceDrawn({ against }: CutDifference, printed?: readonly number[]): Drawn {
  const end = (e: 0 | 1) => against.map(({ interval }) => 100 * interval[e]);
  const ours = against.map(({ difference }) => 100 * difference);
  return {
    y: 'difference, points',
    x: { label: 'cut-off' },
    reference: 0,
    curves: [{ at: cuts, paper: printed, ours, low: end(0), high: end(1) }],
  };
}

/** That the one is as the other, or not below it, at all cut-offs from `first` on. */
export function equivalent(
  claim: string,
  paper: string,
  difference: CutDifference,
  { higherToo, first = 1, printed }: { higherToo: boolean; first?: number; printed?: readonly number[] },
): Finding {
  const parts = difference.against.slice(first - 1).map(one => alike({ higherToo }, ...testsOf(one, 't')));
  const drawn = differenceDrawn(difference, printed);
  return { claim, paper, ours: differenceInWords(difference), drawn, ...together(parts) };
}

/** Such as "+0.21 at 1, +0.34 at 10; significantly higher at 3 to 8". */
export function differenceInWords({ against }: CutDifference): string {
  const [top, low] = [against[0]!, against.at(-1)!];
  const at = (wanted: (difference: number) => boolean) =>
    cuts.filter((_, c) => wanted(against[c]!.difference) && significant(against[c]!, 't')).join(', ');
  const [higher, lower] = [at(difference => difference > 0), at(difference => difference < 0)];
  return [
    `${signedPoints(top.difference)} at 1, ${signedPoints(against[2]!.difference)} at 3, ${signedPoints(low.difference)} at 10`,
    ...(higher === '' ? [] : [`significantly higher at ${higher}`]),
    ...(lower === '' ? [] : [`significantly lower at ${lower}`]),
    ...(higher + lower === '' ? ['nowhere significant'] : []),
  ].join('; ');
}

/** The values of some methods as a picture and a table, and differences between them. */
export function cutSection(
  title: string,
  lead: string,
  rows: readonly CutRow[],
  differences: readonly CutDifference[],
): Section {
  return {
    title,
    lead: `${lead} In points of 100; p is of the paired t-test.`,
    blocks: [
      valuesChart(`${title}: by cut-off`, rows),
      valuesTable(title, rows),
      differencesTable(`${title}: differences`, differences),
    ],
  };
}

export function valuesTable(title: string, rows: readonly CutRow[]): TableBlock {
  return {
    kind: 'table',
    title,
    columns: [
      { title: 'method' },
      { title: 'where' },
      ...cuts.map(k => ({ title: `@${k}`, style: 'general' as const })),
    ],
    rows: rows.flatMap(({ name, paper, here }) => [
      ...(paper === undefined ? [] : [[name, 'paper', ...paper.split(' ')]]),
      [name, 'here', ...here.map(value => points(value.mean))],
    ]),
  };
}

export function differencesTable(title: string, rows: readonly CutDifference[]): TableBlock {
  return {
    kind: 'table',
    title,
    columns: [{ title: 'difference' }, ...cuts.map(k => ({ title: `@${k}`, style: 'general' as const }))],
    rows: rows.map(({ name, against }) => [
      name,
      ...against.map(({ difference, p }) => ({ value: signedPoints(difference), note: `p ${written(p.t, 'p')}` })),
    ]),
  };
}

function valuesChart(title: string, rows: readonly CutRow[]): LinesChart {
  return {
    kind: 'lines',
    title,
    note: 'Bands are 95 % intervals over queries.',
    x: { label: 'cut-off' },
    y: { label: 'mean over test queries', style: 'value' },
    series: rows.flatMap(({ name, paper, here }, colour) => [
      {
        name,
        colour,
        x: cuts,
        y: here.map(value => value.mean),
        low: here.map(({ interval }) => interval[0]),
        high: here.map(({ interval }) => interval[1]),
      },
      ...(paper === undefined
        ? []
        : [
            {
              name: `${name}, paper`,
              colour: colour + DASHED,
              x: cuts,
              y: paper.split(' ').map(one => Number(one) / 100),
            },
          ]),
    ]),
  };
}
