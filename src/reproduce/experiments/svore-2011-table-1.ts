/** Two tiers: does a click measure rise while NDCG stays, where clicks decide among documents of equal grade? */
import { z } from 'zod';
import type { Section } from '../../report/document.js';
import {
  aboveFrom,
  type CutDifference,
  type CutValue,
  cutDifference,
  cutSection,
  cutValues,
  equivalent,
} from '../cut-table.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { baseline, type Chosen, chosenOf, chosenSection, SVORE, svoreConfig, trainAndEvaluate } from '../svore.js';

const measureNames = ['NDCG', 'CNDCG'] as const;
type MeasureName = (typeof measureNames)[number];
type Printed = Readonly<Record<MeasureName, { baseline: string; graded: string }>>;

/** By the sign of the click source in the paper: our labels, and the values of Table 1 at 1 to 10, in points. */
const sources = {
  '=': {
    labels: 'exact',
    lead: 'Click-through rates after the very query.',
    paper: {
      NDCG: {
        baseline: '62.27 61.43 61.66 62.29 62.88 63.49 64.00 64.47 64.83 65.17',
        graded: '62.49 61.47 61.77 62.32 62.97 63.49 63.96 64.42 64.78 65.15',
      },
      CNDCG: {
        baseline: '38.54 41.71 43.12 43.93 44.45 44.80 45.06 45.28 45.44 45.59',
        graded: '43.11 45.74 46.75 47.33 47.66 47.89 48.06 48.19 48.30 48.37',
      },
    },
  },
  '≈': {
    labels: 'similar',
    lead: 'Click-through rates after similar queries too.',
    paper: {
      NDCG: {
        baseline: '62.27 61.43 61.66 62.29 62.88 63.49 64.00 64.47 64.83 65.17',
        graded: '62.36 61.38 61.59 62.17 62.80 63.35 63.85 64.32 64.72 65.07',
      },
      CNDCG: {
        baseline: '48.81 53.01 55.23 56.67 57.66 58.37 58.92 59.33 59.71 60.02',
        graded: '53.80 57.20 59.33 60.59 61.47 62.08 62.60 62.99 63.29 63.56',
      },
    },
  },
} as const satisfies Record<string, { labels: string; lead: string; paper: Printed }>;
type Sign = keyof typeof sources;
const signs = Object.keys(sources) as Sign[];

const config = svoreConfig.extend({
  /** Of the second tier, w in the paper, to choose from. */
  weights: z.array(z.number()),
});
type Config = z.output<typeof config>;

interface Outcome {
  readonly chosen: Chosen;
  readonly sources: readonly Source[];
}

interface Source {
  readonly sign: Sign;
  readonly measures: readonly Compared[];
}

interface Compared {
  readonly measure: MeasureName;
  readonly baseline: readonly CutValue[];
  readonly graded: readonly CutValue[];
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
    const first = baseline(settings);
    const specs = signs.map(sign => ({ NDCG: 'ndcg', CNDCG: `cndcg(labels=${sources[sign].labels})` }));
    const evaluated = await trainAndEvaluate(
      settings,
      [
        { method: first, measures: ['ndcg', ...specs.map(({ CNDCG }) => CNDCG)] },
        ...signs.map((sign, s) => ({
          method: {
            ...first,
            name: `λ(L) + λ(C) (Newton), clicks ${sign}`,
            objectives: settings.weights.map(
              w => `graded(lambdarank(ndcg),lambdarank(cndcg,labels=${sources[sign].labels}),w=${w})`,
            ),
          },
          measures: Object.values(specs[s]!),
        })),
      ],
      lab,
    );
    return {
      chosen: chosenOf(evaluated),
      sources: signs.map((sign, s) => ({
        sign,
        measures: measureNames.map(measure => {
          const [base, tiers] = [evaluated[0]!, evaluated[s + 1]!].map(
            ({ samples }) => samples.get(specs[s]![measure])!,
          );
          const difference = cutDifference(`${measure}: graded less baseline`, tiers!, base!);
          return { measure, baseline: cutValues(base!), graded: cutValues(tiers!), difference };
        }),
      })),
    };
  },
  findings: outcome => outcome.sources.flatMap(findingsOf),
  sections: outcome => [...outcome.sources.map(section), chosenSection(outcome.chosen)],
});

function findingsOf({ sign, measures }: Source): Finding[] {
  const [ndcg, cndcg] = measures.map(({ difference }) => difference) as [CutDifference, CutDifference];
  const printed = (measure: MeasureName) => {
    const { baseline, graded } = sources[sign].paper[measure];
    const [from, to] = [baseline.split(' '), graded.split(' ')];
    return [1, 3, 10].map(cut => `${from[cut - 1]} to ${to[cut - 1]} at ${cut}`).join(', ');
  };
  const gaps = (measure: MeasureName) => {
    const { baseline, graded } = sources[sign].paper[measure];
    const from = baseline.split(' ');
    return graded.split(' ').map((value, cut) => Number(value) - Number(from[cut]));
  };
  return [
    equivalent(
      `clicks ${sign}: the graded objective leaves NDCG as it is`,
      `equivalent: ${printed('NDCG')}`,
      ndcg,
      // What only rises is not harmed.
      { higherToo: false, printed: gaps('NDCG') },
    ),
    aboveFrom(
      1,
      `clicks ${sign}: the graded objective raises CNDCG at all cut-offs`,
      `significantly: ${printed('CNDCG')}`,
      cndcg,
      gaps('CNDCG'),
    ),
  ];
}

function section({ sign, measures }: Source): Section {
  const { lead, paper } = sources[sign];
  return cutSection(
    `Clicks ${sign}`,
    lead,
    measures.flatMap(({ measure, baseline, graded }) => [
      { name: `Baseline (Newton), ${measure}`, paper: paper[measure].baseline, here: baseline },
      { name: `λ(L) + λ(C) (Newton), ${measure}`, paper: paper[measure].graded, here: graded },
    ]),
    measures.map(({ difference }) => difference),
  );
}
