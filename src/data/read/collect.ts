/** All rows of a stream as one data set. */
import { plural } from '../../errors.js';
import type { Dataset } from '../dataset.js';
import { type BuilderOptions, DatasetBuilder, type Piece } from '../dataset-builder.js';
import type { ReadOptions, RowSink } from '../readers/reader.js';

export class CollectedRows implements RowSink {
  #builder: DatasetBuilder | undefined;

  begin(options: BuilderOptions): void {
    this.#builder = new DatasetBuilder(options);
  }

  append(piece: Piece): void {
    this.#builder!.append(piece);
  }

  finish(note: ReadOptions['note']): Dataset {
    const data = this.#builder!.finish();
    const scattered = this.#builder!.scatteredQueries;
    if (scattered > 0) note?.(`rows of ${plural(scattered, 'query', 'queries')} were not adjacent and were grouped`);
    return data;
  }
}

export async function collect(
  stream: (sink: RowSink) => Promise<void>,
  { note }: Pick<ReadOptions, 'note'>,
): Promise<Dataset> {
  const rows = new CollectedRows();
  await stream(rows);
  return rows.finish(note);
}
