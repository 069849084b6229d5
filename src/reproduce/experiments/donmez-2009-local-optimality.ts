/** LambdaRank for four measures: do random alterations of the learned weights raise the measure on the training data? */
import { z } from 'zod';
import { randomised } from '../../analysis/optimality/index.js';
import type { LinesChart } from '../../report/charts.js';
import type { Section } from '../../report/page.js';
import { count } from '../../report/words.js';
import { type Altered, alter, alterationConfig } from '../altered.js';
import { bestOnValidation, type Trial } from '../best-on-validation.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { generatedConfig, generatedPart } from '../generated.js';
import type { Lab } from '../lab.js';

const config = z.strictObject({
  sets: z.array(generatedConfig.extend({ name: z.string() })),
  models: z.array(z.strictObject({ model: z.string(), rates: z.array(z.number()) })),
  /** Each has a figure of the paper, in this order. */
  measures: z.array(z.string()),
  options: z.record(z.string(), z.unknown()),
  alterations: alterationConfig,
});
type Config = z.output<typeof config>;

interface Case {
  readonly set: string;
  /** Queries. */
  readonly training: number;
  readonly model: string;
  readonly measure: string;
  readonly chosen: Trial;
  readonly learned: Altered;
  /** Random weights of the same length; for the first measure only. */
  readonly random: Altered | undefined;
}

interface Outcome {
  readonly threshold: number;
  readonly cases: readonly Case[];
}

export const donmez2009LocalOptimality = defineExperiment<Config, Outcome>({
  name: 'donmez-2009-local-optimality',
  title: 'whether LambdaRank’s weights are a local optimum of the measure trained for',
  paper: 'Donmez, Svore, Burges 2009, On the local optimality of LambdaRank, Figures 1 to 4 and 6',
  collections: [],
  config,
  async run(settings, lab) {
    const { sets, models, measures, alterations } = settings;
    lab.expect(sets.length * models.length * measures.length);
    const cases: Case[] = [];
    for (const set of sets) {
      for (const model of models) {
        for (const measure of measures) {
          const key = `${set.name}, ${set.training} queries, ${model.model}, ${measure}`;
          cases.push(await lab.step(key, () => trainAndAlter(settings, set, model, measure, lab)));
        }
      }
    }
    return { threshold: alterations.threshold, cases };
  },
  findings({ cases: all, threshold }) {
    // The paper's claims are of large training data; smaller ones are there for comparison.
    const cases = all.filter(({ set, training }) => !all.some(other => other.set === set && other.training > training));
    const measures = [...new Set(cases.map(({ measure }) => measure))];
    return [
      ...measures.map(measure => optimumFinding(measure, cases)),
      thresholdFinding(cases, threshold),
      singleFinding(cases),
      randomFinding(cases, threshold),
    ];
  },
  sections({ cases, threshold }) {
    const measures = [...new Set(cases.map(({ measure }) => measure))];
    return [table(cases, threshold), ...measures.map(measure => curves(measure, cases)), controls(cases, threshold)];
  },
});

/** The test is about training data, so rate and epoch are chosen there too. */
async function trainAndAlter(
  { measures, options, alterations }: Config,
  set: Config['sets'][number],
  { model, rates }: Config['models'][number],
  measure: string,
  lab: Lab,
): Promise<Case> {
  const data = generatedPart(set, 'training', lab.seed);
  const found = await bestOnValidation(
    { objectives: [`lambdarank(${measure})`], rates },
    { data, holdout: 0, model, select: measure, options, seed: lab.seed, threads: lab.threads, signal: lab.signal },
  );
  const [learned] = await alter(found.model, data, [measure], alterations, lab);
  const withRandom = measure === measures[0];
  const random = withRandom
    ? await alter(randomised(found.model, lab.seed), data, [measure], alterations, lab)
    : undefined;
  return {
    ...{ set: set.name, training: set.training, model, measure, chosen: found.chosen, learned: learned! },
    random: random?.[0],
  };
}

const ONE = 'one layer';
const layers = (model: string) => (model === 'linear' ? ONE : 'two layers');

/** The figures 1 to 4: no direction raises the measure. */
function optimumFinding(measure: string, all: readonly Case[]): Finding {
  const cases = all.filter(one => one.measure === measure);
  const told = cases.map(
    ({ set, model, learned: { random } }) =>
      `${set}, ${layers(model)}: ${random.directionsImproved} of ${random.directions} directions, at most ${signed(random.gain)}`,
  );
  return {
    claim: `${measure}: no random direction raises it from the learned weights`,
    paper: 'none of 459, one and two layers, three data sets',
    ours: told.join('; '),
    p: Number.NaN,
    holds: cases.every(({ learned }) => learned.random.directionsImproved === 0),
  };
}

/** How Yilmaz and Robertson 2010 state the same test. */
function thresholdFinding(cases: readonly Case[], threshold: number): Finding {
  const above = cases.filter(({ learned }) => learned.random.directionsAbove > 0);
  const told = above.map(
    ({ set, model, measure, learned: { random } }) =>
      `${measure}, ${set}, ${layers(model)}: ${random.directionsAbove} directions, at most ${signed(random.gain)}`,
  );
  return {
    claim: `no random direction raises the measure by more than ${threshold}`,
    paper: 'none (the test as Yilmaz and Robertson 2010 state it)',
    ours: `true of ${cases.length - above.length} of ${cases.length} models${above.length > 0 ? `; not of ${told.join('; ')}` : ''}`,
    p: Number.NaN,
    holds: above.length === 0,
  };
}

function singleFinding(cases: readonly Case[]): Finding {
  const singles = cases.map(({ learned }) => learned.single!);
  const sum = (counts: readonly number[]) => counts.reduce((total, value) => total + value, 0);
  const [tried, improved] = [
    sum(singles.map(({ directions }) => directions)),
    sum(singles.map(({ directionsImproved }) => directionsImproved)),
  ];
  return {
    claim: 'one weight at a time: no change raises the measure',
    paper: 'in all cases',
    ours: `${improved} of ${tried} weights raise it, at most ${signed(Math.max(...singles.map(({ gain }) => gain)))}`,
    p: Number.NaN,
    holds: improved === 0,
  };
}

/** The paper draws one layer only; two are told too. */
function randomFinding(cases: readonly Case[], threshold: number): Finding {
  const controls = cases.flatMap(({ set, model, random }) => (random === undefined ? [] : [{ set, model, random }]));
  const told = controls.map(
    ({ set, model, random: { random } }) =>
      `${set}, ${layers(model)}: ${random.directionsAbove} of ${random.directions} directions`,
  );
  return {
    claim: `one layer: random weights are no local optimum, to within ${threshold}`,
    paper: '2 of the 4 directions drawn raise NDCG (one layer)',
    ours: `raise it by more than ${threshold}: ${told.join('; ')}`,
    p: Number.NaN,
    holds: controls.every(({ model, random }) => layers(model) !== ONE || random.random.directionsAbove > 0),
  };
}

function signed(gain: number): string {
  return `${gain < 0 ? '−' : '+'}${Math.abs(gain).toFixed(4)}`;
}

function table(cases: readonly Case[], threshold: number): Section {
  return {
    title: 'Alterations of the learned weights',
    lead: 'A direction counts where one of its ten steps raises the measure. With 459 directions one can be 99 % sure that of all directions no larger share than the one told does.',
    blocks: [
      {
        kind: 'table',
        title: 'Directions that raise the measure on the training data',
        columns: [
          { title: 'data' },
          { title: 'queries', style: 'count' },
          { title: 'model' },
          { title: 'measure' },
          { title: 'value', style: 'value' },
          { title: 'directions', style: 'count' },
          { title: 'raise it', style: 'count' },
          { title: 'share at most', style: 'percent' },
          { title: `by more than ${threshold}`, style: 'count' },
          { title: 'most', style: 'difference' },
          { title: 'single weights', style: 'count' },
          { title: 'raise it alone', style: 'count' },
        ],
        rows: cases.map(({ set, training, model, measure, learned: { value, random, single, shareAtMost } }) => [
          ...[set, training, layers(model), measure, value],
          ...[random.directions, random.directionsImproved, shareAtMost, random.directionsAbove, random.gain],
          ...[single!.directions, single!.directionsImproved],
        ]),
      },
    ],
  };
}

function curves(measure: string, all: readonly Case[]): Section {
  const cases = all.filter(one => one.measure === measure);
  return { title: `Shifting the weights: ${measure}`, blocks: cases.map(one => chart(one, one.learned)) };
}

function controls(cases: readonly Case[], threshold: number): Section {
  const tried = cases.flatMap(({ random, ...one }) => (random === undefined ? [] : [{ ...one, random }]));
  return {
    title: 'Shifting random weights',
    lead: 'Random weights of the same length as those learned must fail the test.',
    blocks: [
      {
        kind: 'table',
        title: 'Directions that raise the measure from random weights',
        columns: [
          { title: 'data' },
          { title: 'queries', style: 'count' },
          { title: 'model' },
          { title: 'measure' },
          { title: 'value', style: 'value' },
          { title: 'directions', style: 'count' },
          { title: 'raise it', style: 'count' },
          { title: `by more than ${threshold}`, style: 'count' },
          { title: 'most', style: 'difference' },
        ],
        rows: tried.map(({ set, training, model, measure, random: { value, random } }) => [
          ...[set, training, layers(model), measure, value],
          ...[random.directions, random.directionsImproved, random.directionsAbove, random.gain],
        ]),
      },
      ...tried.map(one => chart(one, one.random, ', from random weights')),
    ],
  };
}

function chart(
  { set, training, model, measure }: Omit<Case, 'random'>,
  { value, steps, curves: drawn }: Altered,
  start = '',
): LinesChart {
  return {
    kind: 'lines',
    title: `${measure}, ${set}, ${count(training)} queries, ${layers(model)}${start}`,
    note: 'Above the dashed line the measure has risen.',
    x: { label: 'step' },
    y: { label: measure, style: 'value' },
    reference: value,
    series: drawn.map((values, d) => ({
      name: `direction ${count(d + 1)}`,
      x: [0, ...steps],
      y: [value, ...values],
    })),
  };
}
