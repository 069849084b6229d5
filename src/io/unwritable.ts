/** A failure of the system to write a file, in plain words. */
import { ListwiseError } from '../errors.js';

/** What the system says of a file, in plain words. */
export const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied, or another program has it open',
  EBUSY: 'another program has it open',
  EIO: 'the device reports an error',
  EISDIR: 'it is a directory',
  ENOTDIR: 'its directory is a file',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead round in a circle',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

const reasons: Readonly<Record<string, string>> = {
  ...systemReasons,
  ENOENT: 'its directory does not exist',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would be larger than a file may be here',
  EEXIST: 'a file is in the way',
};

/** The error to throw for it; failures that are not the system's are given back as they are. */
export function unwritable(target: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return new ListwiseError('file-unwritable', `cannot be written: ${reasons[code] ?? code}`, { file: target });
}
