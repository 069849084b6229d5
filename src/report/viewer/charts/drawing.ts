/** What draws a kind of chart: one record a file, one line in `all.ts`. */
import type { Chart } from '../../charts.js';
import type { TableBlock } from '../../document.js';
import type { Theme } from '../theme.js';

export interface Drawing<C extends Chart> {
  /** Takes the whole width of the page even where it stands beside others. */
  readonly wide: boolean;
  draw(chart: C, frame: Frame): Drawn;
  /** The same values as rows: for CSV files and for readers who do not see the chart. */
  table(chart: C): Pick<TableBlock, 'columns' | 'rows'>;
  /** How many things it draws, where there may be many thousands: such a chart comes after what is drawn sooner. */
  marks?(chart: C): number;
  /** How many items there are beyond those drawn at first; 0 or absent where all are. */
  hidden?(chart: C): number;
}

export interface Frame {
  /** In pixels. */
  readonly width: number;
  readonly theme: Theme;
  /** Whether everything was asked for, where at first only a part is drawn. */
  readonly all: boolean;
}

export interface Drawn {
  readonly svg: SVGSVGElement;
  /** What can be pointed at, in reading order. */
  readonly spots: readonly Spot[];
  /** Which distance decides what is pointed at: along the width, along the height, or both. */
  readonly nearest: 'x' | 'y' | 'both';
  /** Of a chart whose things may be moved along its axis: the value of a place. */
  readonly valueAt?: (x: number) => number;
}

/** A place of the chart and what is said there. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly title: string;
  readonly lines: readonly SpotLine[];
  /** The places that are marked and can be pointed at, where they are others than this one. */
  readonly dots?: readonly { readonly x: number; readonly y: number; readonly colour: string }[];
}

export interface SpotLine {
  readonly label: string;
  readonly value: string;
  readonly colour?: string;
}
