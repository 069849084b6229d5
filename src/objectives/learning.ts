/**
 * What an objective learns for itself while a model is trained, such as the bias of positions. It is kept in memory
 * that threads share: they read the values and note what they find of each document; between two iterations one thread
 * moves the values, so that they are the same for any number of threads.
 */
import { type Dataset, sharedFloat64 } from '../data/dataset.js';
import type { Part } from '../data/parts.js';
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
  readonly rehearsal?: Rehearsal;
  /** Moves the values by the sums of each group. */
  advance(values: Float64Array, groups: GroupSums): void;
  table(values: Float64Array, data: Dataset): LearnedTable;
}

/** What is learned before the model is trained, with trees that are thrown away. */
export interface Rehearsal {
  /** What trees are trained for; what this objective learns is where the other starts. */
  readonly objective: string;
  /** Makes a start of it. `data` has labels and positions alone. */
  take(values: Float64Array, data: Dataset): void;
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

/**
 * Sums of a part of the rows, row by row, whoever found them: of each group documents, first and second sum, one kind
 * after another.
 */
export function groupSums(found: Float64Array, groups: number, { firstRow, lastRow }: PartRows): Float64Array {
  const sums = new Float64Array(3 * groups);
  for (let at = FOUND * firstRow; at < FOUND * lastRow; at += FOUND) {
    const group = found[at]!;
    sums[group]! += 1;
    sums[groups + group]! += found[at + 1]!;
    sums[2 * groups + group]! += found[at + 2]!;
  }
  return sums;
}

type PartRows = Pick<Part, 'firstRow' | 'lastRow'>;

/** Those of all parts, one after another. */
export function addGroups(parts: Float64Array, groups: number): GroupSums {
  const sums = new Float64Array(3 * groups);
  for (let at = 0; at < parts.length; at++) sums[at % sums.length]! += parts[at]!;
  const [documents, first, second] = [0, 1, 2].map(kind => sums.subarray(kind * groups, (kind + 1) * groups));
  return { documents: documents!, first: first!, second: second! };
}
