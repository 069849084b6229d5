/** Whether an output can be written, said before the work and not after it. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ListwiseError } from '../errors.js';

export async function refuseUnwritable(out: string): Promise<void> {
  await access(dirname(out), constants.W_OK).catch(() => {
    throw new ListwiseError('file-unwritable', 'its directory does not exist or cannot be written to', { file: out });
  });
}
