/**
 * What decides a claim: the values themselves, or tests over samples. A difference between trained models has two: over
 * the queries, which takes the models as given, and over data sets, each with its own training. Where they cannot tell,
 * they say how many queries or data sets it would take.
 */
import { meanInterval, signTest, tTest } from '../analysis/significance/index.js';
import { studentCritical, studentTwoSided } from '../numeric/special-functions.js';
import { mean } from '../numeric/vectors.js';
import { written } from '../report/numbers.js';
import { count, listed } from '../report/words.js';

/** Of significance and intervals: 95 %. */
export const ALPHA = 0.05;
/** Of the standard normal distribution, at 80 %: the chance to tell a difference as large as the one seen. */
const POWER = 0.8416;
/** More than this many of anything is nothing that anybody will collect. */
const MOST = 1e7;

/** Models whose difference is certainly smaller are called equal: half a point of 100. */
export const MARGIN = 0.005;

export const verdicts = ['holds', 'contradicted', 'cannot tell'] as const;
export type Verdict = (typeof verdicts)[number];

/** What is sampled: queries, data sets, folds. */
export interface Tested {
  readonly unit: string;
  readonly n: number;
  readonly difference: number;
  /** Standard error of the difference. */
  readonly error: number;
  readonly p: number;
}

interface Interval {
  readonly interval: readonly [low: number, high: number];
}

interface Decided {
  /** The p-value that decides, the largest of several; NaN where the values themselves decide. */
  readonly p: number;
  readonly tests: readonly Pick<Tested, 'unit' | 'n' | 'p'>[];
}
export type Evidence =
  | (Decided & { readonly verdict: 'holds' | 'contradicted' })
  | (Decided & { readonly verdict: 'cannot tell' } & Needed);

interface Needed {
  /** What it would take, in words. */
  readonly needed: string;
  /** The same as so many times the sample there was; infinite where no number of them would do. */
  readonly times: number;
}

/** No sample, no test: a count of all there are, a value to reach. */
export function byValues(holds: boolean): Evidence {
  return { verdict: holds ? 'holds' : 'contradicted', p: Number.NaN, tests: [] };
}

/** No sample where one would be needed. */
export function undecided(needed: string): Evidence {
  return { verdict: 'cannot tell', p: Number.NaN, tests: [], needed, times: Number.POSITIVE_INFINITY };
}

/** A test over so many differences: one a data set, a fold, a query. */
export function testedOver(unit: string, differences: readonly number[]): Tested {
  const values = Float64Array.from(differences);
  const interval = meanInterval(values, ALPHA);
  return testedWith(unit, { n: values.length, difference: mean(values), interval, p: tTest(values).p });
}

/**
 * An exact test of yes against no: the share of yes less a half. A mean of two values is nothing for Student's t, whose
 * error is 0 where all agree; this one is the error of tossing a coin.
 */
export function testedBySign(unit: string, answers: readonly boolean[]): Tested {
  const n = answers.length;
  const signs = Float64Array.from(answers, yes => (yes ? 0.5 : -0.5));
  return { unit, n, difference: mean(signs), error: 0.5 / Math.sqrt(n), p: signTest(signs).p };
}

/** A test over differences of which the mean with its 95 % interval is known; by Student's t where p is left out. */
export function testedWith(
  unit: string,
  { n, difference, interval: [low, high], p }: Pick<Tested, 'n' | 'difference'> & Interval & Partial<Pick<Tested, 'p'>>,
): Tested {
  const error = n < 2 ? Number.NaN : (high - low) / 2 / studentCritical(ALPHA, n - 1);
  return { unit, n, difference, error, p: p ?? twoSided(difference, { n, error }) };
}

/** Of an effect from 0; NaN for fewer than two, 1 where there is none, whatever its error. */
function twoSided(effect: number, { n, error }: Pick<Tested, 'n' | 'error'>): number {
  if (n < 2) return Number.NaN;
  return effect === 0 ? 1 : studentTwoSided(effect / error, n - 1);
}

/** Of the difference, at 95 %. */
export function intervalOf({ difference, error, n }: Tested): [low: number, high: number] {
  const reach = studentCritical(ALPHA, n - 1) * error;
  return [difference - reach, difference + reach];
}

/** That the difference is above 0: every test must say so, and to contradict it every test the opposite. */
export function above(...tests: readonly Tested[]): Evidence {
  return decided(tests, {
    holds: ({ p, difference }) => p < ALPHA && difference > 0,
    fails: ({ p, difference }) => p < ALPHA && difference < 0,
    effect: ({ difference }) => Math.abs(difference),
  });
}

/**
 * That there is no difference to speak of: its 95 % interval lies within the margin. `higherToo` is false where only
 * what falls counts. The p-value is of a difference from the edge of the margin that is nearer, two-sided as it is
 * everywhere: twice the larger one of the two one-sided tests of equivalence, so that it is below 0.05 where the
 * interval is clear of the edge.
 */
export function alike(
  { margin = MARGIN, higherToo = true }: { readonly margin?: number; readonly higherToo?: boolean },
  ...tests: readonly Tested[]
): Evidence {
  const below = (test: Tested, end: number) => intervalOf(test)[1] < end;
  const beyond = (test: Tested, end: number) => intervalOf(test)[0] > end;
  const fromEdge = ({ difference }: Tested) =>
    higherToo ? Math.abs(Math.abs(difference) - margin) : Math.abs(difference + margin);
  const ofEdge = tests.map(test => ({ ...test, p: twoSided(fromEdge(test), test) }));
  return decided(ofEdge, {
    holds: test => beyond(test, -margin) && (!higherToo || below(test, margin)),
    fails: test => below(test, -margin) || (higherToo && beyond(test, margin)),
    effect: fromEdge,
  });
}

interface Rule {
  holds(test: Tested): boolean;
  fails(test: Tested): boolean;
  /** What must be told from 0. */
  effect(test: Tested): number;
}

function decided(all: readonly Tested[], { holds, fails, effect }: Rule): Evidence {
  // A sample of one decides nothing.
  const tests = all.filter(({ n }) => n > 1);
  const found = {
    p: tests.length === 0 ? Number.NaN : Math.max(...tests.map(({ p }) => p)),
    tests: tests.map(({ unit, n, p }) => ({ unit, n, p })),
  };
  if (tests.length === 0) return { ...undecided(`two ${all[0]?.unit ?? 'data sets'} at least`), ...found };
  if (tests.every(holds)) return { ...found, verdict: 'holds' };
  if (tests.every(fails)) return { ...found, verdict: 'contradicted' };
  const open = tests.filter(test => !holds(test) && !fails(test));
  if (open.length === 0) {
    const units = listed([...new Set(tests.map(({ unit }) => unit))]);
    return { ...undecided(`no larger sample: the tests over ${units} contradict each other`), ...found };
  }
  const sizes = open.map(test => sizeFor(test, effect(test)));
  return {
    ...found,
    verdict: 'cannot tell',
    needed: listed(open.map(({ unit }, i) => sizeInWords(sizes[i]!, unit))),
    times: Math.max(...open.map(({ n }, i) => sizes[i]! / n)),
  };
}

/**
 * Several claims in one: all must hold, one that is contradicted contradicts it. Of those that are open the one that is
 * hardest to tell speaks for all, of the others the one with the largest p-value.
 */
export function together(parts: readonly Evidence[]): Evidence {
  const against = parts.filter(({ verdict }) => verdict === 'contradicted');
  const open = parts.flatMap(part => (part.verdict === 'cannot tell' ? [part] : []));
  const largest = (of: readonly Evidence[]) =>
    of.reduce((most, one) => (one.p > most.p || Number.isNaN(most.p) ? one : most));
  if (against.length > 0) return largest(against);
  // Sizes are whole numbers: of parts that are as hard the p-value is the finer measure.
  const hardest = Math.max(...open.map(({ times }) => times));
  return largest(open.length > 0 ? open.filter(({ times }) => times === hardest) : parts);
}

/** How many would tell an effect of this size from 0, four times in five; infinite where nobody could have them. */
function sizeFor({ n, error }: Tested, effect: number): number {
  if (!(effect > 0)) return Number.POSITIVE_INFINITY;
  const deviation = error * Math.sqrt(n);
  const needs = (size: number) =>
    (((studentCritical(ALPHA, Math.min(size, 1000) - 1) + POWER) * deviation) / effect) ** 2;
  // Student's quantile falls as the sample grows.
  let size = Math.max(n + 1, Math.ceil(needs(MOST)));
  while (size < needs(size) && size < MOST) size++;
  return size < MOST ? size : Number.POSITIVE_INFINITY;
}

function sizeInWords(size: number, unit: string): string {
  if (size === Number.POSITIVE_INFINITY) return `more ${unit} than one could have: no difference is seen`;
  return `about ${count(size < 100 ? size : Number(size.toPrecision(2)))} ${unit}`;
}

/** Such as "30,000 queries: p < 0.0001; 10 data sets: p 0.0123". */
export function testsInWords({ tests }: Pick<Evidence, 'tests'>): string {
  return tests.map(({ unit, n, p }) => `${count(n)} ${unit}: p ${written(p ?? Number.NaN, 'p')}`).join('; ');
}
