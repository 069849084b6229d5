/** The longest text that there can be: V8 has no longer strings, and JSON is made and read in one. */
import { constants } from 'node:buffer';
import { ListwiseError } from '../errors.js';

/** What `make` gives; a coded error where a text in it does not fit one string. `file` is where it is to go. */
export function longText<T>(file: string | undefined, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError) || !/Invalid string length/.test(error.message)) throw error;
    const most = Math.floor(constants.MAX_STRING_LENGTH / 2 ** 20);
    throw new ListwiseError('file-unwritable', `cannot be written: it would hold more than ${most} MiB of text`, {
      file,
    });
  }
}
