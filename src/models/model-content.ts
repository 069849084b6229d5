/** What is in a model file, gzipped or not. */
import { constants } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { ListwiseError } from '../errors.js';
import { fileBytes } from '../io/file-bytes.js';

/** A small file may unpack to any size; models do so to ten times theirs. */
const MOST_UNPACKED = 1 << 29;
const MOST_TIMES = 50;

export async function modelContent(file: string): Promise<Uint8Array> {
  const content = await fileBytes(file, 'no such model file');
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content;
  const most = Math.min(Math.max(MOST_UNPACKED, MOST_TIMES * content.length), constants.MAX_LENGTH);
  try {
    return gunzipSync(content, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(file, most);
    throw new ListwiseError('gzip-broken', 'the gzip data is truncated or damaged', { file });
  }
}

function tooLarge(file: string, most: number): ListwiseError {
  const size = `more than ${Math.round(most / 2 ** 20)} MB when unpacked`;
  return new ListwiseError('model-invalid', `it is too large for a model: ${size}`, { file });
}
