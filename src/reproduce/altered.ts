/** What altering a model's weights in random directions does to measures: the tables on local optimality. */
import { z } from 'zod';
import {
  exactOptimality,
  localOptimality,
  type Optimality,
  type Rises,
  type Standing,
} from '../analysis/optimality/index.js';
import type { Dataset } from '../data/dataset.js';
import type { Ranker } from '../models/ranker.js';
import { mean } from '../numeric/vectors.js';
import { column, columns } from '../report/columns.js';
import type { Cell, TableColumn } from '../report/document.js';
import { trainNamed } from '../training/train.js';
import { bestOnValidation, type Searched } from './best-on-validation.js';
import type { Lab } from './lab.js';

export const alterationConfig = z.strictObject({
  /** 459 or more for 99 % confidence that fewer than 1 % of all directions lead up, where none does. */
  directions: z.int(),
  /** A rise above this counts apart. */
  threshold: z.number(),
  /** Weights that are altered one at a time too. */
  singles: z.int(),
});
export type AlterationConfig = z.output<typeof alterationConfig>;

/**
 * What steps of 0.1 to 1.0 are lengths of. One: the papers' unit sphere. Weights: shares of the length of the weights
 * altered, so that training that makes weights long does not make steps short.
 */
export const stepKinds = ['one', 'weights'] as const;
export type StepKind = (typeof stepKinds)[number];
export const stepTitles: Record<StepKind, string> = {
  one: 'steps of length 0.1 to 1.0',
  weights: 'steps of 0.1 to 1.0 times the length of the weights',
};

export const ONE_LAYER = 'one layer';

/** As the papers count the layers of a kind of model. */
export function layersOf(model: string): string {
  return model === 'linear' ? ONE_LAYER : 'two layers';
}

/** How the models that are altered are trained. */
export const learnedConfig = z.strictObject({
  model: z.string(),
  rates: z.array(z.number()),
  options: z.record(z.string(), z.unknown()),
  /**
   * A second training, from the weights of the first: its options in the place of the others. Weights of the first
   * stay where it finds none better.
   */
  second: z.record(z.string(), z.unknown()).optional(),
});
export type LearnedConfig = z.output<typeof learnedConfig>;

/** LambdaRank for a measure. Optima are of the training data, so rate and epoch are chosen there too. */
export async function learn(
  { model, rates, options, second }: LearnedConfig,
  measure: string,
  data: Dataset,
  seed: number,
  { threads, signal }: Lab,
): Promise<Pick<Searched, 'model'>> {
  const objective = `lambdarank(${measure})`;
  const settings = { data, holdout: 0, model, select: measure, seed, threads, signal };
  const first = await bestOnValidation({ objectives: [objective], rates }, { ...settings, options });
  if (second === undefined) return first;
  const then = await trainNamed({ ...settings, objective, from: first.model, options: { ...options, ...second } });
  return then.best.values[0]! > first.chosen.validation ? then : first;
}

/** How many of how many alterations raised a measure, and the largest gain. */
export type RiseCount = Pick<
  Rises,
  'directions' | 'alterations' | 'directionsImproved' | 'directionsAbove' | 'improved' | 'above'
> & { readonly gain: number };

export interface Altered {
  readonly measure: string;
  /** Without alteration. */
  readonly value: number;
  /** Of the vector of weights. */
  readonly length: number;
  readonly kind: StepKind;
  readonly standing: Standing;
  readonly random: RiseCount;
  readonly single: RiseCount | undefined;
  /** With 99 % confidence (459 directions) no larger share of all directions raises the measure. */
  readonly shareAtMost: number;
  readonly steps: readonly number[];
  /** The measure at each step, along a few directions. */
  readonly curves: readonly (readonly number[])[];
}

/** One a measure. */
export async function alter(
  model: Ranker,
  data: Dataset,
  measures: readonly string[],
  kind: StepKind,
  { directions, threshold, singles }: AlterationConfig,
  { seed, threads }: Lab,
): Promise<Altered[]> {
  const relative = kind === 'weights';
  const found = await localOptimality(model, data, measures, {
    directions,
    threshold,
    singles,
    relative,
    seed,
    threads,
  });
  return found.map((result, m) => summary(measures[m]!, kind, result));
}

/** Steps of any length, along every weight by itself and some random directions; for one layer. */
export interface ExactLines {
  readonly lines: number;
  /** Lines that rise somewhere by more than the threshold, and the most that one gains. */
  readonly above: number;
  readonly gain: number;
  /** The mean of what lines gain at their best steps. */
  readonly meanGain: number;
}

export async function alterExactly(
  model: Ranker,
  data: Dataset,
  measure: string,
  { directions, threshold }: Pick<AlterationConfig, 'directions' | 'threshold'>,
  { seed, threads }: Lab,
): Promise<ExactLines> {
  const [found] = await exactOptimality(model, data, [measure], {
    directions,
    threshold,
    relative: true,
    seed,
    threads,
  });
  const gains = [...found!.single, ...found!.random].map(({ gain }) => gain);
  return {
    lines: gains.length,
    above: gains.filter(gain => gain > threshold).length,
    gain: Math.max(...gains),
    meanGain: mean(gains),
  };
}

function summary(
  measure: string,
  kind: StepKind,
  { value, norm, standing, random, single, shareAtMost, steps, curves }: Optimality,
): Altered {
  return {
    measure,
    value,
    length: norm,
    kind,
    standing,
    steps,
    random: riseCount(random),
    single: single && riseCount(single),
    shareAtMost: shareAtMost.improved,
    curves: curves.map(({ values }) => values),
  };
}

function riseCount({ best, directions, alterations, directionsImproved, directionsAbove, ...rises }: Rises): RiseCount {
  const { improved, above } = rises;
  return { directions, alterations, directionsImproved, directionsAbove, improved, above, gain: best.gain };
}

/** What a table counts: a direction rises where one of its steps does. */
type Counted = 'directions' | 'alterations';

/** Columns for one set of alterations a row; `riseCells` fills them. */
export function riseColumns(counted: Counted, threshold: number): TableColumn[] {
  return [
    column('value', 'value'),
    column('length', 'general'),
    { title: counted, style: 'count' },
    ...columns('count', 'raise it', `by more than ${threshold}`),
    column('most', 'difference'),
  ];
}

export function riseCells(
  counted: Counted,
  { value, length, random }: Pick<Altered, 'value' | 'length' | 'random'>,
): Cell[] {
  const [improved, above] =
    counted === 'directions' ? [random.directionsImproved, random.directionsAbove] : [random.improved, random.above];
  return [value, length, random[counted], improved, above, random.gain];
}
