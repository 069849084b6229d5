/**
 * Ranking data in memory: float32 features in query-aligned blocks of columns, one block after another, in memory that
 * threads can share. Missing feature values are NaN throughout. Nothing here knows a file format, a measure or a model.
 */
import { ListwiseError } from '../errors.js';
import { type Cell, type ColumnChoice, datasetFrom } from './dataset-from.js';
import type { DataDescription } from './description.js';
import { PRIMARY_LABEL } from './primary-label.js';
import type { Share } from './share.js';
import type { StringTable } from './string-table.js';

/**
 * Rows `start` to `start + rows` of the data set, whole queries; feature f of local row i is at data[f * stride + i].
 *
 * @example
 * import type { FeatureBlock } from 'listwise/data';
 *
 * const sum = ({ data: values, stride, rows }: FeatureBlock, f: number): number =>
 *   values.subarray(f * stride, f * stride + rows).reduce((a, b) => a + b, 0);
 */
export interface FeatureBlock {
  readonly start: number;
  readonly rows: number;
  readonly stride: number;
  readonly data: Float32Array;
}

/** Judged documents of each query that are not rows: offsets[q]..offsets[q + 1] of `values` (qrels beside a run). */
export interface UnrankedLabels {
  readonly offsets: Uint32Array;
  readonly values: Float64Array;
}

/**
 * What a data set is made of.
 *
 * @example
 * import type { DatasetParts } from 'listwise/data';
 *
 * const parts: Partial<DatasetParts> = { rowWeights: new Float64Array(data.rows).fill(1) };
 * const weighted = data.with(parts);
 */
export interface DatasetParts {
  featureNames: readonly string[];
  blocks: readonly FeatureBlock[];
  /** queries + 1 row numbers: query q is rows offsets[q] to offsets[q + 1]. */
  offsets: Uint32Array;
  queryIds: readonly string[];
  /** Label sources by name, one value a row; NaN where a document lacks that label. */
  labels: ReadonlyMap<string, Float64Array>;
  documentIds?: StringTable | undefined;
  rowWeights?: Float64Array | undefined;
  queryWeights?: Float64Array | undefined;
  /** Position at which each document was shown, from 1; NaN where unknown. */
  positions?: Float64Array | undefined;
  initialScores?: Float64Array | undefined;
  /** Input row (from 0) of each row, where rows were regrouped by query; absent where rows are in input order. */
  inputRows?: Uint32Array | undefined;
  unranked?: ReadonlyMap<string, UnrankedLabels> | undefined;
  /** Further columns of a table by name, one text a row: what queries are split or told apart by. */
  extras?: ReadonlyMap<string, StringTable> | undefined;
  /** Features with whole numbers that float32 does not hold, and by how much they are off at most. */
  rounded?: ReadonlyMap<string, number> | undefined;
  /** How the data was read, where there was something to say: which column is what, levels of categories. */
  description?: DataDescription | undefined;
  /** Categories with levels in the order in which this data has them: no description said which code each has. */
  ownLevels?: readonly string[] | undefined;
  /** Where this lies in all data, where other processes have the rest. */
  share?: Share | undefined;
}

/**
 * Ranking data in memory: features, labels and queries, and what else the input had.
 *
 * @example
 * import { readDataset } from 'listwise';
 *
 * const data = await readDataset('train.txt');
 * console.log(data.queries, data.rows, data.featureNames);
 */
export class Dataset {
  readonly featureNames: readonly string[];
  readonly blocks: readonly FeatureBlock[];
  readonly offsets: Uint32Array;
  readonly queryIds: readonly string[];
  readonly labels: ReadonlyMap<string, Float64Array>;
  readonly documentIds: StringTable | undefined;
  readonly rowWeights: Float64Array | undefined;
  readonly queryWeights: Float64Array | undefined;
  readonly positions: Float64Array | undefined;
  readonly initialScores: Float64Array | undefined;
  readonly inputRows: Uint32Array | undefined;
  readonly unranked: ReadonlyMap<string, UnrankedLabels> | undefined;
  readonly extras: ReadonlyMap<string, StringTable> | undefined;
  readonly rounded: ReadonlyMap<string, number> | undefined;
  readonly description: DataDescription | undefined;
  readonly ownLevels: readonly string[] | undefined;
  readonly share: Share | undefined;

  constructor(parts: DatasetParts) {
    this.featureNames = parts.featureNames;
    this.blocks = parts.blocks;
    this.offsets = parts.offsets;
    this.queryIds = parts.queryIds;
    this.labels = parts.labels;
    this.documentIds = parts.documentIds;
    this.rowWeights = parts.rowWeights;
    this.queryWeights = parts.queryWeights;
    this.positions = parts.positions;
    this.initialScores = parts.initialScores;
    this.inputRows = parts.inputRows;
    this.unranked = parts.unranked;
    this.extras = parts.extras;
    this.rounded = parts.rounded;
    this.description = parts.description;
    this.ownLevels = parts.ownLevels;
    this.share = parts.share;
  }

  /**
   * A data set from what is in memory: an array of objects, one a document, or an object of columns. Which column is
   * the query, the label and so on is said by `choice`, or recognised by its name as in a table that is read; the rest
   * are features. Values are checked as those of a table.
   *
   * @example
   * const data = Dataset.from(
   *   [
   *     { query: 'shoes', product: 'a1', grade: 2, price: 80, brand: 'Acme' },
   *     { query: 'shoes', product: 'b7', grade: 0, price: 120, brand: 'Zenith' },
   *   ],
   *   { query: 'query', document: 'product', label: 'grade', categories: ['brand'] },
   * );
   */
  static from(
    table: readonly Readonly<Record<string, Cell>>[] | Readonly<Record<string, ArrayLike<Cell>>>,
    choice: ColumnChoice = {},
  ): Dataset {
    return datasetFrom(table, choice);
  }

  get rows(): number {
    return this.offsets[this.offsets.length - 1]!;
  }

  get queries(): number {
    return this.offsets.length - 1;
  }

  get features(): number {
    return this.featureNames.length;
  }

  /** The values of a label source; an unknown name is an error that lists the known ones. */
  label(source: string = PRIMARY_LABEL): Float64Array {
    const values = this.labels.get(source);
    if (values !== undefined) return values;
    throw new ListwiseError(
      'label-source-unknown',
      `the data has no label source "${source}"; it has ${[...this.labels.keys()].join(', ')}`,
    );
  }

  /** The id of a document; where the input gave none, its input row counted from 1. */
  documentId(row: number): string {
    return this.documentIds?.get(row) || String((this.inputRows?.[row] ?? row) + 1);
  }

  /** The block that holds a row. */
  blockOf(row: number): FeatureBlock {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.blocks[middle]!.start <= row) low = middle;
      else high = middle - 1;
    }
    return this.blocks[low]!;
  }

  /** One feature of one row. For many, walk the blocks instead. */
  feature(row: number, feature: number): number {
    const block = this.blockOf(row);
    return block.data[feature * block.stride + (row - block.start)]!;
  }

  /** A whole column, copied. */
  column(feature: number): Float32Array {
    const values = new Float32Array(this.rows);
    for (const block of this.blocks) {
      const from = feature * block.stride;
      values.set(block.data.subarray(from, from + block.rows), block.start);
    }
    return values;
  }

  /** This data set with some parts replaced. */
  with(parts: Partial<DatasetParts>): Dataset {
    return new Dataset({ ...this, ...parts });
  }
}

/** An array of one value a row in memory that threads can share. */
export function sharedFloat64(length: number): Float64Array<SharedArrayBuffer> {
  return new Float64Array(new SharedArrayBuffer(8 * length));
}

export function sharedFloat32(length: number): Float32Array<SharedArrayBuffer> {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}
