/** The door from a data set to a file. Writers are loaded when there is something to write. */
import type { Dataset } from '../dataset.js';
import type { WriteOptions } from './writer.js';

/**
 * Writes data, in the format that the name of the file says, and gives the names of the files.
 *
 * @example
 * import { writeDataset } from 'listwise';
 *
 * await writeDataset(data, 'train.csv');
 */
export async function writeDataset(data: Dataset, target: string, options: WriteOptions = {}): Promise<string[]> {
  const { writeDatasets } = await import('./write.js');
  return writeDatasets([{ data, target }], options);
}
