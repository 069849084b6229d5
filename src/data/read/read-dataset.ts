/** The door from files to a data set. Readers are loaded when there is something to read; scoring needs none. */
import type { Dataset } from '../dataset.js';
import type { ReadOptions } from '../readers/reader.js';

/**
 * Reads ranking data: `data` is a file, a directory, a glob or `-`, or a data description.
 *
 * @example
 * import { readDataset } from 'listwise';
 *
 * const train = await readDataset('train.txt');
 * const shop = await readDataset('shop.csv', { queryColumn: 'session', categories: ['brand'], ignore: ['title'] });
 */
export async function readDataset(data: string, asked: ReadOptions = {}): Promise<Dataset> {
  const [{ readInputs }, { resolveData }] = await Promise.all([import('./read.js'), import('./resolve-data.js')]);
  const { inputs, options } = await resolveData(data, asked);
  return readInputs(inputs, options);
}
