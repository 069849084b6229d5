/**
 * Which measure to train for, when another one is what counts in the end. A measure that sees more of each ranking can
 * be the better one to train for, even where it is not the one that models are evaluated by (Yilmaz, Robertson 2010;
 * Donmez, Svore, Burges 2009, who had more data and found otherwise): so every candidate is trained on this very data,
 * selected on validation queries by the test measure, and compared on test queries with training for the test measure
 * itself.
 */
import { availableParallelism } from 'node:os';
import type { Dataset } from '../data/dataset.js';
import { seededQueryOrder, selectQueries } from '../data/split.js';
import { ListwiseError } from '../errors.js';
import { evaluateSteps, type MeasureResult } from '../measures/evaluate.js';
import type { AskedMeasure } from '../measures/parse.js';
import type { Ties } from '../measures/query-view.js';
import type { MatchOptions } from '../models/match-features.js';
import { scoreDataOnThreads } from '../models/scoring-threads.js';
import { spreadInTurn } from '../ranks/spread.js';
import { alone, type Transport } from '../ranks/transport.js';
import { inTurns } from '../steps.js';
import { trainNamed } from '../training/train.js';
import { holm } from './significance/holm.js';
import { type PairedResult, pairedComparison, type TestName } from './significance/paired.js';

/**
 * What is trained, and what for.
 *
 * @example
 * import type { AdviseSettings } from 'listwise/analysis';
 *
 * const seeds = ({ seeds = 5 }: AdviseSettings): number => seeds;
 */
export interface AdviseSettings {
  readonly data: Dataset;
  readonly validate: Dataset;
  readonly test: Dataset;
  /** What counts in the end; it is a candidate itself, the one that the others are compared with. */
  readonly testMeasure: AskedMeasure;
  readonly candidates: readonly AskedMeasure[];
  /** The kind of model and its options. */
  readonly model: string;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** The objective that is made of each candidate: lambdarank(ap) for lambdarank. */
  readonly construction?: string | undefined;
  /** Trainings of each candidate and share: other first weights, other samples of the queries. */
  readonly seeds?: number | undefined;
  /** Shares of the training queries. */
  readonly shares?: readonly number[] | undefined;
  readonly alpha?: number | undefined;
  readonly seed?: number | undefined;
  readonly threads?: number | undefined;
  readonly ties?: Ties | undefined;
  readonly match?: MatchOptions | undefined;
  readonly modules?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with what share of all work is done. */
  readonly onProgress?: ((done: number, detail: string) => void) | undefined;
}

/** A candidate trained on a share of the data: the test measure on the test queries. */
export interface AdviseCell {
  readonly candidate: string;
  readonly share: number;
  /** Training queries. */
  readonly queries: number;
  /** Mean over the seeds, and each. */
  readonly mean: number;
  readonly bySeed: readonly number[];
}

/** A candidate against training for the test measure, each query's value averaged over the seeds. */
export interface AdviseComparison extends PairedResult {
  readonly candidate: string;
  readonly share: number;
  /** p-values adjusted by Holm for the candidates of the share. */
  readonly adjusted: Readonly<Record<DecidingTest, number>>;
  /** All three tests agree. */
  readonly significant: boolean;
  /** Seeds in which the candidate was better. */
  readonly seedsAhead: number;
}

/** Yilmaz and Robertson call a difference significant where these three agree. */
export const decidingTests = ['t', 'wilcoxon', 'sign'] as const satisfies readonly TestName[];
export type DecidingTest = (typeof decidingTests)[number];

/**
 * Which measure to train for.
 *
 * @example
 * import type { Advice } from 'listwise/analysis';
 *
 * const shown = ({ candidates, testMeasure }: Advice): string => `${candidates.join(', ')} by ${testMeasure}`;
 */
export interface Advice {
  readonly testMeasure: string;
  readonly candidates: readonly string[];
  readonly seeds: number;
  readonly shares: readonly number[];
  readonly alpha: number;
  readonly testQueries: number;
  readonly cells: readonly AdviseCell[];
  readonly comparisons: readonly AdviseComparison[];
}

/**
 * Trains for each of several measures and tells which gives the best models by the measure that matters.
 *
 * @example
 * import { parseMeasures } from 'listwise';
 * import { advise } from 'listwise/analysis';
 *
 * const [ndcg, ap] = parseMeasures('ndcg@10,ap');
 * const { cells } = await advise({
 *   data,
 *   validate,
 *   test,
 *   testMeasure: ndcg!,
 *   candidates: [ndcg!, ap!],
 *   model: 'linear',
 * });
 */
export function advise(settings: AdviseSettings): Promise<Advice> {
  return adviseOn(alone, settings);
}

/** On ranks that share the trainings out; every one of them makes this call, with the same settings. */
export async function adviseOn(ranks: Transport, settings: AdviseSettings): Promise<Advice> {
  const { seeds = 3, shares = [1], alpha = 0.05, seed = 1, testMeasure, test } = settings;
  const candidates = withTestMeasure(settings.candidates, testMeasure);
  const cells: AdviseCell[] = [];
  const comparisons: AdviseComparison[] = [];
  const total = (shares.reduce((sum, share) => sum + share, 0) * candidates.length * seeds) / ranks.size;
  let done = 0;
  for (const share of shares) {
    // One sample at a time is held: candidates of a seed follow each other.
    let sample = { of: 0, data: sampleOf(settings.data, share, seed) };
    const { queries } = sample.data;
    const jobs = Array.from({ length: seeds }, (_, s) => candidates.map(candidate => ({ s, candidate }))).flat();
    const scores = await spreadInTurn(ranks, jobs, async ({ s, candidate }) => {
      if (sample.of !== s) sample = { of: s, data: sampleOf(settings.data, share, seed + s) };
      const detail = `${candidate.asked}, ${Number((100 * share).toPrecision(4))} % of the data, seed ${s + 1}`;
      const progress = (part: number) => settings.onProgress?.(Math.min(1, (done + part * share) / total), detail);
      const found = await trainAndScore(settings, sample.data, candidate, seed + s, progress);
      done += share;
      return found;
    });
    const evaluated: MeasureResult[][] = candidates.map(() => []);
    for (const [i, own] of scores.entries()) {
      evaluated[i % candidates.length]!.push(await evaluateTest(settings, own));
    }
    const means = evaluated.map(results => results.map(({ mean }) => mean));
    for (const [c, { asked }] of candidates.entries()) {
      cells.push({ candidate: asked, share, queries, mean: meanOf(means[c]!), bySeed: means[c]! });
    }
    comparisons.push(...compared(candidates, evaluated, share, alpha, seed));
  }
  return {
    seeds,
    shares,
    alpha,
    cells,
    comparisons,
    testQueries: test.queries,
    testMeasure: testMeasure.asked,
    candidates: candidates.map(({ asked }) => asked),
  };
}

/** The test measure first, then the others, each once. */
function withTestMeasure(candidates: readonly AskedMeasure[], testMeasure: AskedMeasure): AskedMeasure[] {
  const others = new Map(candidates.map(candidate => [candidate.measure.spec, candidate]));
  others.delete(testMeasure.measure.spec);
  if (others.size > 0) return [testMeasure, ...others.values()];
  throw new ListwiseError('option-invalid', `give a candidate beside the test measure ${testMeasure.asked}`);
}

/** Other queries for every seed; all of them for a share of 1. */
function sampleOf(data: Dataset, share: number, seed: number): Dataset {
  if (share === 1) return data;
  const count = Math.round(share * data.queries);
  if (count === 0) {
    throw new ListwiseError('option-invalid', `a share of ${share} of ${data.queries} training queries is none`);
  }
  const chosen = seededQueryOrder(data.queryIds, seed).slice(0, count);
  return selectQueries(
    data,
    chosen.sort((a, b) => a - b),
  );
}

async function trainAndScore(
  settings: AdviseSettings,
  data: Dataset,
  { measure }: AskedMeasure,
  seed: number,
  progress: (part: number) => void,
): Promise<Float64Array> {
  const { model, options, validate, test, testMeasure, threads, match, modules, signal } = settings;
  const trained = await trainNamed({
    data,
    validate,
    model,
    options,
    seed,
    threads,
    match,
    modules,
    signal,
    objective: `${settings.construction ?? 'lambdarank'}(${measure.spec})`,
    select: testMeasure.measure.spec,
    onIteration: ({ iteration }, total) => progress(iteration / total),
  });
  if (signal?.aborted)
    throw new ListwiseError('training-interrupted', 'interrupted before all candidates were trained');
  return scoreDataOnThreads(trained.model, test, threads ?? availableParallelism(), match);
}

async function evaluateTest({ test, testMeasure, ties }: AdviseSettings, scores: Float64Array): Promise<MeasureResult> {
  const [result] = await inTurns(
    evaluateSteps(test, scores, [testMeasure.measure], ties === undefined ? {} : { ties }),
  );
  return result!;
}

/** `evaluated[candidate][seed]`; the first candidate is the test measure. */
function compared(
  candidates: readonly AskedMeasure[],
  evaluated: readonly (readonly MeasureResult[])[],
  share: number,
  alpha: number,
  seed: number,
): AdviseComparison[] {
  const values = evaluated.map(averaged);
  const [own, ...others] = values as [Float64Array, ...Float64Array[]];
  const found = others.map((theirs, o) => {
    const both = (_: number, q: number) => !Number.isNaN(theirs[q]!) && !Number.isNaN(own[q]!);
    // Intervals of all candidates hold together, as in `compare`.
    const level = { alpha: alpha / others.length, seed };
    const result = pairedComparison(theirs.filter(both), own.filter(both), level);
    const ahead = evaluated[o + 1]!.filter(({ mean }, s) => mean > evaluated[0]![s]!.mean).length;
    return { candidate: candidates[o + 1]!.asked, share, seedsAhead: ahead, ...result };
  });
  const adjusted = (name: DecidingTest) => holm(found.map(({ tests }) => tests[name].p));
  const [t, wilcoxon, sign] = decidingTests.map(adjusted) as [number[], number[], number[]];
  return found.map((comparison, i) => {
    const p = { t: t[i]!, wilcoxon: wilcoxon[i]!, sign: sign[i]! };
    return { ...comparison, adjusted: p, significant: decidingTests.every(name => p[name] < alpha) };
  });
}

/** Of each query the mean over the seeds of what the measure's own mean is taken of. */
function averaged(results: readonly MeasureResult[]): Float64Array {
  const { measure, values } = results[0]!;
  return values.map((_, q) => meanOf(results.map(result => measure.aggregate.of(result.values[q]!))));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What to train for, at the largest share, in a sentence or two. */
export function adviceVerdict(advice: Advice): string {
  const { testMeasure, seeds, testQueries } = advice;
  const share = Math.max(...advice.shares);
  const cells = advice.cells.filter(cell => cell.share === share);
  const comparisons = advice.comparisons.filter(comparison => comparison.share === share);
  const own = cells.find(({ candidate }) => candidate === testMeasure)!;
  const best = cells.reduce((a, b) => (b.mean > a.mean ? b : a));
  const on = `on ${testQueries} test ${testQueries === 1 ? 'query' : 'queries'}, mean of ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`;
  // Holm multiplies the least p by the number of comparisons; were a candidate ahead on every query, the sign test's is
  // 2^(1 - n).
  const tooFew = comparisons.length * 2 ** (1 - testQueries) >= advice.alpha;
  if (best === own) {
    const worse = comparisons.filter(({ significant }) => significant).map(({ candidate }) => candidate);
    const none = tooFew
      ? 'but so few queries cannot tell any two apart'
      : 'but none of the others can be distinguished from it';
    const rest = worse.length === 0 ? none : `surely better than ${list(worse)}`;
    return `Train for ${testMeasure} itself: ${own.mean.toFixed(4)} (${on}) is the best of all candidates, ${rest}.`;
  }
  const meanOfCandidate = (name: string) => cells.find(({ candidate }) => candidate === name)!.mean;
  const byMean = [...comparisons].sort((a, b) => meanOfCandidate(b.candidate) - meanOfCandidate(a.candidate));
  // The best of those that are surely better; where none is, the best of all.
  const comparison = byMean.find(({ significant, difference }) => significant && difference > 0) ?? byMean[0]!;
  const { candidate } = comparison;
  const margin = `${testMeasure} ${meanOfCandidate(candidate).toFixed(4)} against ${own.mean.toFixed(4)} when trained for ${testMeasure} itself, ${on}; ahead in ${comparison.seedsAhead} of ${seeds}`;
  const p = `largest p ${largestP(comparison)}`;
  const unsure =
    candidate === best.candidate ? '' : ` ${best.candidate} did best (${best.mean.toFixed(4)}), but not surely.`;
  return comparison.significant
    ? `Train for ${candidate}: ${margin}. t-test, Wilcoxon and sign test agree (${p}).${unsure}`
    : `No candidate is surely better than ${testMeasure} itself; ${candidate} did best (${margin}), but ${tooFew ? 'so few queries cannot show this to be more than chance' : `the three tests do not agree that this is more than chance (${p})`}.`;
}

function largestP({ adjusted }: AdviseComparison): string {
  const p = Math.max(...decidingTests.map(name => adjusted[name]));
  return p < 0.001 ? 'below 0.001' : p.toFixed(3);
}

function list(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
