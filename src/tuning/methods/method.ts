/**
 * What a way of searching is: one declared record a file, one line in `all.ts`. A search proposes trials in batches;
 * what it proposes may depend on the results of the batches before, never on the order in which trials end, so that
 * threads do not change it.
 */
import type { Random } from '../../numeric/random.js';
import type { SearchSpace, Values } from '../space.js';

export interface Proposal {
  readonly values: Values;
  /** Of the iterations, above 0 and at most 1. */
  readonly share: number;
  /** A trial of before that is trained again with a larger share; absent for a new one. */
  readonly trial?: number;
}

export interface EvaluatedTrial {
  /** From 1, in the order of proposals. */
  readonly trial: number;
  readonly values: Values;
  readonly share: number;
  /** One for each measure of the criterion; NaN where training failed. */
  readonly results: readonly number[];
}

export interface SearchContext {
  readonly space: SearchSpace;
  /** How many are asked for; a search may end with fewer where the space has no more. */
  readonly trials: number;
  /** How many a search that learns proposes at a time. */
  readonly batch: number;
  readonly random: Random;
  /** Above 0 where results `a` are better. */
  compare(a: readonly number[], b: readonly number[]): number;
}

export interface Search {
  /**
   * The next batch after all that were evaluated; empty at the end. `defaults` is what is known beside them after the
   * first batch, where there are any; a default that the space does not hold stands nowhere in it.
   */
  next(evaluated: readonly EvaluatedTrial[], defaults?: EvaluatedTrial): Proposal[];
}

export interface SearchMethod {
  readonly name: string;
  readonly description: string;
  /** Whether more trials begin with the same ones, so that a search can be made longer. */
  readonly grows: boolean;
  /** How many trials there are where no number is asked for. */
  readonly usual: number;
  start(context: SearchContext): Search;
}

export function keyOf(values: Values): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The best first; of equals the earlier. */
export function bestFirst<T extends { readonly trial: number; readonly results: readonly number[] }>(
  evaluated: readonly T[],
  compare: SearchContext['compare'],
): T[] {
  return [...evaluated].sort((a, b) => compare(b.results, a.results) || a.trial - b.trial);
}
