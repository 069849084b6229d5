/**
 * What an objective learns for itself while a model is trained, such as the bias of positions. It is kept in memory
 * that threads share: they read the values and note what they find of each document; between two iterations one thread
 * moves the values, so that they are the same for any number of threads.
 */
import { type Dataset, sharedFloat64 } from '../data/dataset.js';
import { partsOf } from './form.js';
import type { Objective } from './objective.js';

export interface LearnedMemory {
  /** What is learned; the same while an iteration lasts. */
  readonly values: Float64Array;
  /** What was found of each document in the iteration: FOUND numbers a row. Left out, nothing is noted. */
  readonly found?: Float64Array;
}

/** The group of a document, and two sums. */
export const FOUND = 3;

/** By the key of the learning. */
export type LearnedMemories = Readonly<Record<string, LearnedMemory>>;

/**
 * Something that an objective learned by position, or by another group of documents, for the log and the report.
 *
 * @example
 * import { train } from 'listwise';
 * import type { LearnedTable } from 'listwise/objectives';
 *
 * const { learned } = await train({ model: 'trees', data, objective: 'debias(ranknet)' });
 * const names = (table: LearnedTable): string[] => table.columns.map(({ name }) => name);
 * console.log(learned?.map(names));
 */
export interface LearnedTable {
  readonly title: string;
  readonly lead: string;
  /** What the first column is called, and its values. */
  readonly by: string;
  readonly at: readonly number[];
  readonly columns: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** The column that is drawn, and followed in the log. */
  readonly drawn: string;
}

export interface Learning {
  /** Tells it from others of the same objective. */
  readonly key: string;
  /** Where it starts; throws where the data has nothing to learn it from. */
  begin(data: Dataset): Float64Array;
  /** Moves the values by the sums of each group. */
  advance(values: Float64Array, groups: GroupSums): void;
  table(values: Float64Array, data: Dataset): LearnedTable;
}

/** Sums over the documents of each group. */
export interface GroupSums {
  readonly documents: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

export function learningsOf(objective: Objective): Learning[] {
  const { learning } = objective;
  return [...(learning === undefined ? [] : [learning]), ...partsOf(objective).flatMap(learningsOf)];
}

/** Memory for a run on some data. */
export function beginLearning(learning: Learning, data: Dataset): Required<LearnedMemory> {
  const start = learning.begin(data);
  const values = sharedFloat64(start.length);
  values.set(start);
  return { values, found: sharedFloat64(FOUND * data.rows) };
}

/** Row by row, in the order of the data, whoever found them. */
export function groupSums(found: Float64Array, groups: number): GroupSums {
  const sums = {
    documents: new Float64Array(groups),
    first: new Float64Array(groups),
    second: new Float64Array(groups),
  };
  for (let at = 0; at < found.length; at += FOUND) {
    const group = found[at]!;
    sums.documents[group]! += 1;
    sums.first[group]! += found[at + 1]!;
    sums.second[group]! += found[at + 2]!;
  }
  return sums;
}
