/**
 * RankNet trained with one summed lambda a document against both documents of every pair: the same model in less time.
 */
import { z } from 'zod';
import { generateDataset } from '../../data/index.js';
import { studentCritical, studentTwoSided } from '../../numeric/special-functions.js';
import { column, columns } from '../../report/columns.js';
import type { Section, TableBlock } from '../../report/document.js';
import { written } from '../../report/numbers.js';
import { count } from '../../report/words.js';
import { type NamedSettings, trainNamed } from '../../training/train.js';
import type { Drawn } from '../drawn.js';
import { ALPHA, above, byValues, type Tested } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { generatedConfig, generatedPart } from '../generated.js';
import type { Lab } from '../lab.js';
import { type Growth, growth as growthOf } from '../power-law.js';

/** The paper's names, and the value of the option `propagation`. */
const ways = { pairs: 'V1, pair by pair', documents: 'V2, factored' } as const;
type Way = keyof typeof ways;
const wayNames = Object.keys(ways) as Way[];

/** Values that the paper prints. */
const SPEED_UP: Readonly<Record<string, number>> = { linear: 5.1, net: 8 };
const SLOPES: Readonly<Record<Way, number>> = { pairs: 1.943, documents: 1.185 };
/** Half-way between linear and quadratic. */
const BETWEEN = 1.5;
/** The same sum in another order: NDCG may differ by what rounding does over the epochs. */
const ROUNDING = 0.001;

const config = z.strictObject({
  options: z.record(z.string(), z.unknown()),
  /** The left panel: NDCG against time. */
  curves: z.strictObject({
    data: generatedConfig,
    models: z.array(z.enum(['linear', 'net'])),
    measure: z.string(),
    epochs: z.int(),
  }),
  /** The right panel: time of an epoch, the quickest of some, against documents, by documents a query. */
  growth: z.strictObject({
    generator: z.string(),
    features: z.int(),
    queries: z.int(),
    model: z.string(),
    /** Documents a query, rising; the shorter an epoch, the more of them make its quickest one sure. */
    sizes: z.array(z.strictObject({ documents: z.int(), epochs: z.int() })),
  }),
});
type Config = z.output<typeof config>;

interface Curve {
  /** On the validation queries, after each epoch. */
  readonly ndcg: readonly number[];
  /** Of each epoch. */
  readonly seconds: readonly number[];
  /** Of an epoch. */
  readonly pairs: number;
}

interface Outcome {
  readonly measure: string;
  readonly curves: readonly { readonly model: string; readonly ways: Readonly<Record<Way, Curve>> }[];
  readonly growth: {
    readonly queries: number;
    /** In all. */
    readonly documents: readonly number[];
    readonly pairs: readonly number[];
    readonly seconds: Readonly<Record<Way, readonly number[]>>;
  };
}

export const burges2006Figure1 = defineExperiment<Config, Outcome>({
  name: 'burges-2006-figure-1',
  title: 'RankNet trained document by document instead of pair by pair',
  paper: 'Burges, Ragno, Le 2006, Learning to rank with nonsmooth cost functions, Figure 1',
  collections: [],
  config,
  async run(settings, lab) {
    const { curves, growth } = settings;
    lab.expect(wayNames.length * (curves.models.length + growth.sizes.length));
    const found: Outcome['curves'][number][] = [];
    for (const model of curves.models) {
      found.push({ model, ways: await forBothWays(way => curve(settings, model, way, lab)) });
    }
    const grown: Record<Way, Curve>[] = [];
    for (const size of growth.sizes) grown.push(await forBothWays(way => epochsOf(settings, size, way, lab)));
    const quickest = (way: Way) => grown.map(both => Math.min(...both[way].seconds));
    return {
      measure: curves.measure,
      curves: found,
      growth: {
        queries: growth.queries,
        documents: growth.sizes.map(({ documents }) => growth.queries * documents),
        pairs: grown.map(both => both.pairs.pairs),
        seconds: { pairs: quickest('pairs'), documents: quickest('documents') },
      },
    };
  },
  withoutTimes: ({ curves, growth: { seconds: _, ...sizes } }) => ({
    curves: curves.map(({ model, ways: both }) => ({
      model,
      ...Object.fromEntries(wayNames.map(way => [way, { ndcg: both[way].ndcg, pairs: both[way].pairs }])),
    })),
    sizes,
  }),
  findings: outcome => [
    ...outcome.curves.flatMap(speedUps),
    ...wayNames.map(way => slopeFinding(outcome.growth, way)),
    ...outcome.curves.map(both => sameCurve(both, outcome.measure)),
  ],
  sections: outcome => [...outcome.curves.map(both => curveSection(both, outcome.measure)), growthSection(outcome)],
});

async function forBothWays<Result>(work: (way: Way) => Promise<Result>): Promise<Record<Way, Result>> {
  return { pairs: await work('pairs'), documents: await work('documents') };
}

async function curve({ options, curves }: Config, model: string, way: Way, lab: Lab): Promise<Curve> {
  const { data, measure, epochs } = curves;
  return lab.step(`${model}, ${ways[way]}`, () =>
    follow({
      data: generatedPart(data, 'training', lab.seed),
      validate: generatedPart(data, 'validation', lab.seed),
      model,
      select: measure,
      seed: lab.seed,
      signal: lab.signal,
      options: { ...options, epochs, propagation: way },
    }),
  );
}

async function epochsOf(
  { options, growth }: Config,
  { documents, epochs }: Config['growth']['sizes'][number],
  way: Way,
  lab: Lab,
): Promise<Curve> {
  const { generator, features, queries, model } = growth;
  return lab.step(`${documents} documents a query, ${ways[way]}`, () =>
    follow({
      data: generateDataset(generator, { features, queries, documents, seed: lab.seed }),
      model,
      holdout: 0,
      seed: lab.seed,
      signal: lab.signal,
      options: { ...options, epochs, propagation: way },
    }),
  );
}

async function follow(settings: NamedSettings): Promise<Curve> {
  // One query to an update: a second thread would have nothing to do.
  const { log } = await trainNamed({ ...settings, objective: 'ranknet', threads: 1 });
  return {
    ndcg: log.map(({ validation }) => validation[0]!),
    seconds: log.map(({ seconds }) => seconds),
    pairs: log[0]!.pairs,
  };
}

const title = (model: string) => (model === 'linear' ? 'linear' : 'two layers');

function ratio(both: Outcome['curves'][number]['ways']): number {
  return Math.min(...both.pairs.seconds) / Math.min(...both.documents.seconds);
}

/** Two claims: that it is faster; and by how much, which depends on machine, features and code. */
function speedUps({ model, ways: both }: Outcome['curves'][number]): Finding[] {
  const [theirs, ours] = [SPEED_UP[model]!, ratio(both)];
  const shown = {
    paper: `${theirs.toFixed(1)} times`,
    ours: `${ours.toFixed(1)} times, ${count(both.pairs.pairs)} pairs an epoch`,
  };
  const drawn: Drawn = {
    y: 'times faster',
    reference: 1,
    curves: [{ name: title(model), at: [0], paper: [theirs], ours: [ours] }],
  };
  return [
    { claim: `${title(model)}: the factored way is faster`, ...shown, drawn, ...byValues(ours > 1) },
    { claim: `${title(model)}: at least as many times faster as in the paper`, ...shown, ...byValues(ours >= theirs) },
  ];
}

/** Of all sizes, or of the larger half of them, where pairs outweigh what every query takes. */
function slopeOf({ documents, seconds }: Outcome['growth'], way: Way, from: 'all' | 'half' = 'all'): Growth {
  const skip = from === 'all' ? 0 : Math.floor(documents.length / 2);
  return growthOf(documents.slice(skip), seconds[way].slice(skip));
}

function slopeFinding(sizes: Outcome['growth'], way: Way): Finding {
  const found = slopeOf(sizes, way);
  return {
    claim: `${ways[way]}: time is close to ${way === 'pairs' ? 'quadratic' : 'linear'} in documents a query`,
    paper: `log-log slope ${SLOPES[way].toFixed(3)}`,
    ours: slopeText(found),
    drawn: {
      y: 'seconds an epoch',
      x: { label: 'documents', scale: 'log' },
      curves: [{ at: sizes.documents, paper: paperLine(sizes, way), ours: sizes.seconds[way] }],
    },
    ...above(slopeTest(found, way, sizes.documents.length)),
  };
}

/** A line of the paper's slope through our last point: machines differ, slopes should not. */
function paperLine({ documents, seconds }: Outcome['growth'], way: Way): number[] {
  const last = documents.length - 1;
  return documents.map(n => seconds[way][last]! * (n / documents[last]!) ** SLOPES[way]);
}

/**
 * Beyond the slope half-way between, on the side that is claimed; a line through n points has n - 2 degrees of freedom.
 */
function slopeTest({ slope, interval: [low, high] }: Growth, way: Way, n: number): Tested {
  const difference = way === 'pairs' ? slope - BETWEEN : BETWEEN - slope;
  const error = (high - low) / 2 / studentCritical(ALPHA, n - 2);
  return { unit: 'lengths of lists', n, difference, error, p: studentTwoSided(difference / error, n - 2) };
}

function sameCurve({ model, ways: { pairs, documents } }: Outcome['curves'][number], measure: string): Finding {
  const differences = pairs.ndcg.map((value, epoch) => value - documents.ndcg[epoch]!);
  const apart = Math.max(...differences.map(Math.abs));
  return {
    claim: `${title(model)}: both ways train the same model`,
    paper: 'the same sum, refactored (Equations 6 and 7)',
    ours: `${measure} on validation queries differs by ${written(apart)} at most, of ${count(pairs.ndcg.length)} epochs`,
    drawn: {
      y: `difference in ${measure}`,
      style: 'significant',
      x: { label: 'epoch' },
      reference: 0,
      curves: [{ at: differences.map((_, epoch) => epoch + 1), ours: differences }],
    },
    ...byValues(apart < ROUNDING),
  };
}

/** The paper draws the best so far. */
function bestSoFar(values: readonly number[]): number[] {
  let best = Number.NEGATIVE_INFINITY;
  return values.map(value => {
    best = Math.max(best, value);
    return best;
  });
}

function runningSum(values: readonly number[]): number[] {
  let sum = 0;
  return values.map(value => {
    sum += value;
    return sum;
  });
}

function curveSection({ model, ways: both }: Outcome['curves'][number], measure: string): Section {
  const row = (way: Way) => {
    const { seconds, ndcg } = both[way];
    return [ways[way], Math.min(...seconds), runningSum(seconds).at(-1)!, bestSoFar(ndcg).at(-1)!];
  };
  return {
    title: `Figure 1 left: against time, ${title(model)}`,
    blocks: [
      {
        kind: 'lines',
        title: `The best ${measure} on validation queries so far`,
        note: 'One point an epoch.',
        x: { label: 'seconds', style: 'seconds' },
        y: { label: measure, style: 'value' },
        series: [
          ...wayNames.map(way => ({
            name: ways[way],
            x: runningSum(both[way].seconds),
            y: bestSoFar(both[way].ndcg),
          })),
          {
            name: `V2, if ${SPEED_UP[model]!.toFixed(1)} times faster as in the paper`,
            tone: 'theirs' as const,
            x: runningSum(both.pairs.seconds).map(seconds => seconds / SPEED_UP[model]!),
            y: bestSoFar(both.pairs.ndcg),
          },
        ],
      },
      {
        kind: 'table',
        title: `Against time, ${title(model)}`,
        columns: [
          column('way'),
          ...columns('seconds', 'quickest epoch', 'all epochs'),
          column(`best ${measure}`, 'value'),
        ],
        rows: wayNames.map(row),
      },
    ],
  };
}

function growthSection({ growth: sizes }: Outcome): Section {
  const { queries, documents, pairs, seconds } = sizes;
  return {
    title: 'Figure 1 right: against documents',
    lead: `${count(queries)} queries; the quickest epoch. Both axes of the picture are logarithmic.`,
    blocks: [
      {
        kind: 'lines',
        title: 'Seconds an epoch',
        note: wayNames.map(way => `${ways[way]}: slope ${slopeOf(sizes, way).slope.toFixed(3)}`).join('. '),
        x: { label: 'documents', style: 'count', scale: 'log' },
        y: { label: 'seconds', scale: 'log' },
        series: wayNames.map(way => ({ name: ways[way], x: documents, y: seconds[way] })),
      },
      {
        kind: 'table',
        title: `An epoch over ${count(queries)} queries`,
        columns: [
          ...columns('count', 'documents a query', 'documents', 'pairs'),
          ...wayNames.map(way => ({ title: ways[way], style: 'seconds' as const })),
          column('times faster', 'value', { digits: 1 }),
        ],
        rows: documents.map((n, i) => [
          n / queries,
          n,
          pairs[i]!,
          seconds.pairs[i]!,
          seconds.documents[i]!,
          seconds.pairs[i]! / seconds.documents[i]!,
        ]),
      },
      slopeTable(sizes),
    ],
  };
}

function slopeTable(sizes: Outcome['growth']): TableBlock {
  const half = sizes.documents[Math.floor(sizes.documents.length / 2)]! / sizes.queries;
  return {
    kind: 'table',
    title: 'Log-log slopes',
    columns: [
      ...columns(undefined, 'way', 'paper', 'here, all sizes', `here, from ${count(half)} documents a query on`),
    ],
    rows: wayNames.map(way => [
      ways[way],
      SLOPES[way].toFixed(3),
      slopeText(slopeOf(sizes, way)),
      slopeText(slopeOf(sizes, way, 'half')),
    ]),
  };
}

/** A line through two points has no interval. */
const slopeText = ({ slope, interval: [low, high] }: Growth) => {
  const text = (value: number) => written(value, 'value', 3);
  return `${text(slope)} (${Number.isNaN(low) ? 'no interval' : `${text(low)} to ${text(high)}`})`;
};
