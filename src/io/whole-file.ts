/**
 * Writes files whole or not at all: into a temporary file beside the target, renamed when everything is written.
 * Through a symbolic link the file it points to is replaced; a pipe or a device (/dev/stdout, /dev/null) is written to,
 * never replaced.
 */

import { once } from 'node:events';
import { createWriteStream, realpathSync, renameSync, statSync, type WriteStream, writeFileSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ListwiseError } from '../errors.js';
import { removedOnSignal } from './temporary-files.js';

/** The name of the temporary file for a target; unique to this process. */
function temporaryName(target: string): string {
  return `${target}.${process.pid}.tmp`;
}

/** The file that a target's name stands for, links followed; undefined for a pipe or a device. */
function placeOf(target: string): string | undefined {
  try {
    const found = statSync(target);
    return found.isFile() || found.isDirectory() ? realpathSync(target) : undefined;
  } catch {
    return target; // not there yet, or out of reach: writing says so
  }
}

/** A text sink that respects back-pressure; compresses where the target's name ends in .gz. */
export interface TextSink {
  write(text: string | Uint8Array): Promise<void>;
}

/** Files that belong together: all are renamed into place at the end, or none is. */
export class FileSet {
  /** By the target's name: where its text goes first, and the file to become, unless it is a pipe or a device. */
  readonly #targets = new Map<string, { temporary: string; place: string | undefined }>();

  /** The names of the files, in the order in which they were begun. */
  get targets(): string[] {
    return [...this.#targets.keys()];
  }

  /** The name of the temporary file to write for a target. */
  temporary(target: string): string {
    const place = placeOf(target);
    const temporary = place === undefined ? target : temporaryName(place);
    this.#targets.set(target, { temporary, place });
    if (place !== undefined) removedOnSignal.add(temporary);
    return temporary;
  }

  async text<T>(target: string, fill: (sink: TextSink) => Promise<T>): Promise<T> {
    const file: WriteStream = createWriteStream(this.temporary(target));
    const stream = target.endsWith('.gz') ? createGzip() : file;
    if (stream !== file) stream.pipe(file);
    const done = finished(file);
    done.catch(() => {}); // reported by the await below
    try {
      const result = await fill({
        async write(text) {
          if (!stream.write(text)) await Promise.race([once(stream, 'drain'), done]);
        },
      });
      stream.end();
      await done;
      return result;
    } catch (error) {
      file.destroy();
      await done.catch(() => {}); // opening may still be under way and would make the file after it was taken away
      throw unwritable(target, error);
    }
  }

  async commit(): Promise<void> {
    for (const target of this.#targets.keys()) {
      // A rename that must fail is found before the first one is made.
      if ((await stat(target).catch(() => undefined))?.isDirectory()) throw unwritable(target, { code: 'EISDIR' });
    }
    for (const [target, { temporary, place }] of this.#targets) {
      if (place === undefined) continue;
      await rename(temporary, place).catch(error => {
        throw unwritable(target, error);
      });
    }
  }

  async clear(): Promise<void> {
    for (const { temporary, place } of this.#targets.values()) {
      if (place === undefined) continue;
      await rm(temporary, { force: true }).catch(() => {}); // a failure here would hide why writing failed
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

/** Gives what `fill` gives. */
export async function writeText<T>(target: string, fill: (sink: TextSink) => Promise<T>): Promise<T> {
  return writeTogether(files => files.text(target, fill));
}

/** As `writeText`, at once: for a process that is about to end. */
export function replaceFile(target: string, text: string): void {
  const temporary = temporaryName(target);
  writeFileSync(temporary, text);
  renameSync(temporary, target);
}

/** A failure of the system to write a file, in plain words; other failures are given back as they are. */
export function unwritable(target: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const reasons: Record<string, string> = {
    ENOENT: 'its directory does not exist',
    EACCES: 'permission denied',
    EPERM: 'permission denied, or another program has it open',
    EBUSY: 'another program has it open',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space left on the device',
    EISDIR: 'it is a directory',
    ENOTDIR: 'its directory is a file',
  };
  const reason = code === undefined ? undefined : reasons[code];
  return reason === undefined
    ? error
    : new ListwiseError('file-unwritable', `cannot be written: ${reason}`, { file: target });
}
