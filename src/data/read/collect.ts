/** All rows of a stream as one data set. */
import { Dataset } from '../dataset.js';
import { type BuilderOptions, DatasetBuilder, type Piece } from '../dataset-builder.js';
import type { ReadOptions, RowSink } from '../readers/reader.js';
import { tell } from './read-notes.js';

export class CollectedRows implements RowSink {
  #builder: DatasetBuilder | undefined;

  begin(options: BuilderOptions): void {
    this.#builder = new DatasetBuilder(options);
  }

  append(piece: Piece): void {
    this.#builder!.append(piece);
  }

  finish(options: Pick<ReadOptions, 'note' | 'part'>): Dataset {
    if (options.part !== undefined && this.#builder!.rows === 0) return nothing();
    const data = this.#builder!.finish();
    const scattered = this.#builder!.scatteredQueries;
    if (scattered > 0) tell(options, { scattered });
    return data;
  }
}

export async function collect(
  stream: (sink: RowSink) => Promise<void>,
  options: Pick<ReadOptions, 'note' | 'part'>,
): Promise<Dataset> {
  const rows = new CollectedRows();
  await stream(rows);
  return rows.finish(options);
}

/** A part of the data that holds no document. */
function nothing(): Dataset {
  const offsets = new Uint32Array(new SharedArrayBuffer(4));
  return new Dataset({ featureNames: [], blocks: [], offsets, queryIds: [], labels: new Map() });
}
