/** All rows of a stream as one data set. */
import { plural } from '../../errors.js';
import type { Dataset } from '../dataset.js';
import { DatasetBuilder } from '../dataset-builder.js';
import type { ReadOptions, RowSink } from '../readers/reader.js';

export async function collect(
  stream: (sink: RowSink) => Promise<void>,
  { note }: Pick<ReadOptions, 'note'>,
): Promise<Dataset> {
  let builder: DatasetBuilder | undefined;
  await stream({
    begin(options) {
      builder = new DatasetBuilder(options);
    },
    append: piece => builder!.append(piece),
  });
  const data = builder!.finish();
  const scattered = builder!.scatteredQueries;
  if (scattered > 0) note?.(`rows of ${plural(scattered, 'query', 'queries')} were not adjacent and were grouped`);
  return data;
}
