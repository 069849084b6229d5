/** Everything that is said about two systems on the same queries. */
import { ListwiseError } from '../../errors.js';
import { randomisationTest } from './randomisation.js';
import { signTest } from './sign-test.js';
import { effectSize, meanInterval, moments, tTest } from './t-test.js';
import type { TestResult } from './test-result.js';
import { wilcoxonTest } from './wilcoxon.js';

/** The tests by the names they have in results. */
export const tests = {
  t: tTest,
  wilcoxon: wilcoxonTest,
  sign: signTest,
  randomisation: randomisationTest,
} as const satisfies Record<string, (differences: Float64Array, options: { seed?: number }) => TestResult>;

/**
 * The name of a significance test.
 *
 * @example
 * import type { TestName } from 'listwise/analysis';
 *
 * const decides: TestName = 'randomisation';
 */
export type TestName = keyof typeof tests;

/**
 * Two systems on the same queries.
 *
 * @example
 * import type { PairedResult } from 'listwise/analysis';
 *
 * const won = ({ wins, losses }: PairedResult): boolean => wins > losses;
 */
export interface PairedResult {
  /** Queries compared. */
  readonly n: number;
  /** Mean of a - b. */
  readonly difference: number;
  /** Confidence interval of the mean difference, by Student's t. */
  readonly interval: readonly [number, number];
  /** Cohen's d of the differences. */
  readonly effect: number;
  /** Queries on which a is better, equal, worse. */
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
  readonly tests: Readonly<Record<TestName, TestResult>>;
}

/**
 * Compares one value a query of two systems; `alpha` sets the confidence interval.
 *
 * @example
 * import { pairedComparison } from 'listwise/analysis';
 *
 * const { difference, interval, tests } = pairedComparison([0.5, 0.7, 0.4], [0.4, 0.6, 0.5]);
 * console.log(difference, interval, tests.randomisation.p);
 */
export function pairedComparison(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  options: { alpha?: number; seed?: number } = {},
): PairedResult {
  if (a.length !== b.length) {
    throw new ListwiseError('row-count', `${a.length} values against ${b.length}; paired tests need one pair a query`);
  }
  const { alpha = 0.05, seed = 1 } = options;
  const differences = Float64Array.from({ length: a.length }, (_, q) => difference(a[q]!, b[q]!));
  const bad = differences.findIndex(value => !Number.isFinite(value));
  if (bad >= 0) {
    throw new ListwiseError('value-invalid', `values ${a[bad]} and ${b[bad]} of pair ${bad + 1} cannot be compared`);
  }
  const result = (name: TestName) => tests[name](differences, { seed });
  return {
    n: differences.length,
    difference: moments(differences).mean,
    interval: meanInterval(differences, alpha),
    effect: effectSize(differences),
    wins: differences.filter(value => value > 0).length,
    ties: differences.filter(value => value === 0).length,
    losses: differences.filter(value => value < 0).length,
    tests: {
      t: result('t'),
      wilcoxon: result('wilcoxon'),
      sign: result('sign'),
      randomisation: result('randomisation'),
    },
  };
}

/** Relative to the values: what sums of doubles in another order differ by at most, and no two rankings do. */
const ROUNDING = 1e-13;

/**
 * a - b, and 0 where only rounding tells them apart: tests that look at signs and ranks would count it as a win.
 */
export function difference(a: number, b: number): number {
  const apart = a - b;
  return Math.abs(apart) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b)) ? 0 : apart;
}
