/**
 * What a command has found, as people read it: plain data that terminal, HTML page, Markdown and CSV are drawn from
 * (render/). Everything here can be written as JSON. A number that does not exist is NaN; it is shown as a dash and
 * leaves a gap in a line.
 */
import type { Chart, NumberStyle } from './charts.js';

/**
 * What was found, as people read it: plain data that pages, terminals and tables are drawn from.
 *
 * @example
 * import type { Document } from 'listwise/report';
 *
 * const document: Document = { title: 'Two runs', verdict: 'The second is better.', sections: [] };
 */
export interface Document {
  readonly title: string;
  /** What the reader should know when they read nothing else: one sentence. */
  readonly verdict: string;
  readonly sections: readonly Section[];
}

/**
 * A document as a page, which says how it came about.
 *
 * @example
 * import type { Report } from 'listwise/report';
 *
 * const page: Report = { title: 'Two runs', verdict: 'The second is better.', sections: [], origin };
 */
export interface Report extends Document {
  readonly origin: Origin;
}

/**
 * A part of a document. Titles and leads are for pages; a terminal shows the blocks.
 *
 * @example
 * import type { Section } from 'listwise/report';
 *
 * const section: Section = { title: 'Remarks', blocks: [{ kind: 'text', text: 'Measured on a laptop.' }] };
 */
export interface Section {
  readonly title: string;
  /** A sentence that says how to read what follows. */
  readonly lead?: string;
  readonly blocks: readonly Block[];
  /** On a terminal its blocks follow each other without a blank line. */
  readonly close?: boolean;
}

/** Where a block is shown. Where left out, texts and tables are on both, charts and large numbers on the page. */
export interface Placed {
  readonly on?: 'page' | 'terminal' | 'both';
}

/**
 * A text, large numbers, a table, a chart, or one of several charts.
 *
 * @example
 * import type { Block } from 'listwise/report';
 *
 * const block: Block = { kind: 'text', text: 'Measured on a laptop.' };
 */
export type Block = (TextBlock | ValuesBlock | TableBlock | ChoiceBlock | Chart) & Placed;

/** A short paragraph: a remark, a convention, a warning. */
export interface TextBlock {
  readonly kind: 'text';
  readonly text: string;
}

/** Charts of which one is shown; the reader chooses which. */
export interface ChoiceBlock {
  readonly kind: 'choice';
  /** What is chosen: "pair". */
  readonly label: string;
  /** The first is shown until another is chosen; its title is its name in the list. */
  readonly charts: readonly Chart[];
}

/** A few numbers that matter, set large. */
export interface ValuesBlock {
  readonly kind: 'values';
  /** Heads them on a terminal. */
  readonly title?: string;
  readonly values: readonly LabelledValue[];
}

export interface LabelledValue extends NumberFormat {
  readonly label: string;
  readonly value: number | string;
  /** Smaller, below: an interval, a unit, a share. */
  readonly note?: string;
}

/** How a number is written; `general` where left out. */
export interface NumberFormat {
  readonly style?: NumberStyle;
  /** Decimals, or significant digits of `general` and `significant`; 4 where left out. */
  readonly digits?: number;
}

/** Rows under named columns. On a page a click on a column's head sorts; a long table first shows 20 rows. */
export interface TableBlock {
  readonly kind: 'table';
  readonly title: string;
  readonly columns: readonly TableColumn[];
  /** One cell a column. */
  readonly rows: readonly (readonly Cell[])[];
  /** What sums the rows up, below them whatever their order. */
  readonly foot?: readonly (readonly Cell[])[];
  /** So many rows are shown on a terminal, and where the rest is: "--all shows every one". */
  readonly first?: { readonly rows: number; readonly rest: string } | undefined;
}

export interface TableColumn extends NumberFormat {
  readonly title: string;
  /** Numbers are set to the right in any case. */
  readonly align?: 'right';
  /** Where it is shown; everywhere where left out. */
  readonly on?: readonly ('page' | 'terminal' | 'csv')[];
  /** The title of intervals on a terminal, where they have a column of their own; a page has them below the values. */
  readonly interval?: string;
  /** Where its values lead on a page, `{}` for the value: `#/query/{}`, or an address of the web. */
  readonly link?: string;
  /** What the table is read for: it stays in sight where the table is wider than the screen. */
  readonly verdict?: boolean;
}

export type Cell = string | number | CellWithNote | CellWithInterval;

/** A value with something smaller below. */
export interface CellWithNote {
  readonly value: string | number;
  readonly note: string;
}

export interface CellWithInterval {
  readonly value: number;
  readonly interval: readonly [number, number];
}

/**
 * How a page came about.
 *
 * @example
 * import type { Origin } from 'listwise/report';
 *
 * const origin: Origin = { command: 'node nightly.mjs', options: { folds: 5 }, version: '0.1.0', data: [], seed: 1 };
 */
export interface Origin {
  /** The command line, as one would type it. */
  readonly command: string;
  /** Options as they were in the end, defaults included. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** Of listwise. */
  readonly version: string;
  /** Of Node; left out where a program made the page. */
  readonly node?: string;
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
