/**
 * What is known of data beyond its bytes: format, which column is what, words for missing values, names of numbered
 * features, levels of categories. A file of it (`data.json`) stands for the data; models and run folders keep theirs.
 * The file's schema is in description-schema.ts.
 */

import type { NormalisationName } from './normalise.js';

export const DESCRIPTION_FORMAT = 'listwise/data/1';

/** A directory may have its own, under this name. */
export const DIRECTORY_DESCRIPTION = '.data.json';

/** Whether a file that starts so is meant for a description. */
export function startsAsDescription(text: string): boolean {
  return /"schema"\s*:\s*"listwise\/data\//.test(text.slice(0, 4096));
}

export const columnKinds = ['number', 'category', 'date', 'ignore'] as const;
/** What a column that has no role is. */
export type ColumnKind = (typeof columnKinds)[number];

/** Columns of a table that are no features. */
export interface ColumnRoles {
  readonly query?: string | undefined;
  readonly document?: string | undefined;
  /** By the name of the label source. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly weight?: string | undefined;
  readonly position?: string | undefined;
  readonly initialScore?: string | undefined;
}

/**
 * What is known of data beyond its bytes: which column is what, words for missing values, levels of categories.
 *
 * @example
 * import type { DataDescription } from 'listwise';
 *
 * const levels = (description: DataDescription): readonly string[] => description.categories.brand ?? [];
 */
export interface DataDescription {
  readonly schema: typeof DESCRIPTION_FORMAT;
  /** Files, directories or globs; relative to the description's file. */
  readonly data?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly roles: ColumnRoles;
  /** Of columns without a role; a column that is not listed is a number. */
  readonly kinds: Readonly<Record<string, ColumnKind>>;
  /** Words for missing values, beside the usual ones. */
  readonly missing: readonly string[];
  /** Levels of each category; a level's place is its value. */
  readonly categories: Readonly<Record<string, readonly string[]>>;
  /** Names of the features of numbered files, in the order of their numbers. */
  readonly names?: readonly string[] | undefined;
  /** How features are normalised within each query. */
  readonly normalise?: NormalisationName | undefined;
  /** A file of judgments to join to the data; relative to the description's file. */
  readonly judgments?: string | undefined;
  /** Whether files may have different columns: what one lacks is missing there. */
  readonly union?: boolean | undefined;
}

/** That of data of which nothing is known. */
export const NOTHING_KNOWN: DataDescription = {
  schema: DESCRIPTION_FORMAT,
  roles: {},
  kinds: {},
  missing: [],
  categories: {},
};

/** A description with what another one adds; levels are those of the other, which a model was trained with. */
export function mergeDescriptions(
  own: DataDescription | undefined,
  remembered: DataDescription | undefined,
): DataDescription | undefined {
  if (own === undefined || remembered === undefined) return own ?? remembered;
  return {
    ...remembered,
    ...own,
    roles: { ...remembered.roles, ...own.roles },
    kinds: { ...remembered.kinds, ...own.kinds },
    missing: [...new Set([...own.missing, ...remembered.missing])],
    categories: { ...own.categories, ...remembered.categories },
  };
}
