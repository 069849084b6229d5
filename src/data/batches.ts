/** Rows as they are read, put together to batches; see `readBatches`. */
import type { Dataset } from './dataset.js';
import { type BuilderOptions, DatasetBuilder, type Piece } from './dataset-builder.js';
import { BlockMemory } from './feature-blocks.js';
import type { RowSink } from './reader.js';

/** Some consecutive input rows as a data set of their own; a query can go on in the next one. */
export interface Batch {
  /** `inputRows` counts from the first row of all. Features that its rows do not name need not be in it. */
  readonly data: Dataset;
  /** Whether it is the first one or the last one; both where there is one only. */
  readonly first: boolean;
  readonly last: boolean;
  /** Whether `featureNames` are those of all rows, not only of the rows so far. */
  readonly featuresKnown: boolean;
  readonly featureNames: readonly string[];
}

/** The features' memory is used again when this is done. */
export type TakeBatch = (batch: Batch) => Promise<void>;

/** How large a batch gets before it is handed over. */
export interface BatchSize {
  /** Features times rows. */
  readonly values: number;
  readonly rows: number;
}

/** All rows as one batch. */
export function onlyBatch(data: Dataset): Batch {
  return { data, first: true, last: true, featuresKnown: true, featureNames: data.featureNames };
}

export class Batches implements RowSink {
  readonly #take: TakeBatch;
  readonly #size: BatchSize;
  readonly #memory = new BlockMemory();
  #options: BuilderOptions | undefined;
  #builder: DatasetBuilder | undefined;
  /** The names so far: readers that do not know all before only ever add some at the end. */
  #featureNames: readonly string[] = [];
  #width = 1;
  /** Rows of the batches before. */
  #before = 0;

  constructor(take: TakeBatch, size: BatchSize) {
    this.#take = take;
    this.#size = size;
  }

  begin(options: BuilderOptions): void {
    this.#options = options;
  }

  async append(piece: Piece): Promise<void> {
    if (piece.rows === 0) return;
    // A full batch waits for the row after it: so that it is known which one is the last.
    const rows = this.#builder?.rows ?? 0;
    if (rows >= this.#size.rows || rows * this.#width >= this.#size.values) await this.#handOver(false);
    this.#builder ??= new DatasetBuilder({
      ...this.#options!,
      // A piece more than is asked for.
      ...{ blockBytes: 4 * 2 * this.#size.values, memory: this.#memory },
    });
    this.#builder.append(piece);
    this.#width = Math.max(this.#width, piece.width);
  }

  /** To be called after the last row. */
  async finish(): Promise<void> {
    if (this.#builder !== undefined) await this.#handOver(true);
  }

  async #handOver(last: boolean): Promise<void> {
    const batch = this.#builder!.finish();
    this.#builder = undefined;
    const first = this.#before;
    const inputRows = new Uint32Array(batch.rows);
    for (let row = 0; row < batch.rows; row++) inputRows[row] = first + (batch.inputRows?.[row] ?? row);
    this.#before += batch.rows;
    if (batch.features > this.#featureNames.length) this.#featureNames = batch.featureNames;
    await this.#take({
      ...{ data: batch.with({ inputRows }), first: first === 0, last },
      ...{ featuresKnown: last || this.#options?.featureNames !== undefined, featureNames: this.#featureNames },
    });
    this.#memory.release();
  }
}
