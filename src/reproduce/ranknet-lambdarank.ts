/** RankNet against LambdaRank at NDCG@1 to 10, on several data sets: one case a model and number of queries. */
import { z } from 'zod';
import type { Dataset } from '../data/dataset.js';
import { rotateParts } from '../data/folds.js';
import { generateDataset } from '../data/index.js';
import { evaluate } from '../measures/evaluate.js';
import { parseMeasure } from '../measures/parse.js';
import { scoreData } from '../models/ranker.js';
import { mean } from '../numeric/vectors.js';
import type { Section } from '../report/document.js';
import { count } from '../report/words.js';
import { bestOnValidation, type Trial } from './best-on-validation.js';
import {
  type CutDifference,
  type CutRow,
  type CutSamples,
  type CutValue,
  cutDifference,
  cutSection,
  cuts,
  cutValues,
} from './cut-table.js';
import { type Drawn, testedDrawn } from './drawn.js';
import { above, type Evidence, testedOver } from './evidence.js';
import { generatedConfig, generatedPart } from './generated.js';
import type { Lab } from './lab.js';

export const versusConfig = z.strictObject({
  data: generatedConfig.omit({ training: true }),
  /** So many parts, two to train on, two to validate on, one to test on, in turn; otherwise the parts of `data`. */
  folds: z.int().optional(),
  /** Each of another seed. */
  dataSets: z.int(),
  /** Without a cut-off. */
  measure: z.string(),
  options: z.record(z.string(), z.unknown()),
  /** Queries to train on, or in all folds together. */
  cases: z.array(z.strictObject({ training: z.int(), model: z.enum(['linear', 'net']) })),
  rates: z.array(z.number()),
  starts: z.int(),
});
export type VersusConfig = z.output<typeof versusConfig>;

const methods = ['RankNet', 'LambdaRank'] as const;
type MethodName = (typeof methods)[number];

export interface Case {
  readonly training: number;
  readonly model: string;
  readonly methods: readonly { readonly name: MethodName; readonly here: readonly CutValue[]; readonly runs: Run[] }[];
  /** LambdaRank less RankNet. */
  readonly difference: CutDifference;
}

/** One method on one data set. */
interface Run {
  readonly seed: number;
  /** One a fold. */
  readonly chosen: readonly Trial[];
  /** One a cut-off. */
  readonly test: readonly number[];
}

export interface VersusOutcome {
  readonly measure: string;
  readonly cases: readonly Case[];
  /** The linear LambdaRank less the RankNet of two layers, where both are trained on as many queries. */
  readonly across?: CutDifference | undefined;
}

/** values[cut][query]. */
interface Evaluated extends Run {
  readonly values: readonly (readonly number[])[];
}

export async function runVersus(config: VersusConfig, lab: Lab): Promise<VersusOutcome> {
  lab.expect(config.cases.length * config.dataSets * methods.length);
  const cases: Case[] = [];
  const samples = new Map<string, CutSamples>();
  for (const one of config.cases) {
    const found: Evaluated[][] = [];
    for (const method of methods) {
      const runs = await lab.each(lab.seeds(config.dataSets), seed => {
        const key = `${one.training} queries, ${one.model}, ${method}, data ${seed}`;
        return lab.step(key, () => trainAndEvaluate(config, one, method, seed, lab));
      });
      found.push(runs);
    }
    const [base, other] = found.map(byCut) as [CutSamples, CutSamples];
    samples.set(`${one.model} ${methods[0]}`, base).set(`${one.model} ${methods[1]}`, other);
    cases.push({
      ...one,
      methods: methods.map((name, m) => ({
        name,
        here: cutValues(m === 0 ? base : other),
        runs: found[m]!.map(({ values: _, ...run }) => run),
      })),
      difference: cutDifference('LambdaRank less RankNet', other, base),
    });
  }
  const [linear, net] = [samples.get('linear LambdaRank'), samples.get('net RankNet')];
  const across = linear && net && cutDifference('linear LambdaRank less RankNet of two layers', linear, net);
  return { measure: config.measure, cases, across };
}

const byCut = (runs: readonly Evaluated[]): CutSamples =>
  cuts.map((_, cut) => runs.map(({ values }) => ({ values: values[cut]! })));

type Part = { readonly train: Dataset; readonly validate: Dataset; readonly test: Dataset };

/** Test queries come first, so that they are the same for every size of the training data. */
function partsOf({ data, folds }: VersusConfig, training: number, seed: number): Part[] {
  const all = { ...data, training };
  if (folds === undefined) {
    const part = (name: 'training' | 'validation' | 'test') => generatedPart(all, name, seed);
    return [{ train: part('training'), validate: part('validation'), test: part('test') }];
  }
  const { generator, validation: _, test: __, relevantFrom: ___, ...shape } = data;
  const queries = Math.floor(training / folds);
  const parts = Array.from({ length: folds }, (_, f) =>
    generateDataset(generator, { ...shape, seed, queries, skip: f * queries }),
  );
  return rotateParts(parts, 2, 2).map(({ train, validate, test }) => ({ train, validate: validate!, test }));
}

async function trainAndEvaluate(
  config: VersusConfig,
  { training, model }: VersusConfig['cases'][number],
  method: MethodName,
  seed: number,
  { threads, signal }: Lab,
): Promise<Evaluated> {
  const { measure, options, rates, starts } = config;
  const measures = cuts.map(k => parseMeasure(`${measure}@${k}`));
  const objectives = [method === 'RankNet' ? 'ranknet' : `lambdarank(${measure})`];
  const chosen: Trial[] = [];
  const values: number[][] = cuts.map(() => []);
  for (const { train, validate, test } of partsOf(config, training, seed)) {
    const found = await bestOnValidation(
      { objectives, rates, starts },
      { data: train, validate, model, select: `${measure}@10`, options, seed, threads, signal },
    );
    chosen.push(found.chosen);
    for (const [cut, one] of evaluate(test, scoreData(found.model, test), measures).entries()) {
      // Without a value at any cut-off, for every method: queries without a relevant document.
      values[cut]!.push(...[...one.values].filter(value => !Number.isNaN(value)));
    }
  }
  return { seed, chosen, test: values.map(mean), values };
}

/** LambdaRank less RankNet on each data set, at a cut-off counted from 1. */
export function leads({ methods: [base, other] }: Case, k: number): number[] {
  return other!.runs.map(({ test }, d) => test[k - 1]! - base!.runs[d]!.test[k - 1]!);
}

/** That the one lead is larger than the other, over the data sets; `name` is of the difference drawn. */
export function largerLead(
  one: readonly number[],
  other: readonly number[],
  name: string,
): Evidence & { readonly drawn?: Drawn } {
  const tested = testedOver(
    'data sets',
    one.map((lead, d) => lead - other[d]!),
  );
  return { ...testedDrawn(name, tested, 'difference of leads'), ...above(tested) };
}

export const layersOf = (model: string) => (model === 'linear' ? 'linear' : 'two layers');
export const caseTitle = ({ training, model }: Pick<Case, 'training' | 'model'>) =>
  `${layersOf(model)}, ${count(training)} queries`;

export function versusSection(one: Case): Section {
  const rows: CutRow[] = one.methods.map(({ name, here }) => ({ name, here }));
  return cutSection(caseTitle(one), 'Mean NDCG of the test queries of all data sets.', rows, [one.difference]);
}
