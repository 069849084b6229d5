/** Writes files whole or not at all: into a temporary file beside the target, renamed when everything is written. */

import { once } from 'node:events';
import { createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ListwiseError } from '../errors.js';

/** Temporary files being written. */
const open = new Set<string>();

/** Takes away what is half-written; for a process that must end at once. */
export function removeTemporaryFiles(): void {
  for (const file of open) rmSync(file, { force: true });
}

/** The name of the temporary file for a target; unique to this process. */
function temporaryName(target: string): string {
  return `${target}.${process.pid}.tmp`;
}

/** Runs `write` with the temporary file's name and renames it to the target, or removes it where `write` fails. */
export async function writeWhole<T>(target: string, write: (temporary: string) => Promise<T>): Promise<T> {
  const temporary = temporaryName(target);
  open.add(temporary);
  try {
    const result = await write(temporary);
    await rename(temporary, target);
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(target, error);
  } finally {
    open.delete(temporary);
  }
}

/** A text sink that respects back-pressure; compresses where the target's name ends in .gz. */
export interface TextSink {
  write(text: string | Uint8Array): Promise<void>;
}

export async function writeText(target: string, fill: (sink: TextSink) => Promise<void>): Promise<void> {
  await writeWhole(target, async temporary => {
    const file: WriteStream = createWriteStream(temporary);
    const stream = target.endsWith('.gz') ? createGzip() : file;
    if (stream !== file) stream.pipe(file);
    const done = finished(file);
    done.catch(() => {}); // reported by the await below
    await fill({
      async write(text) {
        if (!stream.write(text)) await Promise.race([once(stream, 'drain'), done]);
      },
    });
    stream.end();
    await done;
  });
}

function unwritable(target: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const reasons: Record<string, string> = {
    ENOENT: 'its directory does not exist',
    EACCES: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space left on the device',
    EISDIR: 'it is a directory',
    ENOTDIR: 'its directory is a file',
  };
  const reason = code === undefined ? undefined : reasons[code];
  return reason === undefined
    ? error
    : new ListwiseError('file-unwritable', `cannot write ${target}: ${reason}`, { file: target });
}
