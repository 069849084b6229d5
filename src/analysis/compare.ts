/** Compares two or more systems on the same queries: means, differences, and whether they could be chance. */
import { IdNumbers } from '../data/id-numbers.js';
import { didYouMean, few, ListwiseError, quote } from '../errors.js';
import { evaluateSteps, type MeasureResult } from '../measures/evaluate.js';
import { arithmeticMean, type Measure } from '../measures/measure.js';
import { askedMeasures, type MeasureLike } from '../measures/parse.js';
import type { Ties } from '../measures/query-view.js';
import { atOnce, partOf, type Steps } from '../steps.js';
import { holm } from './significance/holm.js';
import { type PairedResult, pairedComparison, type TestName, tests } from './significance/paired.js';
import type { System } from './system.js';

export const corrections = ['holm', 'none'] as const;
export type Correction = (typeof corrections)[number];

/**
 * How systems are compared.
 *
 * @example
 * import type { CompareOptions } from 'listwise';
 *
 * const options: CompareOptions = { baseline: 'bm25', alpha: 0.01, correction: 'holm' };
 */
export interface CompareOptions {
  /** Compare every other system with this one; by default all pairs are compared. */
  baseline?: string | undefined;
  /**
   * Level of significance and of the confidence intervals (default 0.05). Where p-values are adjusted the intervals of
   * all pairs under a measure hold together at this level (Bonferroni).
   */
  alpha?: number | undefined;
  /** How p-values are adjusted for the number of pairs (default holm). */
  correction?: Correction | undefined;
  /** Significant only where t-test, Wilcoxon and sign test all say so; by default the randomisation test decides. */
  agree?: boolean | undefined;
  ties?: Ties | undefined;
  seed?: number | undefined;
}

/**
 * One measure, two systems: `difference` is a minus b, wins are queries on which a is better.
 *
 * @example
 * import { type ComparedPair, compareSystems } from 'listwise';
 *
 * const { pairs } = compareSystems(systems, 'ndcg@10');
 * const better: ComparedPair[] = pairs.filter(({ significant, difference }) => significant && difference > 0);
 */
export interface ComparedPair extends PairedResult {
  readonly measure: string;
  readonly a: string;
  readonly b: string;
  /** p-values of the tests. */
  readonly p: Readonly<Record<TestName, number>>;
  /** p-values adjusted for all pairs compared under this measure. */
  readonly adjusted: Readonly<Record<TestName, number>>;
  readonly significant: boolean;
  /** What to know about the values: the scale of the difference, why a p-value is missing. */
  readonly notes: readonly string[];
}

/**
 * Means of every system, and every pair of them.
 *
 * @example
 * import { compareSystems, type Comparison } from 'listwise';
 *
 * const { systems: compared, deciding }: Comparison = compareSystems(systems, 'ap');
 * console.log(compared.map(({ name, means }) => `${name} ${means.ap}`), deciding);
 */
export interface Comparison {
  readonly systems: readonly {
    readonly name: string;
    readonly results: readonly MeasureResult[];
    /** The mean by the measure's name as asked for. */
    readonly means: Readonly<Record<string, number>>;
  }[];
  readonly pairs: readonly ComparedPair[];
  /** The tests whose adjusted p-values must all be below alpha. */
  readonly deciding: readonly TestName[];
  readonly alpha: number;
  readonly correction: Correction;
}

const testNames = Object.keys(tests) as TestName[];

/**
 * Compares two or more systems on the same queries: means, differences, and whether they could be chance.
 *
 * @example
 * import { compareSystems, scoreData } from 'listwise';
 *
 * const { pairs } = compareSystems(
 *   [
 *     { name: 'new', data: test, scores: scoreData(model, test) },
 *     { name: 'old', data: test, scores },
 *   ],
 *   'ndcg@10,ap',
 * );
 * for (const { measure, difference, p } of pairs) console.log(measure, difference, p.randomisation);
 */
export function compareSystems(
  systems: readonly System[],
  measures: string | readonly MeasureLike[],
  options: CompareOptions = {},
): Comparison {
  return atOnce(compareSteps(systems, measures, options));
}

/** The share of the work that evaluation is counted as; the rest is tests. */
const EVALUATION = 0.5;

/** As `compareSystems`, step by step. */
export function* compareSteps(
  systems: readonly System[],
  given: string | readonly MeasureLike[],
  options: CompareOptions = {},
): Steps<Comparison> {
  const measures = askedMeasures(given);
  const { alpha = 0.05, correction = 'holm', agree = false, ties, seed } = options;
  if (!(alpha > 0 && alpha < 1)) {
    throw new ListwiseError('option-invalid', `alpha is a number above 0 and below 1, found ${alpha}`);
  }
  const couples = couplesOf(
    systems.map(system => system.name),
    options.baseline,
  );
  const aligned = alignQueries(systems);
  const evaluated: { name: string; results: MeasureResult[] }[] = [];
  for (const [s, { name, data, scores }] of systems.entries()) {
    const steps = evaluateSteps(data, scores, measures, ties === undefined ? {} : { ties });
    const share = EVALUATION / systems.length;
    evaluated.push({ name, results: yield* partOf(steps, s * share, (s + 1) * share) });
  }
  const deciding: readonly TestName[] = agree ? ['t', 'wilcoxon', 'sign'] : ['randomisation'];

  const pairs: ComparedPair[] = [];
  for (const [m, { asked, measure }] of measures.entries()) {
    const found: Omit<ComparedPair, 'adjusted' | 'significant'>[] = [];
    for (const [c, [a, b]] of couples.entries()) {
      // Tests look at what the mean is taken over: the logarithm for a geometric mean.
      const values = (system: number) =>
        Float64Array.from(aligned[system]!, q => measure.aggregate.of(evaluated[system]!.results[m]!.values[q]!));
      const [ours, theirs] = [values(a), values(b)];
      // A query that is skipped for one of the two says nothing about their difference.
      const both = (_: number, q: number) => !Number.isNaN(ours[q]!) && !Number.isNaN(theirs[q]!);
      const result = pairedComparison(ours.filter(both), theirs.filter(both), {
        alpha: correction === 'none' ? alpha : alpha / couples.length,
        ...(seed === undefined ? {} : { seed }),
      });
      const p = record(name => result.tests[name].p);
      const notes = [...scaleNotes(measure), ...Object.values(result.tests).flatMap(({ note }) => note ?? [])];
      found.push({ measure: asked, a: systems[a]!.name, b: systems[b]!.name, ...result, p, notes });
      yield EVALUATION + ((1 - EVALUATION) * (m * couples.length + c + 1)) / (measures.length * couples.length);
    }
    const adjusted = record(name => {
      const family = found.map(pair => pair.p[name]);
      return correction === 'holm' ? holm(family) : family;
    });
    for (const [i, pair] of found.entries()) {
      const own = record(name => adjusted[name][i]!);
      pairs.push({ ...pair, adjusted: own, significant: deciding.every(name => own[name] < alpha) });
    }
  }

  return {
    systems: evaluated.map(({ name, results }) => ({
      name,
      results,
      means: Object.fromEntries(measures.map(({ asked }, m) => [asked, results[m]!.mean])),
    })),
    pairs,
    deciding,
    alpha,
    correction,
  };
}

/** The difference is one of means only where the mean is the arithmetic one. */
function scaleNotes({ aggregate }: Measure): string[] {
  if (aggregate === arithmeticMean) return [];
  const scale = aggregate.scale ?? 'the values';
  return [
    `difference, interval and tests are of ${scale}, over which the ${aggregate.name} is taken, not of the value itself`,
  ];
}

function record<T>(of: (name: TestName) => T): Record<TestName, T> {
  return Object.fromEntries(testNames.map(name => [name, of(name)])) as Record<TestName, T>;
}

/** Which systems are compared, by number: each with the baseline, or every one with those named after it. */
function couplesOf(names: readonly string[], baseline: string | undefined): [number, number][] {
  if (names.length < 2) {
    throw new ListwiseError('option-invalid', `a comparison needs at least two systems, found ${names.length}`);
  }
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new ListwiseError('option-invalid', `two systems are named ${quote(twice)}`);
  if (baseline !== undefined) {
    const base = names.indexOf(baseline);
    if (base < 0) {
      throw new ListwiseError(
        'option-invalid',
        `there is no system ${quote(baseline)} to be the baseline${didYouMean(baseline, names)} Systems: ${names.join(', ')}`,
      );
    }
    return [...names.keys()].filter(a => a !== base).map(a => [a, base]);
  }
  return [...names.keys()].flatMap(a => [...names.keys()].slice(a + 1).map((b): [number, number] => [a, b]));
}

/** For each system its query numbers in the first system's order; different sets of queries are an error. */
export function alignQueries(systems: readonly System[]): Uint32Array[] {
  const first = systems[0]!;
  const known = IdNumbers.of(first.data.queryIds);
  return systems.map(system => {
    const numbers = IdNumbers.of(system.data.queryIds);
    const lacks = first.data.queryIds.filter(id => !numbers.has(id));
    const extra = system.data.queryIds.filter(id => !known.has(id));
    if (lacks.length > 0 || extra.length > 0) {
      const parts = [
        lacks.length > 0 ? `only ${quote(first.name)} has ${few(lacks)}` : '',
        extra.length > 0 ? `only ${quote(system.name)} has ${few(extra)}` : '',
      ];
      throw new ListwiseError(
        'query-mismatch',
        `systems ${quote(first.name)} and ${quote(system.name)} have different queries: ${parts.filter(Boolean).join('; ')}` +
          ' (for runs, `complete: true` evaluates all judged queries)',
      );
    }
    return Uint32Array.from(first.data.queryIds, id => numbers.get(id)!);
  });
}
