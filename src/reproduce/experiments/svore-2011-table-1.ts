/** Two tiers: does a click measure rise while NDCG stays, where the second tier has a say among documents of equal grade? */
import { z } from 'zod';
import type { Section } from '../../report/page.js';
import { significant } from '../contest.js';
import {
  aboveFrom,
  type CutDifference,
  type CutFigure,
  type CutRow,
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

const signs = ['=', '≈'] as const;
type Sign = (typeof signs)[number];

const measureNames = ['NDCG', 'CNDCG'] as const;
type MeasureName = (typeof measureNames)[number];

/** Table 1: figures at 1 to 10, in points, by click source. */
const PAPER: Readonly<Record<Sign, Readonly<Record<MeasureName, { baseline: string; graded: string }>>>> = {
  '=': {
    NDCG: {
      baseline: '62.27 61.43 61.66 62.29 62.88 63.49 64.00 64.47 64.83 65.17',
      graded: '62.49 61.47 61.77 62.32 62.97 63.49 63.96 64.42 64.78 65.15',
    },
    CNDCG: {
      baseline: '38.54 41.71 43.12 43.93 44.45 44.80 45.06 45.28 45.44 45.59',
      graded: '43.11 45.74 46.75 47.33 47.66 47.89 48.06 48.19 48.30 48.37',
    },
  },
  '≈': {
    NDCG: {
      baseline: '62.27 61.43 61.66 62.29 62.88 63.49 64.00 64.47 64.83 65.17',
      graded: '62.36 61.38 61.59 62.17 62.80 63.35 63.85 64.32 64.72 65.07',
    },
    CNDCG: {
      baseline: '48.81 53.01 55.23 56.67 57.66 58.37 58.92 59.33 59.71 60.02',
      graded: '53.80 57.20 59.33 60.59 61.47 62.08 62.60 62.99 63.29 63.56',
    },
  },
};

const config = svoreConfig.extend({
  /** A label source of clicks, its sign in the paper, and the graded objectives to choose from. */
  sources: z.array(z.strictObject({ sign: z.enum(signs), labels: z.string(), graded: methodConfig })),
});
type Config = z.output<typeof config>;

interface Outcome {
  readonly queries: number;
  /** One a data set. */
  readonly baseline: JudgedMethod['runs'];
  readonly sources: readonly Source[];
}

interface Source {
  readonly sign: Sign;
  readonly graded: JudgedMethod['runs'];
  readonly measures: readonly Compared[];
}

interface Compared {
  readonly measure: MeasureName;
  readonly baseline: readonly CutFigure[];
  readonly graded: readonly CutFigure[];
  /** Graded less baseline. */
  readonly difference: CutDifference;
}

export const svore2011Table1 = defineExperiment<Config, Outcome>({
  name: 'svore-2011-table-1',
  title: 'two tiers of labels: clicks decide among documents of equal grade',
  paper: `${SVORE}, Table 1`,
  collections: [],
  config,
  async run(settings, lab) {
    const specs = settings.sources.map(({ labels }) => ({ NDCG: 'ndcg', CNDCG: `cndcg(labels=${labels})` }));
    const [baseline, ...graded] = (await trainAndJudge(
      settings,
      [
        { method: settings.baseline, measures: ['ndcg', ...specs.map(({ CNDCG }) => CNDCG)] },
        ...settings.sources.map((source, s) => ({ method: source.graded, measures: Object.values(specs[s]!) })),
      ],
      lab,
    )) as [JudgedMethod, ...JudgedMethod[]];
    const sources = settings.sources.map(
      ({ sign }, s): Source => ({
        sign,
        graded: graded[s]!.runs,
        measures: measureNames.map(measure => {
          const [base, tiers] = [baseline, graded[s]!].map(({ samples }) => samples.get(specs[s]![measure])!);
          const difference = cutDifference(`clicks ${sign}, ${measure}: graded less baseline`, tiers!, base!);
          return { measure, baseline: cutFigures(base!), graded: cutFigures(tiers!), difference };
        }),
      }),
    );
    const queries = baseline.samples.get('ndcg')![0]!.flatMap(({ values }) => values).length;
    return { queries, baseline: baseline.runs, sources };
  },
  findings: ({ sources }) => sources.flatMap(findingsOf),
  sections: ({ queries, baseline, sources }) => [
    ...sources.map(section),
    chosenSection(queries, [
      { name: 'Baseline (N.)', runs: baseline },
      ...sources.map(({ sign, graded }) => ({ name: `λ(L) + λ(C) (N.), clicks ${sign}`, runs: graded })),
    ]),
  ],
});

function findingsOf({ sign, measures }: Source): Finding[] {
  const [ndcg, cndcg] = measures.map(({ difference }) => difference) as [CutDifference, CutDifference];
  const printed = (measure: MeasureName) => {
    const [baseline, graded] = [PAPER[sign][measure].baseline, PAPER[sign][measure].graded].map(row => row.split(' '));
    return [0, 2, 9].map(cut => `${baseline![cut]} to ${graded![cut]} at ${cut + 1}`).join(', ');
  };
  const lower = ndcg.against.filter(one => one.difference < 0 && significant(one, 't'));
  return [
    {
      claim: `clicks ${sign}: the graded objective leaves NDCG as it is`,
      paper: `equivalent: ${printed('NDCG')}`,
      ours: differenceInWords(ndcg),
      p: Math.min(...ndcg.against.map(({ p }) => p.t)),
      holds: lower.length === 0,
    },
    {
      claim: `clicks ${sign}: the graded objective raises CNDCG at all cut-offs`,
      paper: `significantly: ${printed('CNDCG')}`,
      ours: differenceInWords(cndcg),
      p: largestP(1, cndcg),
      holds: aboveFrom(1, cndcg),
    },
  ];
}

function section({ sign, measures }: Source): Section {
  const rows = measures.flatMap(({ measure, baseline, graded }): CutRow[] => [
    { name: `Baseline (N.), ${measure}`, paper: PAPER[sign][measure].baseline.split(' '), here: baseline },
    { name: `λ(L) + λ(C) (N.), ${measure}`, paper: PAPER[sign][measure].graded.split(' '), here: graded },
  ]);
  return {
    title: `Clicks ${sign}`,
    lead: `${sign === '=' ? 'Click-through rates after the very query.' : 'Click-through rates after similar queries too.'} In points of 100; p is of the paired t-test.`,
    blocks: [
      figuresChart('On the test queries', 'NDCG, CNDCG', rows),
      figuresTable(`Clicks ${sign}`, rows),
      differencesTable(
        `Clicks ${sign}: graded less baseline`,
        measures.map(({ difference }) => difference),
      ),
    ],
  };
}
