/** OHSUMED, five LETOR folds, a linear model: each objective's test NDCG, all choices made on validation data. */
import { z } from 'zod';
import { type Fold, letorFolds, normalisations, normalise, readDataset } from '../../data/index.js';
import { evaluate } from '../../measures/evaluate.js';
import { parseMeasures } from '../../measures/parse.js';
import { LinearModel } from '../../models/linear/linear.js';
import { scoreData } from '../../models/ranker.js';
import { mean } from '../../numeric/vectors.js';
import { column, columns } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { bestOnValidation, type Searched } from '../best-on-validation.js';
import { type BestTrial, bestTrial, trialsConfig } from '../best-trial.js';
import { above, alike, byValues, testedOver } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import type { Lab } from '../lab.js';

const config = z.strictObject({
  folds: z.int(),
  normalise: z.enum(Object.keys(normalisations) as (keyof typeof normalisations)[]),
  select: z.string(),
  /** What the claims are about: empty queries left out, and the same with empty queries as 0. */
  evaluated: z.strictObject({ skipped: z.string(), zero: z.string() }),
  /** A measure whose cut-off follows: the curves of Figures 4 and 5. */
  curve: z.string(),
  cuts: z.array(z.int()),
  options: z.record(z.string(), z.unknown()),
  /** `paper` is the paper's value, where it has one. Methods without an objective to climb have trials of options. */
  methods: z.array(
    z.union([
      z.strictObject({
        name: z.string(),
        paper: z.number().optional(),
        objectives: z.array(z.string()),
        rates: z.array(z.number()),
      }),
      trialsConfig.extend({ paper: z.number().optional() }),
    ]),
  ),
});
type Config = z.output<typeof config>;

interface Evaluated {
  readonly fold: number;
  readonly queries: number;
  readonly search: Omit<Searched, 'model'> | Omit<BestTrial, 'model'>;
  /** By test query with a relevant document, and their mean. */
  readonly values: readonly number[];
  readonly skipped: number;
  readonly zero: number;
  /** The curve, a value a cut-off. */
  readonly curve: readonly number[];
}

interface Method {
  readonly name: string;
  readonly paper?: number | undefined;
  readonly folds: readonly Evaluated[];
}

interface Outcome {
  readonly cuts: readonly number[];
  readonly methods: readonly Method[];
}

export const qin2010Ohsumed = defineExperiment<Config, Outcome>({
  name: 'qin-2010-ohsumed',
  title: 'OHSUMED: climbing a smooth version of a measure',
  paper:
    'Qin, Liu, Li 2010, A general approximation framework for direct optimization of information retrieval measures, Figures 4 and 5',
  collections: ['ohsumed'],
  config,
  async run(settings, lab) {
    const folds = (await readFolds(lab.data('ohsumed'), settings.normalise)).slice(0, settings.folds);
    lab.expect(settings.methods.length * folds.length);
    const methods: Method[] = [];
    for (const method of settings.methods) {
      const { name, paper } = method;
      const evaluated = await lab.each(folds, fold =>
        lab.step(`${name}, fold ${fold.fold}`, () => trainAndEvaluate(settings, method, fold, lab)),
      );
      methods.push({ name, paper, folds: evaluated });
    }
    return { cuts: settings.cuts, methods };
  },
  findings: ({ methods }) => [
    ...methods.filter(({ paper }) => typeof paper === 'number').map(finding),
    ...contests.flatMap(contest => contestFinding(contest, methods)),
  ],
  sections: outcome => [curves(outcome), means(outcome)],
});

/** What the paper says of its results; it has no tests. */
const contests = [
  { figure: 'Figure 4', one: 'ApproxNDCG', other: 'SoftRank', said: 'better' },
  { figure: 'Figure 4', one: 'SoftRank', other: 'AdaRank.NDCG', said: 'better' },
  { figure: 'Figure 4', one: 'ApproxNDCG', other: 'AdaRank.NDCG', said: 'better' },
  { figure: 'Figure 5', one: 'ApproxAP', other: 'ApproxNDCG', said: 'comparable' },
] as const;

async function readFolds(directory: string, normalisation: Config['normalise']): Promise<Fold[]> {
  const parts = await Promise.all([1, 2, 3, 4, 5].map(part => readDataset(`${directory}/S${part}.txt.gz`)));
  // The statistics are of a query's own documents, so nothing passes from one part to another.
  return letorFolds(parts.map(part => normalise(part, normalisations[normalisation])));
}

async function trainAndEvaluate(
  settings: Config,
  method: Config['methods'][number],
  fold: Fold,
  lab: Lab,
): Promise<Evaluated> {
  const { evaluated, curve, cuts } = settings;
  const { test } = fold;
  const { model, ...search } = await searched(settings, method, fold, lab);
  const specs = [evaluated.skipped, evaluated.zero, ...cuts.map(k => `${curve}@${k}`)].join(',');
  const results = evaluate(
    test,
    scoreData(model, test),
    parseMeasures(specs).map(({ measure }) => measure),
  );
  const [skipped, zero, ...rest] = results.map(result => result.mean) as [number, number, ...number[]];
  const values = [...results[0]!.values].filter(value => !Number.isNaN(value));
  return { fold: fold.fold, queries: test.queries, search, values, skipped, zero, curve: rest };
}

function searched(
  { select, options }: Config,
  method: Config['methods'][number],
  { train: data, validate }: Fold,
  { seed, signal }: Lab,
): Promise<Searched | BestTrial> {
  // One query to an update: a second thread would have nothing to do.
  const settings = { data, validate, select, seed, signal, threads: 1 };
  if ('trials' in method) return bestTrial(method, settings);
  const { featureNames } = data;
  const from = new LinearModel({ featureNames, weights: new Float64Array(featureNames.length) });
  return bestOnValidation(method, { ...settings, model: 'linear', from, options });
}

function finding({ name, paper, folds }: Method): Finding {
  const ours = mean(folds.map(({ skipped }) => skipped));
  return {
    claim: `${name}: whole-list NDCG reaches the paper’s, queries without a relevant document left out`,
    paper: paper!.toFixed(4),
    ours: `${ours.toFixed(4)} (with empty queries as 0: ${mean(folds.map(({ zero }) => zero)).toFixed(4)})`,
    drawn: { y: 'whole-list NDCG', style: 'value', curves: [{ name, at: [0], paper: [paper!], ours: [ours] }] },
    ...byValues(ours >= paper!),
  };
}

function contestFinding(
  { figure, one, other, said }: (typeof contests)[number],
  methods: readonly Method[],
): readonly Finding[] {
  const [a, b] = [one, other].map(name => methods.find(method => method.name === name));
  if (typeof a?.paper !== 'number' || typeof b?.paper !== 'number') return [];
  const differences = a.folds.map(({ skipped }, f) => skipped - b.folds[f]!.skipped);
  const byQuery = a.folds.flatMap(({ values }, f) => values.map((value, q) => value - b.folds[f]!.values[q]!));
  const tests = [testedOver('queries', byQuery), testedOver('folds', differences)];
  const [ours, theirs] = [a, b].map(({ folds }) => mean(folds.map(({ skipped }) => skipped))) as [number, number];
  const better = differences.filter(difference => difference > 0).length;
  return [
    {
      claim: `${figure}: ${one} is ${said === 'better' ? 'better than' : 'comparable with'} ${other}`,
      paper: `${a.paper.toFixed(4)} to ${b.paper.toFixed(4)}`,
      ours: `${ours.toFixed(4)} to ${theirs.toFixed(4)}; better on ${better} of ${differences.length} folds`,
      drawn: {
        y: 'difference in NDCG',
        style: 'difference',
        reference: 0,
        curves: [{ name: `${one} less ${other}`, at: [0], paper: [a.paper - b.paper], ours: [ours - theirs] }],
      },
      ...(said === 'better' ? above(...tests) : alike({}, ...tests)),
    },
  ];
}

function curves({ cuts, methods }: Outcome): Section {
  const values = methods.map(({ name, folds }) => ({
    name,
    x: cuts,
    y: cuts.map((_, c) => mean(folds.map(({ curve }) => curve[c]!))),
  }));
  return {
    title: 'NDCG at the top of the list',
    blocks: [
      {
        kind: 'lines',
        title: 'Mean of the test folds',
        x: { label: 'cut-off' },
        y: { label: 'NDCG', style: 'value' },
        series: values,
      },
      {
        kind: 'table',
        title: 'NDCG at cut-offs, mean of the test folds',
        columns: [{ title: 'objective' }, ...cuts.map(k => ({ title: `@${k}`, style: 'value' as const }))],
        rows: values.map(({ name, y }) => [name, ...y]),
      },
    ],
  };
}

function means({ methods }: Outcome): Section {
  return {
    title: 'Whole-list NDCG',
    lead: 'The column “here” and the folds leave out queries without a relevant document.',
    blocks: [
      {
        kind: 'table',
        title: 'Whole-list NDCG',
        columns: [
          column('objective'),
          ...columns('value', 'paper', 'here', 'empty = 0'),
          ...methods[0]!.folds.map(({ fold }) => ({ title: `fold ${fold}`, style: 'value' as const })),
        ],
        rows: methods.map(({ name, paper, folds }) => [
          name,
          paper ?? Number.NaN,
          mean(folds.map(({ skipped }) => skipped)),
          mean(folds.map(({ zero }) => zero)),
          ...folds.map(({ skipped }) => skipped),
        ]),
      },
    ],
  };
}
