/** From LambdaRank's forces to those of the sigmoid objective as trees are added: does giving up on lost causes pay? */
import type { z } from 'zod';
import type { Section } from '../../report/page.js';
import { significant } from '../contest.js';
import {
  aboveFrom,
  type CutDifference,
  type CutFigure,
  cutDifference,
  cutFigures,
  differenceInWords,
  differencesTable,
  figuresChart,
  figuresTable,
  largestP,
} from '../cut-table.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { chosenSection, type JudgedMethod, methodConfig, SVORE, svoreConfig, trainAndJudge } from '../svore.js';

/** Table 2: NDCG at 1 to 10, in points; the names stand for the rows. */
const PAPER = {
  newton: ['Baseline (Newton)', '62.27 61.43 61.66 62.29 62.88 63.49 64.00 64.47 64.83 65.17'],
  gradient: ['Baseline (Gradient Descent)', '62.47 61.53 61.94 62.57 63.17 63.75 64.28 64.77 65.16 65.51'],
  exponential: ['λ(L) + λ(S), Exponential', '62.66 61.69 62.15 62.74 63.39 63.98 64.50 64.96 65.37 65.71'],
  linear: ['λ(L) + λ(S), Linear', '62.56 61.82 62.19 62.78 63.33 63.97 64.47 64.91 65.32 65.68'],
  exponential3: ['λ(L) + λ(S@3), Exponential', '62.23 61.5 61.75 62.3 62.9 63.4 63.87 64.3 64.67 65.03'],
  linear3: ['λ(L) + λ(S@3), Linear', '62.3 61.64 61.82 62.43 62.99 63.51 64.02 64.45 64.82 65.14'],
} as const;
type Row = keyof typeof PAPER;
const rowNames = Object.keys(PAPER) as Row[];

const config = svoreConfig.extend({
  gradient: methodConfig,
  exponential: methodConfig,
  linear: methodConfig,
  exponential3: methodConfig,
  linear3: methodConfig,
});
type Config = z.output<typeof config>;

/** What is compared with what. */
const comparisons = [
  ['gradient', 'newton'],
  ['exponential', 'gradient'],
  ['linear', 'gradient'],
  ['exponential', 'newton'],
  ['linear', 'newton'],
  ['exponential', 'exponential3'],
  ['linear', 'linear3'],
  ['linear', 'exponential'],
] as const satisfies readonly (readonly [Row, Row])[];

interface Outcome {
  readonly queries: number;
  readonly rows: readonly {
    readonly row: Row;
    readonly runs: JudgedMethod['runs'];
    readonly ndcg: readonly CutFigure[];
  }[];
  /** In the order of `comparisons`. */
  readonly differences: readonly CutDifference[];
}

export const svore2011Table2 = defineExperiment<Config, Outcome>({
  name: 'svore-2011-table-2',
  title: 'an objective that changes as trees are added',
  paper: `${SVORE}, Table 2`,
  collections: [],
  config,
  async run(settings, lab) {
    const methods = { newton: settings.baseline, ...settings };
    const judged = await trainAndJudge(
      settings,
      rowNames.map(row => ({ method: methods[row], measures: ['ndcg'] })),
      lab,
    );
    const samples = judged.map(method => method.samples.get('ndcg')!);
    const of = (row: Row) => samples[rowNames.indexOf(row)]!;
    return {
      queries: samples[0]![0]!.flatMap(({ values }) => values).length,
      rows: rowNames.map((row, r) => ({ row, runs: judged[r]!.runs, ndcg: cutFigures(samples[r]!) })),
      differences: comparisons.map(([row, base]) =>
        cutDifference(`${PAPER[row][0]} less ${PAPER[base][0]}`, of(row), of(base)),
      ),
    };
  },
  findings,
  sections: ({ queries, rows, differences }) => [
    figures(rows, differences),
    chosenSection(
      queries,
      rows.map(({ row, runs }) => ({ name: PAPER[row][0], runs })),
    ),
  ],
});

/** All claims are held to the cut-offs from here on: the paper excepts 1 and 2 where it says at which it found significance. */
const FIRST = 3;

function findings({ differences }: Outcome): Finding[] {
  const difference = (row: Row, base: Row) =>
    differences[comparisons.findIndex(([one, other]) => one === row && other === base)]!;
  /** The claim that a row is significantly above another. */
  const above = (row: Row, base: Row, claim: string, words = 'significantly better at 3 to 10'): Finding => ({
    claim,
    paper: `${words}: ${printedGap(row, base)}`,
    ours: differenceInWords(difference(row, base)),
    p: largestP(FIRST, difference(row, base)),
    holds: aboveFrom(FIRST, difference(row, base)),
  });
  const schedules = difference('linear', 'exponential');
  return [
    above('gradient', 'newton', 'gradient steps are better than Newton steps'),
    above('exponential', 'gradient', 'λ(L) + λ(S), exponential, is better than gradient steps alone'),
    above('linear', 'gradient', 'λ(L) + λ(S), linear, is better than gradient steps alone'),
    above('exponential', 'newton', 'λ(L) + λ(S), exponential, is better than Newton steps'),
    above('linear', 'newton', 'λ(L) + λ(S), linear, is better than Newton steps'),
    above('exponential', 'exponential3', 'exponential: λ(S) is better than λ(S@3)', 'significantly better'),
    above('linear', 'linear3', 'linear: λ(S) is better than λ(S@3)', 'significantly better'),
    {
      claim: 'both schedules give equivalent models',
      paper: `equivalent: linear less exponential ${printedGap('linear', 'exponential')}`,
      ours: differenceInWords(schedules),
      p: Math.min(...schedules.against.map(({ p }) => p.t)),
      holds: !schedules.against.some(one => significant(one, 't')),
    },
  ];
}

function printedGap(row: Row, base: Row): string {
  const [figures, from] = [row, base].map(name => PAPER[name][1].split(' ').map(Number)) as [number[], number[]];
  const gap = (cut: number) => figures[cut - 1]! - from[cut - 1]!;
  return [1, 3, 10].map(cut => `${gap(cut) < 0 ? '−' : '+'}${Math.abs(gap(cut)).toFixed(2)} at ${cut}`).join(', ');
}

function figures(rows: Outcome['rows'], differences: Outcome['differences']): Section {
  const table = rows.map(({ row, ndcg }) => ({ name: PAPER[row][0], paper: PAPER[row][1].split(' '), here: ndcg }));
  return {
    title: 'NDCG on the test queries',
    lead: 'In points of 100; p is of the paired t-test.',
    blocks: [
      figuresChart('NDCG on the test queries', 'NDCG', table),
      figuresTable('NDCG on the test queries', table),
      differencesTable('Differences', differences),
    ],
  };
}
