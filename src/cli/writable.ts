/** Whether an output can be written, said before the work and not after it. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ListwiseError } from '../errors.js';

export async function refuseUnwritable(out: string): Promise<void> {
  const refuse = (why: string) => {
    throw new ListwiseError('file-unwritable', why, { file: out });
  };
  const directory = dirname(out);
  await access(directory, constants.W_OK).catch(() => refuse('its directory does not exist or cannot be written to'));
  if (!(await stat(directory)).isDirectory()) refuse('its directory is a file');
  const there = await stat(out).catch(() => undefined);
  if (there?.isDirectory()) refuse('it is a directory');
}

/**
 * As above, for a model: what is there is not written over unless `over` says so. An empty file and what is no file
 * (/dev/null, a pipe) hold nothing to lose.
 */
export async function refuseOverwriting(out: string, over: boolean): Promise<void> {
  await refuseUnwritable(out);
  const there = await stat(out).catch(() => undefined);
  if (over || !there?.isFile() || there.size === 0) return;
  throw new ListwiseError('file-exists', 'it exists already; --force writes over it, or name another file', {
    file: out,
  });
}
