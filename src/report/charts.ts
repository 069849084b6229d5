/**
 * The charts that a report can hold, as data. To add one: its type here and in `Chart`, a file in viewer/charts/ that
 * draws it, one line in viewer/charts/all.ts (the compiler asks for it).
 *
 * @example
 * import type { Chart } from 'listwise/report';
 *
 * const chart: Chart = {
 *   kind: 'lines',
 *   title: 'ndcg@10 by iteration',
 *   x: { label: 'iteration', style: 'count' },
 *   y: { label: 'ndcg@10', style: 'value' },
 *   series: [{ name: 'trees', x: [1, 2, 3], y: [0.31, 0.38, 0.41] }],
 * };
 */
export type Chart =
  | LinesChart
  | IntervalsChart
  | SortedBarsChart
  | BarsChart
  | HistogramChart
  | ScatterChart
  | HeatMapChart
  | SlopesChart
  | WaterfallChart
  | ArrowsChart
  | SwarmChart
  | TreeChart;

/**
 * How a number is written: general (4 significant digits, without zeros at the end), significant (with them), value (4
 * decimals), difference (4 decimals and a sign), count (whole, thousands apart), percent (of a share from 0 to 1), p (a
 * p-value, never a bare zero), seconds.
 */
export type NumberStyle = 'general' | 'significant' | 'value' | 'difference' | 'count' | 'percent' | 'p' | 'seconds';

/**
 * What a series is, where its colour says that and not its place: another's values, or ours by what came of a claim.
 */
export type Tone = 'theirs' | 'holds' | 'contradicted' | 'open';

interface ChartBase {
  /** Stands above the chart and is its accessible name. */
  readonly title: string;
  /** Stands below, smaller: how to read it, where the title does not say enough. */
  readonly note?: string;
}

export interface Axis {
  readonly label: string;
  /** `general` where left out. */
  readonly style?: NumberStyle;
  /** Ends of the axis; those of the data where left out. */
  readonly domain?: readonly [number, number];
  readonly scale?: 'linear' | 'log';
  /** Of an axis whose values are places in this list: what each is called. */
  readonly texts?: readonly string[];
}

/** One line a series over a common horizontal axis: learning curves, a measure by its cut-off. */
export interface LinesChart extends ChartBase {
  readonly kind: 'lines';
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly LineSeries[];
  /** Vertical lines with a word: the best iteration, a restart. */
  readonly marks?: readonly LineMark[];
  /** A horizontal line to compare with, such as where all series start. */
  readonly reference?: number;
}

export interface LineSeries {
  readonly name: string;
  /**
   * Number of its colour, from 0, where that is not its place here: what is in several charts has one colour in all.
   */
  readonly colour?: number;
  readonly tone?: Tone;
  /** Its values stand apart from each other: dots without a line between. */
  readonly dots?: boolean;
  /** Each value holds until the next one. */
  readonly stepped?: boolean;
  /** Ascending. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** A band around the line, such as a confidence interval. */
  readonly low?: readonly number[];
  readonly high?: readonly number[];
}

export interface LineMark {
  readonly x: number;
  readonly label: string;
}

/** A dot with its interval for every row and series: means of systems under several measures. */
export interface IntervalsChart extends ChartBase {
  readonly kind: 'intervals';
  readonly x: Axis;
  /** Dots of one label stand together; a series has one colour throughout. */
  readonly dots: readonly IntervalDot[];
  /** A vertical line to compare with, such as 0 for differences. */
  readonly reference?: number;
}

export interface IntervalDot {
  readonly label: string;
  /** What this one is, where the series has several of a label: "fold 3". */
  readonly name?: string;
  readonly series: string;
  /** The same for all of the series. */
  readonly tone?: Tone;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** One bar an item, largest first, up or down from zero: wins and losses query by query. */
export interface SortedBarsChart extends ChartBase {
  readonly kind: 'sorted-bars';
  readonly y: Axis;
  /** What one item is called: "query". */
  readonly item: string;
  /** What bars above and below zero say: "trees better", "ridge better". */
  readonly above: string;
  readonly below: string;
  /** Numbers of the colours of both, from 0, where other charts of the page have them too. */
  readonly colours?: readonly [number, number];
  readonly bars: readonly SortedBar[];
}

export interface SortedBar {
  readonly name: string;
  readonly value: number;
  /** Further values of the item, shown with it: the value of each system. */
  readonly details?: readonly Detail[];
}

export interface Detail {
  readonly label: string;
  readonly value: number | string;
  readonly style?: NumberStyle;
}

/** Horizontal bars in the given order; only the first `shown` are drawn until asked for. */
export interface BarsChart extends ChartBase {
  readonly kind: 'bars';
  readonly x: Axis;
  /** What one bar is called: "feature", "label". */
  readonly item: string;
  readonly bars: readonly Bar[];
  /** 20 where left out. */
  readonly shown?: number;
}

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** A whisker around the end of the bar. */
  readonly low?: number;
  readonly high?: number;
  readonly details?: readonly Detail[];
}

/** Counts of values in ranges; `histogramBins` of bins.ts makes them. */
export interface HistogramChart extends ChartBase {
  readonly kind: 'histogram';
  readonly x: Axis;
  /** What is counted: "queries". */
  readonly y: Axis;
  readonly bins: readonly Bin[];
  readonly marks?: readonly LineMark[];
  /** What `part` of the bins counts, where some have one: "no relevant document". */
  readonly part?: string;
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Of the count; drawn in a colour of its own. */
  readonly part?: number;
}

/** One dot an item: two systems query by query, a measure against another. */
export interface ScatterChart extends ChartBase {
  readonly kind: 'scatter';
  readonly x: Axis;
  readonly y: Axis;
  /** What one dot is called: "query". */
  readonly item: string;
  readonly points: readonly ScatterPoint[];
  /** Draws the line on which both are equal. */
  readonly diagonal?: boolean;
  /** What dots have different shades for, by rank, where they have. */
  readonly shade?: Axis;
}

export interface ScatterPoint {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly series?: string;
  readonly shade?: number;
  /** Stands out: the best one. */
  readonly marked?: boolean;
}

/** A coloured cell a row and column, its value written in it: trained on against evaluated by. */
export interface HeatMapChart extends ChartBase {
  readonly kind: 'heat-map';
  /** What rows and columns are: "trained for", "evaluated by". */
  readonly rowLabel: string;
  readonly columnLabel: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** values[row][column]. */
  readonly values: readonly (readonly number[])[];
  /** What a value is, for its tooltip and the legend. */
  readonly valueLabel: string;
  readonly style?: NumberStyle;
  /** Sequential: light is low. Diverging: two hues around 0. */
  readonly colours?: 'sequential' | 'diverging';
}

/** A line an item from its rank on the left to its rank on the right: two rankings of one query. */
export interface SlopesChart extends ChartBase {
  readonly kind: 'slopes';
  /** What one line is called: "document". */
  readonly item: string;
  /** What the two sides are: the names of two models. */
  readonly from: string;
  readonly to: string;
  readonly lines: readonly Slope[];
  /** Those that end among so many are drawn until all are asked for; 20 where left out. */
  readonly shown?: number;
}

export interface Slope {
  readonly name: string;
  /** Ranks, from 1. */
  readonly from: number;
  readonly to: number;
  /** Sets the colour: "label 2". */
  readonly series: string;
  /** Number of that colour, from 0, where it is not the place of the series here. */
  readonly colour?: number;
}

/** Bars that lead from one value to another, each from where the one above it ends: what adds up to a difference. */
export interface WaterfallChart extends ChartBase {
  readonly kind: 'waterfall';
  readonly x: Axis;
  /** What one step is called: "feature". */
  readonly item: string;
  readonly from: LabelledEnd;
  readonly to: LabelledEnd;
  /** In the order they are drawn; what is beyond the first `shown` is one step together. */
  readonly steps: readonly WaterfallStep[];
  /** 12 where left out. */
  readonly shown?: number;
}

export interface LabelledEnd {
  readonly name: string;
  readonly value: number;
}

export interface WaterfallStep {
  readonly name: string;
  readonly adds: number;
  readonly details?: readonly Detail[];
  /** None of the items, but what they do together: it is never one of the others that are left out. */
  readonly ofAll?: boolean;
}

/** Arrows that start at a place on the axis, one a row: lambdas on the documents of a query along their scores. */
export interface ArrowsChart extends ChartBase {
  readonly kind: 'arrows';
  readonly x: Axis;
  /** What one arrow is called: "document". */
  readonly item: string;
  /** What the length of an arrow is: "lambda". */
  readonly lengthLabel: string;
  readonly lengthStyle?: NumberStyle;
  /** Pixels of a row, where the usual ones are too few: to be touched. */
  readonly row?: number;
  /** The length that is drawn as a quarter of the range of `at`: that of the longest arrow where left out. */
  readonly longest?: number;
  readonly arrows: readonly Arrow[];
}

export interface Arrow {
  readonly name: string;
  readonly at: number;
  /** Above 0 to the right. Lengths are scaled together so that the longest is well visible. */
  readonly length: number;
  /** Sets the colour: "label 2". */
  readonly series: string;
  /** Number of that colour, from 0, where it is not the place of the series here. */
  readonly colour?: number;
}

/** Dots along an axis, row by row, side by side where they would hide each other: Shapley values of features. */
export interface SwarmChart extends ChartBase {
  readonly kind: 'swarm';
  readonly x: Axis;
  /** What one dot and one row are called: "document", "feature". */
  readonly item: string;
  readonly rowItem: string;
  /** Names of the dots, the same in each row; left out where rows have their own. */
  readonly names?: readonly string[];
  readonly rows: readonly SwarmRow[];
}

export interface SwarmRow {
  readonly name: string;
  /** One a dot. */
  readonly x: readonly number[];
  readonly names?: readonly string[];
  /** Sets the shade, by rank within the row; NaN where missing. Dots have one colour where left out. */
  readonly values?: readonly number[];
  /** Values that have no order, such as levels of a category: they set no shade. */
  readonly texts?: readonly string[];
}

/** A decision tree: its root to the left, every node on a line of its own. */
export interface TreeChart extends ChartBase {
  readonly kind: 'tree';
  /** What a leaf gives: "score". */
  readonly valueLabel: string;
  /** From top to bottom, a parent between its children. */
  readonly nodes: readonly TreeChartNode[];
}

export interface TreeChartNode {
  /** The question of a split; empty for a leaf. */
  readonly label: string;
  /** From 0 for the root. */
  readonly depth: number;
  /** Place in `nodes`; left out for the root. */
  readonly parent?: number;
  /** What leads here: "yes", "no, missing". */
  readonly answer: string;
  /** Of the training documents; NaN where not known. */
  readonly share: number;
  /** Of a leaf. */
  readonly value?: number;
}
