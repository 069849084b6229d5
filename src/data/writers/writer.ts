/** What a writer is: one declared record a format, one line in `writers/all.ts`. */

import type { FileSet } from '../../io/whole-file.js';
import type { Dataset } from '../dataset.js';

/**
 * How data is written.
 *
 * @example
 * import { writeDataset } from 'listwise';
 * import type { WriteOptions } from 'listwise/data';
 *
 * const options: WriteOptions = { format: 'svmlight', sparse: true };
 * await writeDataset(data, 'train.txt', options);
 */
export interface WriteOptions {
  /** The format's name; by default inferred from the file's extension. */
  format?: string | undefined;
  /** Formats that can leave out zeros do so. */
  sparse?: boolean | undefined;
  threads?: number | undefined;
  /** Called with what the format cannot hold, and which files stand beside the data. */
  note?: ((text: string) => void) | undefined;
  /** Called with how many more rows are written. */
  progress?: ((rows: number) => void) | undefined;
}

export interface Writer {
  readonly name: string;
  readonly title: string;
  /** File extensions that mean this format, without .gz. */
  readonly extensions: readonly string[];
  /** Whether the file may be compressed as a whole, by a name that ends in .gz. */
  readonly gzip: boolean;
  /**
   * Writes the data and whatever must stand beside it; the caller puts the files into place. The data comes in one or
   * more parts with the same columns, so that more can be written than fits the memory.
   */
  write(parts: Iterable<Dataset>, target: string, files: FileSet, options: WriteOptions): Promise<void>;
}
