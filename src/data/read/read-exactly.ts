/** Data whose whole numbers are to be shown or written as they are in the file, beyond what float32 holds. */
import type { Dataset } from '../dataset.js';
import type { ReadOptions } from '../readers/reader.js';
import { readDataset } from './read-dataset.js';
import { resolveData } from './resolve-data.js';

/**
 * As `readDataset`; features that were rounded are among the `extras` as they are written. The data is gone over again
 * where there are some, and it can be: not where it comes through a pipe.
 */
export async function readExactly(source: string, options: ReadOptions): Promise<Dataset> {
  const data = await readDataset(source, options);
  if (data.rounded === undefined || source === '-') return data;
  const { inputs } = await resolveData(source, options);
  if (inputs.some(({ path }) => path === undefined)) return data;
  return readDataset(source, { ...options, note: undefined, exactColumns: [...data.rounded.keys()] });
}
