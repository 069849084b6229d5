/**
 * Names and places of features. Other systems know features by column number, and often by nothing else. Names that are
 * whole numbers, as SVMlight data has them, are column numbers there and back; any other names are counted in their
 * order. A feature set (a search engine's, or a list of names) says otherwise.
 */
import { few, ListwiseError, quote } from '../errors.js';
import type { Tree } from '../models/trees/trees.js';
import { type ExportJob, type ImportJob, invalid } from './format.js';

export interface Columns {
  /** Column of each of the model's features. */
  readonly of: Int32Array;
  /** How many columns there are. */
  readonly width: number;
  /** Names of the columns; undefined where they are just numbers. */
  readonly names: readonly string[] | undefined;
}

const MOST_COLUMNS = 2 ** 20;

/** Where the features of a model go. */
export function columnsOf(names: readonly string[], job: ExportJob): Columns {
  if (job.featureSet !== undefined) {
    const places = placesIn(job.featureSet, names);
    return { of: places, width: job.featureSet.length, names: job.featureSet };
  }
  if (names.length > 0 && names.every(isColumnNumber)) {
    const of = Int32Array.from(names, Number);
    return { of, width: largest(of) + 1, names: undefined };
  }
  return { of: Int32Array.from(names, (_, f) => f), width: names.length, names };
}

/** For formats that name inputs: the feature set if given, else the model's features; and where each feature is. */
export function inputsOf(names: readonly string[], job: ExportJob): { names: readonly string[]; of: Int32Array } {
  if (job.featureSet === undefined) return { names, of: Int32Array.from(names, (_, f) => f) };
  return { names: job.featureSet, of: placesIn(job.featureSet, names) };
}

/** Ids from 1, as RankLib and the engines' `model/ranklib` have them: numbers are themselves, names are counted. */
export function idsOf(names: readonly string[], job: ExportJob): Int32Array {
  const { of, names: named } = columnsOf(names, job);
  if (named !== undefined) return of.map(column => column + 1);
  if (of.includes(0)) {
    throw new ListwiseError(
      'model-unsupported',
      'the model has a feature 0, and features count from 1 there; give their names and order with `featureSet`',
    );
  }
  return of;
}

/** Refuses a model that uses names which a feature set lacks. */
export function placesIn(featureSet: readonly string[], names: readonly string[]): Int32Array {
  const place = new Map(featureSet.map((name, i) => [name, i]));
  const missing = names.filter(name => !place.has(name));
  if (missing.length > 0) {
    throw new ListwiseError(
      'feature-mismatch',
      `the feature set lacks ${few(missing.map(quote))} of the model's ${names.length} features; it has ${few(featureSet.map(quote))}`,
    );
  }
  return Int32Array.from(names, name => place.get(name)!);
}

/** At least 0; lists can be too long for Math.max. */
export function largest(values: Iterable<number>): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

function isColumnNumber(name: string): boolean {
  return /^(0|[1-9]\d{0,6})$/.test(name) && Number(name) < MOST_COLUMNS;
}

export interface ColumnNames {
  readonly width: number;
  /** Whether the file names used columns only: there may be more than `width`. */
  readonly open?: boolean;
  /** Their names, where they were given any. */
  readonly names?: readonly string[] | undefined;
  /** Whether column 0 is used; taken from the trees where left out. */
  readonly usesFirst?: boolean;
}

/** The model's features for columns of a file; the trees come with columns for features. */
export function nameColumns(
  { width: known, names, open, ...given }: ColumnNames,
  trees: readonly Tree[],
  job: ImportJob,
): { featureNames: string[]; trees: readonly Tree[] } {
  if (names !== undefined) return { featureNames: distinct(names, job), trees };
  const usesFirst = given.usesFirst ?? trees.some(tree => tree.feature.includes(0));
  const base = job.featureBase ?? (usesFirst || (!open && job.featureSet?.length === known) ? 0 : 1);
  const width = open ? Math.max(known, base + (job.featureSet?.length ?? 0)) : known;
  checkWidth(width, job);
  if (base === 1 && usesFirst) {
    throw new ListwiseError('option-invalid', 'the model uses column 0, so its columns do not count from 1');
  }
  const first = Math.min(base, width);
  const count = width - first;
  if (job.featureSet !== undefined && job.featureSet.length !== count) {
    throw new ListwiseError(
      'feature-mismatch',
      `the feature set has ${job.featureSet.length} names for the ${count} features of the model`,
      { file: job.file },
    );
  }
  if (job.featureSet === undefined) {
    job.changes.notice(
      `features have no names in the file: they are called by their columns, from ${first} to ${width - 1}` +
        (first === 1 && job.featureBase === undefined ? ' (column 0 is not used)' : ''),
    );
  }
  return {
    featureNames: distinct(job.featureSet ?? Array.from({ length: count }, (_, f) => String(f + first)), job),
    trees: renumber(trees, feature => feature - first),
  };
}

/** A column number far beyond any data is damage; every column has a place in the model. */
export function checkWidth(width: number, job: ImportJob): void {
  if (!(width >= 0 && width <= MOST_COLUMNS + 1))
    invalid(job, `the file asks for ${width} columns; there can be ${MOST_COLUMNS + 1}`);
}

/** Features by the names that trees of a file use; all of the feature set where one is given. */
export function nameUsed(
  used: readonly string[],
  trees: readonly Tree[],
  job: ImportJob,
): { featureNames: readonly string[]; trees: readonly Tree[] } {
  const inOrder = used.every(isColumnNumber) ? [...used].sort((a, b) => Number(a) - Number(b)) : used;
  const featureNames = job.featureSet ?? inOrder;
  const places = placesIn(featureNames, used);
  if (job.featureSet === undefined) {
    job.changes.notice(
      `the file names the ${used.length} features that are used, and the model has no others; \`featureSet\` names all`,
    );
  }
  return { featureNames, trees: renumber(trees, feature => places[feature]!) };
}

export function renumber(trees: readonly Tree[], place: (feature: number) => number): Tree[] {
  return trees.map(tree => ({ ...tree, feature: tree.feature.map(place) }));
}

export function distinct(names: readonly string[], job: ImportJob): string[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) invalid(job, `two features are called ${quote(name)}`);
    seen.add(name);
  }
  return [...names];
}
