/** What is in a model file, gzipped or not. */
import { constants } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { ListwiseError } from '../errors.js';
import { unreadable } from '../io/unreadable.js';

/** As long as a text can be; a small file may unpack to any size. */
const MOST_BYTES = constants.MAX_STRING_LENGTH;

function tooLarge(file: string): ListwiseError {
  const most = Math.round(MOST_BYTES / 2 ** 20);
  return new ListwiseError('model-invalid', `it is too large for a model: more than ${most} MB when unpacked`, {
    file,
  });
}

export async function modelContent(file: string): Promise<Uint8Array> {
  const content = await readFile(file).catch(error => {
    throw unreadable(file, error, 'no such model file');
  });
  if (content.length > MOST_BYTES) throw tooLarge(file);
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content;
  try {
    return gunzipSync(content, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(file);
    throw new ListwiseError('gzip-broken', 'the gzip data is truncated or damaged', { file });
  }
}
