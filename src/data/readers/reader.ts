/** What a reader is: one declared record a format, one line in `readers/all.ts`. */

import type { Input, ReadProgress } from '../../io/inputs.js';
import type { BuilderOptions, Piece } from '../dataset-builder.js';
import type { ColumnRoles, DataDescription } from '../description.js';
import type { FeatureChoice } from '../feature-subset.js';
import type { NormalisationName } from '../normalise.js';
import type { Judgments } from '../read/judgments.js';
import type { ReadFact } from '../read/read-notes.js';

/** Queries of the rows, given from outside the data: runs of adjacent rows of one query, in input row order. */
export interface OutsideQueries {
  /** Where they come from, for the error when there are more or fewer rows than they cover. */
  readonly file: string;
  readonly runs: Iterable<{ id: string; rows: number }>;
}

/**
 * How data is read.
 *
 * @example
 * import type { ReadOptions } from 'listwise';
 *
 * const options: ReadOptions = {
 *   queryColumn: 'session',
 *   labelColumns: [{ name: 'label', column: 'bought' }],
 *   missing: ['?'],
 *   note: text => console.warn(text),
 * };
 */
export interface ReadOptions {
  /** The format's name; by default inferred from the file's extension. */
  format?: string | undefined;
  /** Columns of tables; the rest are features. */
  queryColumn?: string | undefined;
  documentColumn?: string | undefined;
  labelColumns?: readonly { name: string; column: string }[] | undefined;
  weightColumn?: string | undefined;
  positionColumn?: string | undefined;
  /** Columns of tables that are no features; `*` stands for any text, `?` for a character. */
  ignore?: readonly string[] | undefined;
  /** Where given: the only columns that are features. */
  keep?: readonly string[] | undefined;
  /** Columns of tables that are categories, and dates. */
  categories?: readonly string[] | undefined;
  dates?: readonly string[] | undefined;
  /** Words for missing values in tables, beside the usual ones. */
  missing?: readonly string[] | undefined;
  /** Columns of tables to keep as texts beside the data, to split or tell apart queries by. */
  extraColumns?: readonly string[] | undefined;
  /** Columns that are kept as texts and are features as well: see `readExactly`. */
  exactColumns?: readonly string[] | undefined;
  /** What is known of the data; the options beside it come first. */
  description?: DataDescription | undefined;
  /** Roles by a description of this very data: their columns must be there. */
  ownRoles?: ColumnRoles | undefined;
  /** The features of the model that the data is for: other columns of tables are ignored. */
  knownFeatures?: readonly string[] | undefined;
  /** A query to run over a DuckDB database. */
  sql?: string | undefined;
  /** Further label sources, one value a line, in input row order. */
  labelFiles?: readonly { name: string; file: string }[] | undefined;
  /** Whether a table may come without labels, as documents that are to be scored do. */
  unlabelled?: boolean | undefined;
  /** Group sizes, one a line, or one query id a row. */
  group?: string | undefined;
  /** Says the query of each row, over all inputs; a query that the rows name themselves is ignored then. */
  outsideQueries?: OutsideQueries | undefined;
  /** What a feature is that a sparse row does not give (default zero) or a log has no value of (default missing). */
  absent?: 'zero' | 'missing' | 'refuse' | undefined;
  /** A file of judgments, for logs and tables without labels of their own. */
  judgments?: string | undefined;
  /** The same, read: filled in by `readInputs`. */
  judged?: Judgments | undefined;
  /** What becomes of documents without a judgment (default refuse). */
  unjudged?: 'refuse' | 'drop' | 'keep' | undefined;
  /** Where a log says the query, unless a response has a `qid`: in the name of its entry (default) or of its file. */
  queryFrom?: 'entry' | 'file' | undefined;
  /** The smallest feature id of SVMlight files (default 1). */
  featureBase?: 0 | 1 | undefined;
  /** A file of feature names to keep, one a line. */
  featureSubset?: string | undefined;
  /** The same, read: filled in by `readInputs`. */
  chosen?: FeatureChoice | undefined;
  /** Query-level normalisation of the features. */
  normalise?: NormalisationName | undefined;
  threads?: number | undefined;
  /**
   * Set where this is a part of the data, which may have no documents, whose positions may count from 0, and which is
   * spoken of with the rest: what there is to say comes here.
   */
  part?: { readonly told: ReadFact[] } | undefined;
  /** Called with what a person should know: rows regrouped, side files used. */
  note?: ((text: string) => void) | undefined;
  progress?: ReadProgress | undefined;
}

/** Takes rows as they are read. */
export interface RowSink {
  /** Once, before the first rows. */
  begin(options: BuilderOptions): void;
  /** In input order. The piece's memory is used again when this is done. */
  append(piece: Piece): void | Promise<void>;
}

export interface Reader {
  readonly name: string;
  readonly title: string;
  /** File extensions that mean this format, without .gz. */
  readonly extensions: readonly string[];
  /** A table of named columns: takes the options that name columns. */
  readonly table?: boolean;
  /** Takes a SQL query. */
  readonly sql?: boolean;
  /** A log of features: has rows without labels where there are no judgments. */
  readonly log?: boolean;
  /** Where a row is a line: the query that it names. Files can be cut between two lines then. */
  queryOfLine?(line: string): string | undefined;
  /** The same of a table whose first line is its header; undefined where no column says the query. */
  queryByHeader?(
    header: string,
    options: ReadOptions,
    file: string,
  ): ((line: string) => string | undefined) | undefined;
  /** How often it goes over its inputs, for progress; once where left out. */
  readonly passes?: number;
  /** Hands over all rows, a piece at a time; there is at least one row, otherwise that is an error. */
  stream(inputs: readonly Input[], options: ReadOptions, sink: RowSink): Promise<void>;
}
