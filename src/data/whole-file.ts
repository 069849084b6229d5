/** Writes files whole or not at all: into a temporary file beside the target, renamed when everything is written. */

import { once } from 'node:events';
import { createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ListwiseError } from '../errors.js';

/** Temporary files and directories in use. */
export const removedOnSignal = new Set<string>();

/** Takes away what is half-written; for a process that must end at once. */
export function removeTemporaryFiles(): void {
  for (const path of removedOnSignal) rmSync(path, { force: true, recursive: true });
}

/** The name of the temporary file for a target; unique to this process. */
function temporaryName(target: string): string {
  return `${target}.${process.pid}.tmp`;
}

/** A text sink that respects back-pressure; compresses where the target's name ends in .gz. */
export interface TextSink {
  write(text: string | Uint8Array): Promise<void>;
}

/** Files that belong together: all are renamed into place at the end, or none is. */
export class FileSet {
  readonly #targets = new Map<string, string>();

  /** The names of the files, in the order in which they were begun. */
  get targets(): string[] {
    return [...this.#targets.keys()];
  }

  /** The name of the temporary file to write for a target. */
  temporary(target: string): string {
    const temporary = temporaryName(target);
    this.#targets.set(target, temporary);
    removedOnSignal.add(temporary);
    return temporary;
  }

  async text(target: string, fill: (sink: TextSink) => Promise<void>): Promise<void> {
    const file: WriteStream = createWriteStream(this.temporary(target));
    const stream = target.endsWith('.gz') ? createGzip() : file;
    if (stream !== file) stream.pipe(file);
    const done = finished(file);
    done.catch(() => {}); // reported by the await below
    try {
      await fill({
        async write(text) {
          if (!stream.write(text)) await Promise.race([once(stream, 'drain'), done]);
        },
      });
      stream.end();
      await done;
    } catch (error) {
      file.destroy();
      throw unwritable(target, error);
    }
  }

  async commit(): Promise<void> {
    for (const target of this.#targets.keys()) {
      // A rename that must fail is found before the first one is made.
      if ((await stat(target).catch(() => undefined))?.isDirectory()) throw unwritable(target, { code: 'EISDIR' });
    }
    for (const [target, temporary] of this.#targets) {
      await rename(temporary, target).catch(error => {
        throw unwritable(target, error);
      });
    }
  }

  async clear(): Promise<void> {
    for (const temporary of this.#targets.values()) {
      await rm(temporary, { force: true });
      removedOnSignal.delete(temporary);
    }
  }
}

/** Runs `write` with a set of files and puts them into place, or takes all of them away where something fails. */
export async function writeTogether<T>(write: (files: FileSet) => Promise<T>): Promise<T> {
  const files = new FileSet();
  try {
    const result = await write(files);
    await files.commit();
    return result;
  } finally {
    await files.clear();
  }
}

/** Runs `write` with the temporary file's name and renames it to the target, or removes it where `write` fails. */
export async function writeWhole<T>(target: string, write: (temporary: string) => Promise<T>): Promise<T> {
  return writeTogether(async files => {
    try {
      return await write(files.temporary(target));
    } catch (error) {
      throw unwritable(target, error);
    }
  });
}

export async function writeText(target: string, fill: (sink: TextSink) => Promise<void>): Promise<void> {
  await writeTogether(files => files.text(target, fill));
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
