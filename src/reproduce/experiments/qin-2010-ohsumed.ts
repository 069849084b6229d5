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
import { bestOnValidation, type Trial } from '../best-on-validation.js';
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
  methods: z.array(
    z.strictObject({
      name: z.string(),
      /** The paper's value, where it has one. */
      paper: z.number().optional(),
      objectives: z.array(z.string()),
      rates: z.array(z.number()),
    }),
  ),
});
type Config = z.output<typeof config>;

interface Evaluated {
  readonly fold: number;
  readonly queries: number;
  readonly chosen: Trial;
  readonly trials: readonly Trial[];
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
    for (const { name, paper, ...grid } of settings.methods) {
      const evaluated: Evaluated[] = [];
      for (const fold of folds) {
        evaluated.push(await lab.step(`${name}, fold ${fold.fold}`, () => trainAndEvaluate(settings, grid, fold, lab)));
      }
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

/**
 * What the paper says of its results. It has no tests: a lead is a higher mean, and comparable is what the t-test
 * cannot tell apart.
 */
const contests = [
  { figure: 'Figure 4', one: 'ApproxNDCG', other: 'SoftRank', said: 'better' },
  { figure: 'Figure 5', one: 'ApproxAP', other: 'ApproxNDCG', said: 'comparable' },
] as const;

async function readFolds(directory: string, normalisation: Config['normalise']): Promise<Fold[]> {
  const parts = await Promise.all([1, 2, 3, 4, 5].map(part => readDataset(`${directory}/S${part}.txt.gz`)));
  // The statistics are of a query's own documents, so nothing passes from one part to another.
  return letorFolds(parts.map(part => normalise(part, normalisations[normalisation])));
}

async function trainAndEvaluate(
  { evaluated, curve, cuts, select, options }: Config,
  grid: { readonly objectives: readonly string[]; readonly rates: readonly number[] },
  { fold, train, validate, test }: Fold,
  { seed, signal }: Lab,
): Promise<Evaluated> {
  const { featureNames } = train;
  const from = new LinearModel({ featureNames, weights: new Float64Array(featureNames.length) });
  const { chosen, trials, model } = await bestOnValidation(grid, {
    data: train,
    validate,
    model: 'linear',
    from,
    select,
    options,
    seed,
    signal,
    // One query to an update: a second thread would have nothing to do.
    threads: 1,
  });
  const specs = [evaluated.skipped, evaluated.zero, ...cuts.map(k => `${curve}@${k}`)].join(',');
  const results = evaluate(
    test,
    scoreData(model, test),
    parseMeasures(specs).map(({ measure }) => measure),
  );
  const [skipped, zero, ...rest] = results.map(result => result.mean) as [number, number, ...number[]];
  return { fold, queries: test.queries, chosen, trials, skipped, zero, curve: rest };
}

function finding({ name, paper, folds }: Method): Finding {
  const ours = mean(folds.map(({ skipped }) => skipped));
  return {
    claim: `${name}: whole-list NDCG reaches the paper’s, queries without a relevant document left out`,
    paper: paper!.toFixed(4),
    ours: `${ours.toFixed(4)} (with empty queries as 0: ${mean(folds.map(({ zero }) => zero)).toFixed(4)})`,
    ...byValues(ours >= paper!),
  };
}

function contestFinding(
  { figure, one, other, said }: (typeof contests)[number],
  methods: readonly Method[],
): readonly Finding[] {
  const [a, b] = [one, other].map(name => methods.find(method => method.name === name));
  if (typeof a?.paper !== 'number' || typeof b?.paper !== 'number') return [];
  const differences = Float64Array.from(a.folds, ({ skipped }, f) => skipped - b.folds[f]!.skipped);
  const tested = testedOver('folds', [...differences]);
  const [ours, theirs] = [a, b].map(({ folds }) => mean(folds.map(({ skipped }) => skipped))) as [number, number];
  const better = differences.filter(difference => difference > 0).length;
  return [
    {
      claim: `${figure}: ${one} is ${said === 'better' ? 'better than' : 'comparable with'} ${other}`,
      paper: `${a.paper.toFixed(4)} to ${b.paper.toFixed(4)}`,
      ours: `${ours.toFixed(4)} to ${theirs.toFixed(4)}; better on ${better} of ${differences.length} folds`,
      ...(said === 'better' ? above(tested) : alike({}, tested)),
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
