/** What a generator of artificial data is: one declared record a file, one line in `all.ts`. */

import type { Random } from '../../numeric/random.js';
import type { Parameters, ValuesOf } from '../../spec/parameters.js';

/** Where a generator puts one query's documents: feature f of document i at columns[f * stride + at + i]. */
export interface QueryRoom {
  columns: Float32Array;
  stride: number;
  at: number;
  /** The grade of document i at grades[at + i]. */
  grades: Float64Array;
  /**
   * What makes one of two documents of equal grade be clicked more, about mean 0 and deviation 1; at appeal[at + i].
   */
  appeal: Float64Array;
  /** What earlier clicks, which features tell of, add to it; at habit[at + i]. 0 without such features. */
  habit: Float64Array;
}

/** A generator with its hidden function drawn. */
export interface QuerySource {
  readonly features: number;
  /** Fills in a query of `documents` documents; all that is random comes from `random`, which belongs to this query. */
  fill(random: Random, documents: number, room: QueryRoom): void;
}

export interface GeneratorDefinition<P extends Parameters = Parameters> {
  readonly name: string;
  readonly title: string;
  /** What the data is like, in a few sentences. */
  readonly description: string;
  readonly citation: string;
  readonly parameters: P;
  readonly defaults: { readonly documents: number; readonly features: number };
  /** Whether any number of features can be asked for, or only the default. */
  readonly anyFeatures: boolean;
  /** The number of documents of each query: always the same, or spread widely around it. */
  readonly sizes: 'equal' | 'spread';
  /** How many grades there are: 0 to one less. */
  readonly grades: number;
  /** Draws the hidden function; all that is random comes from `seed`. */
  start(values: ValuesOf<P>, context: { features: number; seed: number }): QuerySource;
}

/** Keeps the parameter types of a record while it is declared. */
export function defineGenerator<const P extends Parameters>(
  definition: GeneratorDefinition<P>,
): GeneratorDefinition<P> {
  return definition;
}
