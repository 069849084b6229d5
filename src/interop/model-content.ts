/** What is in a model file, gzipped or not. */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { ListwiseError } from '../errors.js';
import { unreadable } from '../io/unreadable.js';

export async function modelContent(file: string): Promise<Uint8Array> {
  const content = await readFile(file).catch(error => {
    throw unreadable(file, error, 'no such model file');
  });
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content;
  try {
    return gunzipSync(content);
  } catch {
    throw new ListwiseError('gzip-broken', 'the gzip data is truncated or damaged', { file });
  }
}
