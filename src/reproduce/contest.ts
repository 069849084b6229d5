/**
 * Objectives trained on the same data; for each measure tested every one's model is chosen on validation data by that
 * measure: "train for X, validate and test on Y". They are compared with one of them, paired over the test queries of
 * all data sets.
 */
import { z } from 'zod';
import { meanInterval, signTest, tTest, wilcoxonTest } from '../analysis/significance/index.js';
import { evaluate } from '../measures/evaluate.js';
import { parseMeasure } from '../measures/parse.js';
import { scoreData } from '../models/ranker.js';
import { mean } from '../numeric/vectors.js';
import { bestForEach } from './best-for-each.js';
import type { Trial } from './best-on-validation.js';
import type { Drawn } from './drawn.js';
import { ALPHA, type Tested as Evidenced, testedOver, testedWith } from './evidence.js';
import { generatedConfig, generatedParts, type Parts } from './generated.js';
import type { Lab } from './lab.js';

export const contestConfig = z.strictObject({
  data: generatedConfig,
  /** Each of another seed. */
  dataSets: z.int(),
  model: z.string(),
  rates: z.array(z.number()),
  /** Random starts for each rate. */
  starts: z.int().optional(),
  options: z.record(z.string(), z.unknown()),
});
export type ContestConfig = z.output<typeof contestConfig>;

export interface Entrant {
  readonly name: string;
  readonly objective: string;
  /** The measure that it is trained for: it lowers the rate and ends the training. */
  readonly select: string;
}

export interface Contest {
  readonly entrants: readonly Entrant[];
  /** Measures that choose and test, each with the name of the entrant that the others are compared with. */
  readonly tests: readonly { readonly measure: string; readonly base: string }[];
}

/** What came of one measure tested. */
export interface Contested {
  readonly measure: string;
  readonly base: string;
  readonly queries: number;
  readonly results: readonly Result[];
}

export interface Result {
  /** Of the entrant. */
  readonly name: string;
  readonly mean: number;
  /** Standard error of the mean over queries. */
  readonly error: number;
  /** One a data set. */
  readonly runs: readonly { readonly chosen: Trial; readonly test: number }[];
  /** Less the base; absent for the base itself. */
  readonly against?: Against | undefined;
}

export interface Against {
  readonly difference: number;
  readonly interval: readonly [number, number];
  readonly p: { readonly t: number; readonly wilcoxon: number; readonly sign: number };
  /** Data sets on which it is better than the base. */
  readonly better: number;
  readonly queries: number;
  /** The difference on each data set. */
  readonly dataSets: readonly number[];
}

/** An entrant on one data set, for one measure tested. */
interface Tested {
  readonly chosen: Trial;
  /** By query; those without a value are left out, which are the same for every entrant. */
  readonly values: readonly number[];
}

/** `label` tells its steps from those of other contests of the experiment. */
export interface Planned {
  readonly label: string;
  readonly contest: Contest;
  /** Of its data only where it is generated. */
  readonly config: Omit<ContestConfig, 'data'> & Partial<Pick<ContestConfig, 'data'>>;
  /** The parts of each data set, where they are not. */
  readonly given?: readonly Parts[];
}

/** One after the other; of each one result a measure tested. */
export async function holdContests(planned: readonly Planned[], lab: Lab): Promise<Contested[][]> {
  for (const { contest, config } of planned) lab.expect(contest.entrants.length * config.dataSets);
  const held: Contested[][] = [];
  for (const one of planned) held.push(await holdContest(one, lab));
  return held;
}

async function holdContest(
  { label, contest: { entrants, tests }, config, given }: Planned,
  lab: Lab,
): Promise<Contested[]> {
  /** [data set][entrant][test] */
  const byData = await lab.each(lab.seeds(config.dataSets), async (seed, i) => {
    const parts = given?.[i] ?? generatedParts(config.data!, seed);
    const tested: Tested[][] = [];
    for (const entrant of entrants) {
      const key = `${label}${entrant.name}, data ${seed}`;
      tested.push(await lab.step(key, () => trainAndTest(entrant, tests, config, parts, seed, lab)));
    }
    return tested;
  });
  return tests.map(({ measure, base }, t) => {
    const ofTest = entrants.map((_, e) => byData.map(ofData => ofData[e]![t]!));
    const from = ofTest[entrants.findIndex(({ name }) => name === base)]!;
    return {
      measure,
      base,
      queries: from.flatMap(({ values }) => values).length,
      results: entrants.map(({ name }, e) => result(name, ofTest[e]!, name === base ? undefined : from)),
    };
  });
}

async function trainAndTest(
  { objective, select }: Entrant,
  tests: Contest['tests'],
  { model, rates, starts, options }: Planned['config'],
  parts: Parts,
  seed: number,
  lab: Lab,
): Promise<Tested[]> {
  // A measure may be tested with several bases.
  const measures = [...new Set(tests.map(({ measure }) => measure))];
  const found = await bestForEach({ objectives: [objective], rates, starts }, measures, {
    data: parts('training'),
    validate: parts('validation'),
    model,
    select,
    options,
    seed,
    threads: lab.threads,
    signal: lab.signal,
  });
  const test = parts('test');
  const tested = found.map(({ chosen, model: ranker }, m): Tested => {
    const [evaluated] = evaluate(test, scoreData(ranker, test), [parseMeasure(measures[m]!)]);
    return { chosen, values: [...evaluated!.values].filter(value => !Number.isNaN(value)) };
  });
  return tests.map(({ measure }) => tested[measures.indexOf(measure)]!);
}

function result(name: string, runs: readonly Tested[], base: readonly Tested[] | undefined): Result {
  const values = runs.flatMap(run => run.values);
  return {
    name,
    mean: mean(values),
    error: standardError(values),
    runs: runs.map(run => ({ chosen: run.chosen, test: mean(run.values) })),
    against: base && against(runs, base),
  };
}

/** One a data set: the values of its queries, each as it stands in the other sample of the pair. */
export interface Sample {
  readonly values: readonly number[];
}

export function against(runs: readonly Sample[], base: readonly Sample[]): Against {
  const from = base.flatMap(({ values }) => values);
  const differences = Float64Array.from(
    runs.flatMap(({ values }) => values),
    (value, query) => value - from[query]!,
  );
  const dataSets = runs.map(({ values }, d) => mean(values) - mean(base[d]!.values));
  return {
    difference: mean(differences),
    interval: meanInterval(differences, ALPHA),
    p: { t: tTest(differences).p, wilcoxon: wilcoxonTest(differences).p, sign: signTest(differences).p },
    better: dataSets.filter(difference => difference > 0).length,
    queries: differences.length,
    dataSets,
  };
}

/** The base less the other. */
export function reversed(found: Against): Against {
  const { difference, interval, dataSets } = found;
  const [low, high] = interval;
  return {
    ...found,
    difference: -difference,
    interval: [-high, -low],
    better: dataSets.filter(value => value < 0).length,
    dataSets: dataSets.map(value => -value),
  };
}

/** Over the queries of all data sets, and over the data sets, which may be the folds of one. */
export function testsOf(
  found: Against,
  tests: Deciding,
  unit: 'data sets' | 'folds' = 'data sets',
): [queries: Evidenced, dataSets: Evidenced] {
  const { difference, interval, queries, dataSets } = found;
  return [
    testedWith('queries', { n: queries, difference, interval, p: decidingP(found, tests) }),
    testedOver(unit, dataSets),
  ];
}

/** What there is to draw of a difference; `printed` is the paper's. */
export function againstDrawn(name: string, { difference, interval: [low, high] }: Against, printed?: number): Drawn {
  return {
    y: 'difference',
    style: 'difference',
    reference: 0,
    curves: [
      {
        name,
        at: [0],
        paper: printed === undefined ? undefined : [printed],
        ours: [difference],
        low: [low],
        high: [high],
      },
    ],
  };
}

/** Pairs with a lambda in an epoch: a mean over data sets. */
export function pairsOf({ runs }: Result): number {
  return mean(runs.map(({ chosen }) => chosen.pairs!));
}

function standardError(values: readonly number[]): number {
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** Tests that decide: the t-test alone, or all three must agree. */
export type Deciding = 't' | 'all';

/** The largest p-value of the tests that decide. */
export function decidingP({ p }: Against, tests: Deciding): number {
  return tests === 't' ? p.t : Math.max(p.t, p.wilcoxon, p.sign);
}

export function significant(against: Against, tests: Deciding): boolean {
  return decidingP(against, tests) < ALPHA;
}
