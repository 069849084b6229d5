/**
 * What the tables of Svore, Volkovs, Burges 2011 have in common: generated data with grades and click-through rates,
 * trees chosen on its validation part, and values at ten cut-offs on its test part. Trainings are shared steps: the
 * baseline stands in both tables and is trained once.
 */
import { z } from 'zod';
import type { Dataset } from '../data/dataset.js';
import { evaluate } from '../measures/evaluate.js';
import { parseMeasure } from '../measures/parse.js';
import { parseModel, printModel } from '../models/model-file.js';
import { scoreData } from '../models/ranker.js';
import { TreesModel } from '../models/trees/trees.js';
import { column } from '../report/columns.js';
import type { Section } from '../report/document.js';
import { count } from '../report/words.js';
import { bestOnValidation, type Trial } from './best-on-validation.js';
import { type CutSamples, cuts } from './cut-table.js';
import { generatedConfig, generatedParts } from './generated.js';
import type { Lab } from './lab.js';

export const SVORE = 'Svore, Volkovs, Burges 2011, Learning to rank with multiple objective functions';

/** How a step is taken: rates to choose from, and options of its own. */
export const stepConfig = z.strictObject({ rates: z.array(z.number()), options: z.record(z.string(), z.unknown()) });

/** Of these objectives and rates the ones with the best validation value are chosen. */
export interface Method extends z.output<typeof stepConfig> {
  readonly name: string;
  readonly objectives: readonly string[];
}

export const svoreConfig = z.strictObject({
  data: generatedConfig,
  /** Each of another seed. */
  dataSets: z.int(),
  /** The measure that chooses iteration, rate and objective. */
  select: z.string(),
  options: z.record(z.string(), z.unknown()),
  newton: stepConfig,
});
export type SvoreConfig = z.output<typeof svoreConfig>;

/** LambdaMART, which both tables start from. */
export function baseline({ newton }: SvoreConfig): Method {
  return { name: 'Baseline (Newton)', objectives: ['lambdarank(ndcg)'], ...newton };
}

interface DataSet {
  readonly seed: number;
  readonly part: ReturnType<typeof generatedParts>;
}

/** A method on one data set. */
interface TrainedTrees {
  readonly chosen: Trial;
  readonly trials: readonly Trial[];
  readonly model: TreesModel;
}

async function trainTrees(
  { data, select, options: common }: SvoreConfig,
  { name, objectives, rates, options: own }: Method,
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
        model: 'trees',
        select,
        options,
        seed,
        threads: lab.threads,
        signal: lab.signal,
      },
    );
    return { chosen: found.chosen, trials: found.trials, text: printModel(found.model) };
  });
  const model = parseModel(text);
  if (!(model instanceof TreesModel)) throw new RangeError(`trees gave a model of kind ${model.kind}`);
  return { ...search, model };
}

/** A method on all data sets. */
export interface EvaluatedMethod {
  readonly name: string;
  /** One a data set. */
  readonly runs: readonly Omit<TrainedTrees, 'model'>[];
  /** By measure, as they were asked for. */
  readonly samples: ReadonlyMap<string, CutSamples>;
}

/** Measures are without their cut-offs, such as `ndcg`. Returned as the methods are given. */
export async function trainAndEvaluate(
  settings: SvoreConfig,
  methods: readonly { readonly method: Method; readonly measures: readonly string[] }[],
  lab: Lab,
): Promise<EvaluatedMethod[]> {
  lab.expect(methods.length * settings.dataSets);
  const byData = await lab.each(lab.seeds(settings.dataSets), async seed => {
    const data = { seed, part: generatedParts(settings.data, seed) };
    const trained: TrainedTrees[] = [];
    for (const { method } of methods) trained.push(await trainTrees(settings, method, data, lab));
    const test = data.part('test');
    return trained.map(({ model, ...search }, m) => {
      const scores = scoreData(model, test);
      return { search, values: methods[m]!.measures.map(measure => valuesAtCuts(measure, scores, test)) };
    });
  });
  return methods.map(({ method: { name }, measures }, m) => {
    const ofMethod = byData.map(ofData => ofData[m]!);
    const samples = (i: number) => cuts.map((_, cut) => ofMethod.map(({ values }) => ({ values: values[i]![cut]! })));
    return {
      name,
      runs: ofMethod.map(({ search }) => search),
      samples: new Map(measures.map((measure, i) => [measure, samples(i)])),
    };
  });
}

/** Queries without a value are left out, the same ones for every model. */
function valuesAtCuts(measure: string, scores: Float64Array, test: Dataset): number[][] {
  const measures = cuts.map(k => parseMeasure(`${measure}@${k}`));
  return evaluate(test, scores, measures).map(({ values }) => [...values].filter(value => !Number.isNaN(value)));
}

/** What was chosen, as an outcome keeps it. */
export interface Chosen {
  /** Test queries altogether. */
  readonly queries: number;
  /** With every trial. */
  readonly methods: readonly Pick<EvaluatedMethod, 'name' | 'runs'>[];
}

export function chosenOf(methods: readonly EvaluatedMethod[]): Chosen {
  const [ofFirstMeasure] = methods[0]!.samples.values();
  const queries = ofFirstMeasure![0]!.flatMap(({ values }) => values).length;
  return { queries, methods: methods.map(({ name, runs }) => ({ name, runs })) };
}

export function chosenSection({ queries, methods }: Chosen): Section {
  return {
    title: 'What was chosen on validation data',
    lead: `By data set. ${count(queries)} test queries altogether.`,
    blocks: [
      {
        kind: 'table',
        title: 'What was chosen on validation data',
        columns: [
          column('method'),
          column('data', 'count'),
          column('objective'),
          column('rate', 'general'),
          column('trees', 'count'),
          column('validation', 'value'),
        ],
        rows: methods.flatMap(({ name, runs }) =>
          runs.map(({ chosen: { seed, objective, rate, iteration, validation } }) => [
            name,
            seed,
            objective,
            rate,
            iteration,
            validation,
          ]),
        ),
      },
    ],
  };
}
