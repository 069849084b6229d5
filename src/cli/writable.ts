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
