/** A file that changes while it is read gives rows of two files, or part of the rows: that is an error, not data. */
import { stat } from 'node:fs/promises';
import { ListwiseError } from '../errors.js';

/** Looks at the file; what it gives back looks again, and throws where the file is not as it was. */
export async function unchanging(path: string | undefined): Promise<() => Promise<void>> {
  const before = await stateOf(path);
  return async () => {
    if ((await stateOf(path)) === before) return;
    throw new ListwiseError('file-unreadable', 'it changed while it was read; read it when nobody writes to it', {
      file: path,
    });
  };
}

/** Not where it comes through a pipe, and not where it cannot be looked at: reading says why. */
async function stateOf(path: string | undefined): Promise<string> {
  const found = path === undefined ? undefined : await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ') : '';
}
