/** All of a file, of any size: Node itself reads 2 GiB at most in one go. */
import { open } from 'node:fs/promises';
import { unchanging } from './unchanging.js';
import { unreadable } from './unreadable.js';

const MOST_AT_ONCE = 1 << 30;

/** `absent` is said where there is no such file. */
export async function fileBytes(path: string, absent?: string): Promise<Uint8Array> {
  const refuseChanged = await unchanging(path);
  const bytes = await readAll(path).catch(error => {
    throw unreadable(path, error, absent);
  });
  await refuseChanged();
  return bytes;
}

async function readAll(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= MOST_AT_ONCE) return await file.readFile(); // a pipe has no size
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(bytes, at, Math.min(size - at, MOST_AT_ONCE), at);
      if (bytesRead === 0) return bytes.subarray(0, at); // it has become shorter, which is found
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
