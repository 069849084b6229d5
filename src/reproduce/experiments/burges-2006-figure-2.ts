/** Cubic data: RankNet against LambdaRank at NDCG@1 to 10, linear and two layers. */
import { z } from 'zod';
import { meanInterval, tTest, wilcoxonTest } from '../../analysis/significance/index.js';
import { generateDataset } from '../../data/index.js';
import { evaluate } from '../../measures/evaluate.js';
import { parseMeasure } from '../../measures/parse.js';
import { scoreData } from '../../models/ranker.js';
import { mean } from '../../numeric/vectors.js';
import type { LinesChart } from '../../report/charts.js';
import { column, columns } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { written } from '../../report/numbers.js';
import { count } from '../../report/words.js';
import { bestOnValidation, type Trial } from '../best-on-validation.js';
import { ALPHA, above, testedOver, testedWith, together } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import type { Lab } from '../lab.js';

const cuts = Array.from({ length: 10 }, (_, i) => i + 1);
const measures = cuts.map(k => parseMeasure(`ndcg@${k}`));

const config = z.strictObject({
  documents: z.int(),
  features: z.int(),
  validation: z.int(),
  test: z.int(),
  /** Each has a polynomial of its own. */
  dataSets: z.int(),
  select: z.string(),
  options: z.record(z.string(), z.unknown()),
  cases: z.array(z.strictObject({ training: z.int(), model: z.string() })),
  /** The last is compared with the first. */
  methods: z.array(
    z.strictObject({
      name: z.string(),
      objectives: z.array(z.string()),
      rates: z.array(z.number()),
      starts: z.int().optional(),
    }),
  ),
});
type Config = z.output<typeof config>;

interface Case {
  readonly training: number;
  readonly model: string;
  readonly methods: readonly Method[];
  readonly comparison: readonly Compared[];
}

interface Method {
  readonly name: string;
  readonly ndcg: readonly { readonly k: number; readonly mean: number; readonly interval: readonly [number, number] }[];
  readonly runs: readonly { readonly seed: number; readonly chosen: Trial; readonly test: readonly number[] }[];
}

/** The last method less the first, paired over the test queries of all data sets. */
interface Compared {
  readonly k: number;
  readonly difference: number;
  readonly interval: readonly [number, number];
  readonly p: { readonly t: number; readonly wilcoxon: number };
  /** Data sets on which the last is better. */
  readonly better: number;
  readonly queries: number;
}

/** One method on one data set: values[k][query]. */
interface Evaluated {
  readonly seed: number;
  readonly chosen: Trial;
  readonly trials: readonly Trial[];
  readonly test: readonly number[];
  readonly values: readonly (readonly number[])[];
}

export const burges2006Figure2 = defineExperiment<Config, { cases: readonly Case[] }>({
  name: 'burges-2006-figure-2',
  title: 'cubic data: RankNet against LambdaRank, linear and two layers',
  paper: 'Burges, Ragno, Le 2006, Learning to rank with nonsmooth cost functions, Figure 2',
  collections: [],
  config,
  async run(settings, lab) {
    lab.expect(settings.cases.length * settings.dataSets * settings.methods.length);
    const cases: Case[] = [];
    for (const one of settings.cases) {
      const evaluated: Evaluated[][] = [];
      for (const method of settings.methods) {
        const runs: Evaluated[] = [];
        for (let i = 0; i < settings.dataSets; i++) {
          const key = `${one.training} queries, ${one.model}, ${method.name}, data ${lab.seed + i}`;
          runs.push(await lab.step(key, () => trainAndEvaluate(settings, one, method, lab.seed + i, lab)));
        }
        evaluated.push(runs);
      }
      const methods = settings.methods.map(({ name }, m) => summary(name, evaluated[m]!));
      cases.push({ ...one, methods, comparison: compare(evaluated[0]!, evaluated.at(-1)!) });
    }
    return { cases };
  },
  findings({ cases }) {
    // The paper has one size of training data; smaller ones are there for comparison and no claim of the paper's.
    const most = Math.max(...cases.map(({ training }) => training));
    return cases.filter(({ training }) => training === most).map(finding);
  },
  sections: ({ cases }) => cases.map(section),
});

/** Test queries come first, so that they are the same for every size of the training data. */
async function trainAndEvaluate(
  { documents, features, validation, test, select, options }: Config,
  { training, model }: Config['cases'][number],
  method: Config['methods'][number],
  seed: number,
  lab: Lab,
): Promise<Evaluated> {
  const part = (queries: number, skip: number) =>
    generateDataset('cubic', { documents, features, seed, queries, skip });
  const testData = part(test, 0);
  const { chosen, trials, ...found } = await bestOnValidation(method, {
    data: part(training, test + validation),
    validate: part(validation, test),
    model,
    select,
    options,
    seed,
    threads: lab.threads,
    signal: lab.signal,
  });
  const evaluated = evaluate(testData, scoreData(found.model, testData), measures);
  return {
    seed,
    chosen,
    trials,
    test: evaluated.map(result => result.mean),
    values: evaluated.map(({ values }) => [...values]),
  };
}

function pooled(runs: readonly Evaluated[], cut: number): Float64Array {
  return Float64Array.from(runs.flatMap(({ values }) => values[cut]!));
}

/** Means over the test queries of all data sets; the queries' own values are not kept. */
function summary(name: string, runs: readonly Evaluated[]): Method {
  const ndcg = cuts.map((k, cut) => {
    const values = pooled(runs, cut);
    return { k, mean: mean(values), interval: meanInterval(values, ALPHA) };
  });
  return { name, ndcg, runs: runs.map(({ values: _, ...run }) => run) };
}

function compare(base: readonly Evaluated[], other: readonly Evaluated[]): Compared[] {
  return cuts.map((k, cut) => {
    const [from, to] = [pooled(base, cut), pooled(other, cut)];
    const differences = to.map((value, query) => value - from[query]!);
    return {
      k,
      difference: mean(differences),
      interval: meanInterval(differences, ALPHA),
      p: { t: tTest(differences).p, wilcoxon: wilcoxonTest(differences).p },
      queries: differences.length,
      better: base.filter(({ test }, d) => other[d]!.test[cut]! > test[cut]!).length,
    };
  });
}

/** What the paper claims of both kinds of model: better at every cut-off. */
function finding({ training, model, methods, comparison }: Case): Finding {
  const [top, low] = [comparison[0]!, comparison.at(-1)!];
  const shown = ({ difference, k }: Compared) =>
    `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(4)} at ${k}`;
  const [base, other] = [methods[0]!.runs, methods.at(-1)!.runs];
  const evidence = ({ difference, interval, p, queries: n }: Compared, cut: number) => {
    const dataSets = other.map(({ test }, d) => test[cut]! - base[d]!.test[cut]!);
    return above(testedWith('queries', { n, difference, interval, p: p.t }), testedOver('data sets', dataSets));
  };
  const data = base.length;
  return {
    claim: `${title(training, model)}: LambdaRank beats RankNet at NDCG@1 to 10`,
    paper: 'better at every cut-off, more so at the top',
    ours: `${shown(top)}, ${shown(low)}; NDCG@10 better on ${low.better} of ${data} data sets`,
    ...together(comparison.map(evidence)),
  };
}

function title(training: number, model: string): string {
  return `${model === 'linear' ? 'linear' : 'two layers'}, ${count(training)} training queries`;
}

function section({ training, model, methods, comparison }: Case): Section {
  const chart: LinesChart = {
    kind: 'lines',
    title: `NDCG: ${title(training, model)}`,
    note: 'On the test queries; bands are 95 % intervals over them.',
    x: { label: 'cut-off' },
    y: { label: 'NDCG', style: 'value' },
    series: methods.map(({ name, ndcg }) => ({
      name,
      x: cuts,
      y: ndcg.map(point => point.mean),
      low: ndcg.map(({ interval }) => interval[0]),
      high: ndcg.map(({ interval }) => interval[1]),
    })),
  };
  const interval = (low: number, high: number) => `${written(low, 'difference')} to ${written(high, 'difference')}`;
  return {
    title: title(training, model),
    blocks: [
      chart,
      {
        kind: 'table',
        title: title(training, model),
        columns: [
          column('NDCG@', 'count'),
          ...methods.map(({ name }) => ({ title: name, style: 'value' as const })),
          column('difference', 'difference'),
          column('95 % interval'),
          ...columns('p', 'p (t)', 'p (Wilcoxon)'),
          column('better on', 'count'),
        ],
        rows: comparison.map((compared, c) => [
          compared.k,
          ...methods.map(({ ndcg }) => ndcg[c]!.mean),
          compared.difference,
          interval(...compared.interval),
          compared.p.t,
          compared.p.wilcoxon,
          compared.better,
        ]),
      },
    ],
  };
}
