/**
 * What a report is: plain data, made by commands and drawn in the browser by the viewer (viewer/). Everything here can
 * be written as JSON. A number that does not exist is NaN; it is shown as a dash and leaves a gap in a line.
 */
import type { Chart, NumberStyle } from './charts.js';

export interface Report {
  readonly title: string;
  /** What the reader should know when they read nothing else: one sentence. */
  readonly verdict: string;
  readonly sections: readonly Section[];
  readonly origin: Origin;
}

export interface Section {
  readonly title: string;
  /** A sentence that says how to read what follows. */
  readonly lead?: string;
  readonly blocks: readonly Block[];
}

export type Block = TextBlock | FiguresBlock | TableBlock | Chart;

/** A short paragraph: a remark, a convention, a warning. */
export interface TextBlock {
  readonly kind: 'text';
  readonly text: string;
}

/** A few numbers that matter, set large. */
export interface FiguresBlock {
  readonly kind: 'figures';
  readonly figures: readonly Figure[];
}

export interface Figure {
  readonly label: string;
  readonly value: number | string;
  /** How a number is written; `general` where left out. */
  readonly style?: NumberStyle;
  /** Smaller, below: an interval, a unit, a share. */
  readonly note?: string;
}

/**
 * Rows under named columns. Every table can be sorted by a click on a column's head; a long one first shows 20 rows.
 */
export interface TableBlock {
  readonly kind: 'table';
  readonly title: string;
  readonly columns: readonly TableColumn[];
  /** One cell a column. */
  readonly rows: readonly (readonly Cell[])[];
}

export interface TableColumn {
  readonly title: string;
  /** Numbers of the column are set to the right and written so; a column of text has none. */
  readonly style?: NumberStyle;
}

export type Cell = string | number | CellWithNote;

/** A value with something smaller below, such as its interval. */
export interface CellWithNote {
  readonly value: string | number;
  readonly note: string;
}

/** How the page came about; enough to make it again. */
export interface Origin {
  /** The command line, as one would type it. */
  readonly command: string;
  /** Options as they were in the end, defaults included. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** Of listwise. */
  readonly version: string;
  /** Of Node. */
  readonly node: string;
  readonly data: readonly DataOrigin[];
  readonly seed: number;
  /** ISO 8601. Left out where the same inputs must give the same bytes. */
  readonly created?: string;
}

export interface DataOrigin {
  readonly file: string;
  /** See data/fingerprint.ts. */
  readonly fingerprint: string;
  readonly queries: number;
  readonly documents: number;
  readonly features: number;
}
