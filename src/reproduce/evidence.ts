/**
 * What decides a claim: the values themselves, or tests over samples. A difference between trained models has two: over
 * the queries, which takes the models as given, and over data sets, each with its own training. Where they cannot tell,
 * they say how many queries or data sets it would take.
 */
import { meanInterval, tTest } from '../analysis/significance/index.js';
import { studentCritical } from '../numeric/special-functions.js';
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

interface Decided {
  /** The p-value that decides, the largest of several; NaN where the values themselves decide. */
  readonly p: number;
  readonly tests: readonly Pick<Tested, 'unit' | 'n' | 'p'>[];
}
export type Evidence =
  | (Decided & { readonly verdict: 'holds' | 'contradicted' })
  | (Decided & { readonly verdict: 'cannot tell'; readonly needed: string });

/** No sample, no test: a count of all there are, a value to reach. */
export function byValues(holds: boolean): Evidence {
  return { verdict: holds ? 'holds' : 'contradicted', p: Number.NaN, tests: [] };
}

/** A test over so many differences: one a data set, a fold, a query. */
export function testedOver(unit: string, differences: readonly number[]): Tested {
  const values = Float64Array.from(differences);
  const interval = meanInterval(values, ALPHA);
  return testedWith(unit, { n: values.length, difference: mean(values), interval, p: tTest(values).p });
}

/** The same where only the 95 % interval of the mean is known. */
export function testedWith(
  unit: string,
  { n, difference, interval: [low, high], p }: Omit<Tested, 'unit' | 'error'> & { interval: readonly [number, number] },
): Tested {
  return { unit, n, difference, error: n < 2 ? Number.NaN : (high - low) / 2 / studentCritical(ALPHA, n - 1), p };
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
 * what falls counts.
 */
export function alike(
  { margin = MARGIN, higherToo = true }: { readonly margin?: number; readonly higherToo?: boolean },
  ...tests: readonly Tested[]
): Evidence {
  const below = (test: Tested, end: number) => intervalOf(test)[1] < end;
  const beyond = (test: Tested, end: number) => intervalOf(test)[0] > end;
  return decided(tests, {
    holds: test => beyond(test, -margin) && (!higherToo || below(test, margin)),
    fails: test => below(test, -margin) || (higherToo && beyond(test, margin)),
    effect: ({ difference }) => Math.abs(Math.abs(difference) - margin),
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
  if (tests.length > 0 && tests.every(holds)) return { ...found, verdict: 'holds' };
  if (tests.length > 0 && tests.every(fails)) return { ...found, verdict: 'contradicted' };
  const open = tests.filter(test => !holds(test) && !fails(test));
  const needed = open.map(test => neededFor(test, effect(test)));
  return { ...found, verdict: 'cannot tell', needed: listed(needed) || `two ${all[0]?.unit ?? 'data sets'} at least` };
}

/** Several claims in one: all must hold, one that is contradicted contradicts it. */
export function together(parts: readonly Evidence[]): Evidence {
  const against = parts.filter(({ verdict }) => verdict === 'contradicted');
  const open = parts.flatMap(part => (part.verdict === 'cannot tell' ? [part] : []));
  const largest = (of: readonly Evidence[]) =>
    of.reduce((most, one) => (one.p > most.p || Number.isNaN(most.p) ? one : most));
  if (against.length > 0) return largest(against);
  return largest(open.length > 0 ? open : parts);
}

/** How many of its unit would tell an effect of this size from 0, four times in five. */
function neededFor({ unit, n, error }: Tested, effect: number): string {
  const none = `more ${unit} than one could have: no difference is seen`;
  if (!(effect > 0)) return none;
  const deviation = error * Math.sqrt(n);
  const needs = (size: number) =>
    (((studentCritical(ALPHA, Math.min(size, 1000) - 1) + POWER) * deviation) / effect) ** 2;
  // Student's quantile falls as the sample grows.
  let size = Math.max(n + 1, Math.ceil(needs(MOST)));
  while (size < needs(size) && size < MOST) size++;
  if (size >= MOST) return none;
  return `about ${count(size < 100 ? size : Number(size.toPrecision(2)))} ${unit}`;
}

/** Such as "30,000 queries: p < 0.0001; 10 data sets: p 0.0123". */
export function testsInWords({ tests }: Pick<Evidence, 'tests'>): string {
  return tests.map(({ unit, n, p }) => `${count(n)} ${unit}: p ${written(p ?? Number.NaN, 'p')}`).join('; ');
}
