/** A failure of the system to open or read a file, in plain words. */
import { ListwiseError } from '../errors.js';
import { systemReasons } from './unwritable.js';

/** The error to throw for it; other failures are given back. `absent` is said where there is no such file. */
export function unreadable(file: string, error: unknown, absent = 'no such file'): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE') {
    return new ListwiseError('file-unreadable', 'it is too large: 512 MB are read as one text at most', { file });
  }
  if (code === undefined || syscall === undefined) return error;
  if (code === 'ENOENT') return new ListwiseError('file-not-found', absent, { file });
  return new ListwiseError('file-unreadable', `cannot be read: ${systemReasons[code] ?? code}`, { file });
}
