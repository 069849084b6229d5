/**
 * What the experiments of Svore, Volkovs, Burges 2011 have in common: generated data with grades and click-through rates, trees chosen
 * on its validation part, and figures at ten cut-offs on its test part. Trainings are shared steps: the baseline stands in both tables
 * and under the figures, and is trained once.
 */
import { z } from 'zod';
import type { Dataset } from '../data/dataset.js';
import { evaluate } from '../measures/evaluate.js';
import { parseMeasure } from '../measures/parse.js';
import { parseModel, printModel } from '../models/model-file.js';
import { scoreData } from '../models/ranker.js';
import { TreesModel } from '../models/trees/trees.js';
import type { Section } from '../report/page.js';
import { count } from '../report/words.js';
import { bestOnValidation, type Trial } from './best-on-validation.js';
import { type CutSamples, cuts } from './cut-table.js';
import { generatedConfig, generatedParts } from './generated.js';
import type { Lab } from './lab.js';

export const SVORE = 'Svore, Volkovs, Burges 2011, Learning to rank with multiple objective functions';

export const methodConfig = z.strictObject({
  name: z.string(),
  /** Of these and the rates the one with the best validation figure is chosen. */
  objectives: z.array(z.string()),
  rates: z.array(z.number()),
  /** Those of its own, such as the step. */
  options: z.record(z.string(), z.unknown()),
});
export type MethodConfig = z.output<typeof methodConfig>;

export const svoreConfig = z.strictObject({
  data: generatedConfig,
  /** Each of another seed. */
  dataSets: z.int(),
  /** The measure that chooses iteration, rate and objective. */
  select: z.string(),
  options: z.record(z.string(), z.unknown()),
  baseline: methodConfig,
});
export type SvoreConfig = z.output<typeof svoreConfig>;

/** One data set. */
export interface DataSet {
  readonly seed: number;
  readonly part: ReturnType<typeof generatedParts>;
}

export function dataSet({ data }: SvoreConfig, seed: number): DataSet {
  return { seed, part: generatedParts(data, seed) };
}

/** A method on one data set. */
export interface TrainedTrees {
  readonly chosen: Trial;
  readonly trials: readonly Trial[];
  readonly model: TreesModel;
}

export async function trainTrees(
  { data, select, options: common }: SvoreConfig,
  { name, objectives, rates, options: own }: MethodConfig,
  { seed, part }: DataSet,
  lab: Lab,
): Promise<TrainedTrees> {
  const options = { ...common, ...own };
  const inputs = { data, select, options, objectives, rates, seed };
  const { text, ...search } = await lab.sharedStep(`${name}, data ${seed}`, inputs, async () => {
    const found = await bestOnValidation(
      { objectives, rates },
      {
        data: part('training'),
        validate: part('validation'),
        ...{ model: 'trees', select, options, seed, threads: lab.threads, signal: lab.signal },
      },
    );
    return { chosen: found.chosen, trials: found.trials, text: printModel(found.model) };
  });
  const model = parseModel(text);
  if (!(model instanceof TreesModel)) throw new RangeError(`trees gave a model of kind ${model.kind}`);
  return { ...search, model };
}

/** A method on all data sets. */
export interface JudgedMethod {
  /** One a data set. */
  readonly runs: readonly Omit<TrainedTrees, 'model'>[];
  /** By measure, as they were asked for. */
  readonly samples: ReadonlyMap<string, CutSamples>;
}

/** Measures are without their cut-offs, such as `ndcg`. */
export async function trainAndJudge(
  settings: SvoreConfig,
  methods: readonly { readonly method: MethodConfig; readonly measures: readonly string[] }[],
  lab: Lab,
): Promise<JudgedMethod[]> {
  const judged = methods.map(({ measures }) => ({
    runs: [] as Omit<TrainedTrees, 'model'>[],
    samples: new Map(measures.map(measure => [measure, cuts.map((): { values: number[] }[] => [])])),
  }));
  lab.expect(methods.length * settings.dataSets);
  for (let i = 0; i < settings.dataSets; i++) {
    const data = dataSet(settings, lab.seed + i);
    const trained: TrainedTrees[] = [];
    for (const { method } of methods) trained.push(await trainTrees(settings, method, data, lab));
    const test = data.part('test');
    for (const [m, { model, ...search }] of trained.entries()) {
      judged[m]!.runs.push(search);
      const scores = scoreData(model, test);
      for (const [measure, samples] of judged[m]!.samples) {
        for (const [cut, values] of valuesAtCuts(measure, scores, test).entries()) samples[cut]!.push({ values });
      }
    }
  }
  return judged;
}

/** Queries without a value are left out, the same ones for every model. */
function valuesAtCuts(measure: string, scores: Float64Array, test: Dataset): number[][] {
  const measures = cuts.map(k => parseMeasure(`${measure}@${k}`));
  return evaluate(test, scores, measures).map(({ values }) => [...values].filter(value => !Number.isNaN(value)));
}

/** What was chosen on validation data; the outcome holds every trial. */
export function chosenSection(
  queries: number,
  methods: readonly { readonly name: string; readonly runs: JudgedMethod['runs'] }[],
): Section {
  return {
    title: 'What was chosen on validation data',
    lead: `By data set. ${count(queries)} test queries altogether.`,
    blocks: [
      {
        kind: 'table',
        title: 'What was chosen on validation data',
        columns: [
          { title: 'method' },
          { title: 'data', style: 'count' },
          { title: 'objective' },
          { title: 'rate', style: 'general' },
          { title: 'trees', style: 'count' },
          { title: 'validation', style: 'value' },
        ],
        rows: methods.flatMap(({ name, runs }) =>
          runs.map(({ chosen: { seed, objective, rate, iteration, validation } }) => [
            ...[name, seed, objective, rate, iteration, validation],
          ]),
        ),
      },
    ],
  };
}
