/** What LambdaRank's lambdas do as trees are added: agreement with clicks, sources, the top 3, changes of rank. */
import { z } from 'zod';
import { evaluate } from '../../measures/evaluate.js';
import { parseMeasure } from '../../measures/parse.js';
import type { TreesModel } from '../../models/trees/trees.js';
import { mean } from '../../numeric/vectors.js';
import { parseObjective } from '../../objectives/parse.js';
import type { LinesChart } from '../../report/charts.js';
import { column } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { Diagnostics } from '../../training/boosting/diagnostics.js';
import { train } from '../../training/train.js';
import type { Drawn } from '../drawn.js';
import { byValues } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { generatedConfig, generatedPart } from '../generated.js';
import type { Lab } from '../lab.js';
import { replay } from '../replay.js';
import { SVORE, svoreConfig } from '../svore.js';

/** Labels from here on are what the paper calls highly relevant; it draws them as one. */
const HIGH = 3;
const groups = ['label 0', 'label 1', 'label 2', 'labels 3 and 4'] as const;
const TOP = 3;

const config = svoreConfig.extend({
  /** The click labels that are set against the grades. */
  labels: z.string(),
  /** Trees. */
  iterations: z.int(),
  /** Values are taken at the first and at every so many-th tree, on so many of the training queries. */
  every: z.int(),
  followed: z.int(),
  /** "After only a few iterations", and late in training. */
  few: z.int(),
  late: z.int(),
  /** One thing altered at a time, to see what the values depend on. */
  variants: z.array(
    z.strictObject({ name: z.string(), data: generatedConfig.partial().optional(), rate: z.number().optional() }),
  ),
});
type Config = z.output<typeof config>;

/** At one tree, on the training queries. */
interface Point {
  readonly iteration: number;
  /** Share of documents on which grades and clicks agree about the direction: all pairs, and those of a lower tier. */
  readonly agreement: { readonly all: number; readonly tier: number };
  /** Share of the lambda on highly relevant documents by the partner's label, as in `groups`. */
  readonly sources: readonly number[];
  /** Share of the top 3 by label. */
  readonly top: readonly number[];
  /** Share of ranks that hold another document than before the tree. */
  readonly changes: { readonly top: number; readonly all: number };
  readonly ndcg: { readonly training: number; readonly validation: number };
}

interface Run {
  readonly name: string;
  readonly points: readonly Point[];
}

interface Outcome {
  readonly few: number;
  readonly late: number;
  /** The first is what the claims are held to. */
  readonly runs: readonly Run[];
}

export const svore2011Figures24 = defineExperiment<Config, Outcome>({
  name: 'svore-2011-figures-2-4',
  title: 'what the lambdas of LambdaRank do as trees are added',
  paper: `${SVORE}, Figures 2 to 4`,
  collections: [],
  config,
  async run({ variants, ...settings }, lab) {
    const { few, late, data, newton } = settings;
    const altered = [{ name: 'as above', data: {}, rate: newton.rates[0]! }, ...variants];
    lab.expect(altered.length);
    const runs = await lab.each(altered, async ({ name, data: other, rate = newton.rates[0]! }) => {
      const own = { ...settings, data: generatedConfig.parse({ ...data, ...other }) };
      return { name, points: await lab.step(name, () => follow(own, rate, lab)) };
    });
    return { few, late, runs };
  },
  findings,
  sections,
});

async function follow(settings: Omit<Config, 'variants'>, rate: number, lab: Lab): Promise<Point[]> {
  const { labels, iterations, every, followed } = settings;
  const model = await trainAll(settings, rate, lab);
  const training = generatedPart({ ...settings.data, training: followed }, 'training', lab.seed);
  const validation = generatedPart(settings.data, 'validation', lab.seed);
  const clicks = `lambdarank(cndcg,labels=${labels})`;
  // Weights of 0: only what the parts say of each other is looked at.
  const allPairs = new Diagnostics(training, parseObjective(`sum(lambdarank(ndcg),${clicks},w=1/0)`));
  const tierPairs = new Diagnostics(training, parseObjective(`graded(lambdarank(ndcg),${clicks},w=0)`));
  const ndcg = [parseMeasure('ndcg@3')];
  const points: Point[] = [];
  const onValidation = replay(model, validation);
  for (const { iteration, before, after } of replay(model, training)) {
    const validated = onValidation.next().value!;
    if (iteration > iterations) break;
    if (iteration !== 1 && iteration % every !== 0) continue;
    lab.signal.throwIfAborted();
    const seen = allPairs.of(iteration, before, after);
    points.push({
      iteration,
      agreement: { all: seen.agreement, tier: tierPairs.of(iteration, before, after).agreement },
      sources: grouped(seen.lambdaSources.map(({ label, share }) => [label, share])),
      top: grouped(seen.topLabels.map(({ label, documents }) => [label, documents])),
      changes: seen.rankChanges,
      ndcg: {
        training: evaluate(training, after, ndcg)[0]!.mean,
        validation: evaluate(validation, validated.after, ndcg)[0]!.mean,
      },
    });
  }
  return points;
}

/** The baseline with all its trees, whichever is the best. */
async function trainAll(settings: Omit<Config, 'variants'>, rate: number, lab: Lab): Promise<TreesModel> {
  const { data, options, newton, select, iterations: trees } = settings;
  const { model } = await train({
    model: 'trees',
    objective: 'lambdarank(ndcg)',
    select,
    data: generatedPart(data, 'training', lab.seed),
    holdout: 0,
    options: { ...options, ...newton.options, rate, trees, patience: 0, evaluateEvery: 0 },
    seed: lab.seed,
    threads: lab.threads,
    signal: lab.signal,
  });
  return model;
}

/** Shares of the whole, by group of labels. */
function grouped(entries: readonly (readonly [label: number, amount: number])[]): number[] {
  const total = entries.reduce((sum, [, amount]) => sum + amount, 0);
  return groups.map((_, g) =>
    entries.reduce((sum, [label, amount]) => sum + (Math.min(label, HIGH) === g ? amount / total : 0), 0),
  );
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const range = (shares: readonly number[]) => `${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}`;

/** What the claims are about, of all points that they are about. */
function read({ points }: Run, few: number, late: number) {
  // Before the first tree all scores are equal and the order is chance.
  const learning = points.filter(({ iteration }) => iteration > 1);
  const afterFew = points.filter(({ iteration }) => iteration >= few);
  const atEnd = points.filter(({ iteration }) => iteration >= late);
  return {
    all: learning.map(({ agreement }) => agreement.all),
    tier: learning.map(({ agreement }) => agreement.tier),
    low: learning.map(({ sources }) => sources[0]! + sources[1]!),
    top: groups.map((_, g) => afterFew.map(point => point.top[g]!)),
    inTop: atEnd.map(({ changes }) => changes.top),
    inAll: atEnd.map(({ changes }) => changes.all),
  };
}

/** All are about the training queries, of which there is no sample to test: they hold where values lie as said. */
function findings({ runs, few, late }: Outcome): Finding[] {
  const { all, tier, low, top, inTop, inAll } = read(runs[0]!, few, late);
  /** Each with the mean of our shares, from the lowest to the highest, and a share where the paper prints one. */
  const shares = (...of: readonly [name: string, printed: number | undefined, ours: readonly number[]][]): Drawn => ({
    y: 'share',
    style: 'percent',
    curves: of.map(([name, printed, ours]) => ({
      name,
      at: [0],
      paper: printed === undefined ? undefined : [printed],
      ours: [mean(ours)],
      low: [Math.min(...ours)],
      high: [Math.max(...ours)],
    })),
  });
  const finding = (claim: string, paper: string, ours: string, holds: boolean, drawn?: Drawn): Finding => ({
    claim,
    paper,
    ours,
    ...(drawn && { drawn }),
    ...byValues(holds),
  });
  return [
    finding(
      'Figure 2: over all pairs of clicks, lambdas for grades and for clicks agree on about 70 % of the documents',
      'roughly 70 %, ignoring the first iteration',
      `${percent(mean(all))} in the mean, ${range(all)}`,
      Math.abs(mean(all) - 0.7) <= 0.05,
      shares(['agree: about', 0.7, all]),
    ),
    finding(
      'Figure 2: pairs of equal grade without zero clicks agree more',
      'by almost 15 percentage points',
      `${percent(mean(tier))} in the mean, ${(100 * (mean(tier) - mean(all))).toFixed(1)} points more`,
      tier.every((share, i) => share > all[i]!),
      shares(['agree, no zero clicks: almost', 0.85, tier]),
    ),
    finding(
      'Figure 3(a): most of the lambda on highly relevant documents comes from labels 0 and 1, throughout',
      'more than 70 %',
      range(low),
      low.every(share => share > 0.7),
      shares(['from labels 0, 1: more than', 0.7, low]),
    ),
    finding(
      `Figure 3(b): from iteration ${few} on few irrelevant documents are in the top 3`,
      'less than 5 % of label 0, less than 20 % of label 1',
      `${range(top[0]!)} of label 0, ${range(top[1]!)} of label 1`,
      top[0]!.every(share => share < 0.05) && top[1]!.every(share => share < 0.2),
      shares(['label 0 on top: less than', 0.05, top[0]!], ['label 1 on top: less than', 0.2, top[1]!]),
    ),
    finding(
      `Figure 3(b): from iteration ${few} on the top 3 are mostly highly relevant`,
      'over 40 % of labels 3 and 4',
      range(top[3]!),
      top[3]!.every(share => share > 0.4),
      shares(['labels 3, 4 on top: over', 0.4, top[3]!]),
    ),
    finding(
      `Figure 4: from iteration ${late} on little changes in the top 3`,
      'less than 3 % in the top 3, 5 % to 15 % in the whole list',
      `${range(inTop)} in the top 3, ${range(inAll)} in the whole list`,
      inTop.every(share => share < 0.03) && inAll.every(share => share >= 0.05 && share <= 0.15),
      shares(['changes, top 3: less than', 0.03, inTop], ['changes, all: at most', 0.15, inAll]),
    ),
    finding(
      `Figure 4: from iteration ${late} on the top 3 change less than the list`,
      'less than 3 % against 5 % to 15 %',
      `${percent(mean(inTop))} against ${percent(mean(inAll))} in the mean`,
      inTop.every((share, i) => share < inAll[i]!),
      shares(['changes, all less top 3', undefined, inAll.map((share, i) => share - inTop[i]!)]),
    ),
  ];
}

function sections(outcome: Outcome): Section[] {
  const { points } = outcome.runs[0]!;
  const chart = (
    figure: string,
    title: string,
    label: string,
    lines: readonly [name: string, of: (point: Point) => number][],
  ) => ({
    title: figure,
    blocks: [
      {
        kind: 'lines',
        title,
        x: { label: 'iteration', style: 'count' },
        y: { label, style: 'percent' },
        series: lines.map(([name, of]) => ({ name, x: points.map(({ iteration }) => iteration), y: points.map(of) })),
      } satisfies LinesChart,
    ],
  });
  return [
    chart('Figure 2', 'Agreement of the lambdas for grades and for clicks', 'share of documents', [
      ['all pairs', ({ agreement }) => agreement.all],
      ['equal grade, no zero clicks', ({ agreement }) => agreement.tier],
    ]),
    chart(
      'Figure 3(a)',
      'Lambda on highly relevant documents by the label of the partner',
      'share of the lambda',
      groups.map((name, g) => [name, ({ sources }) => sources[g]!]),
    ),
    chart(
      'Figure 3(b)',
      'Labels in the top 3',
      'share of the top 3',
      groups.map((name, g) => [name, ({ top }) => top[g]!]),
    ),
    chart('Figure 4', 'Changes of rank, and NDCG@3', 'share of ranks, NDCG@3', [
      ['changes, whole list', ({ changes }) => changes.all],
      ['changes, top 3', ({ changes }) => changes.top],
      ['NDCG@3, training', ({ ndcg }) => ndcg.training],
      ['NDCG@3, validation', ({ ndcg }) => ndcg.validation],
    ]),
    table(points),
    variantsTable(outcome),
  ];
}

/** How the values that the claims are about change with the data and the rate. */
function variantsTable({ runs, few, late }: Outcome): Section {
  const title = 'What the values depend on';
  return {
    title,
    lead: 'Ranges over the iterations that the claims are about.',
    blocks: [
      {
        kind: 'table',
        title,
        columns: [
          column('altered'),
          ...[
            'agreement, all pairs',
            'lambda from labels 0 and 1',
            `top ${TOP}: label 0`,
            `top ${TOP}: label 1`,
            `top ${TOP}: labels 3 and 4`,
            `late changes, top ${TOP}`,
            'late changes, all',
          ].map(name => ({ title: name, style: 'general' as const })),
          ...['NDCG@3, training, at the end', 'NDCG@3, validation'].map(name => ({
            title: name,
            style: 'value' as const,
          })),
        ],
        rows: runs.map(run => {
          const { all, low, top, inTop, inAll } = read(run, few, late);
          const { training, validation } = run.points.at(-1)!.ndcg;
          return [run.name, ...[all, low, top[0]!, top[1]!, top[3]!, inTop, inAll].map(range), training, validation];
        }),
      },
    ],
  };
}

/** As many rows as are easily read: the first, and a few steps of equal length. */
const ROWS = 10;

function table(points: readonly Point[]): Section {
  const shares = (title: string) => ({ title, style: 'percent' as const });
  const between = Math.ceil((points.length - 1) / ROWS);
  return {
    title: 'Along training',
    lead: 'On the training queries but for the last column.',
    blocks: [
      {
        kind: 'table',
        title: 'Along training',
        columns: [
          column('iteration', 'count'),
          shares('agreement, all pairs'),
          shares('agreement, equal grade, no zeros'),
          ...groups.map(name => shares(`lambda from ${name}`)),
          ...groups.map(name => shares(`top ${TOP}: ${name}`)),
          shares(`changes, top ${TOP}`),
          shares('changes, all'),
          ...['NDCG@3, training', 'NDCG@3, validation'].map(title => ({ title, style: 'value' as const })),
        ],
        rows: points
          .filter((_, i) => i % between === 0)
          .map(({ iteration, agreement, sources, top, changes, ndcg }) => [
            iteration,
            agreement.all,
            agreement.tier,
            ...sources,
            ...top,
            changes.top,
            changes.all,
            ndcg.training,
            ndcg.validation,
          ]),
      },
    ],
  };
}
