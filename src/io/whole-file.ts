/**
 * Writes files whole or not at all, by way of a pending file each (pending-file.ts): everything that is written at once
 * goes through here. Contents and names are on disk before a write is reported, so that a power cut takes nothing back.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  createWriteStream,
  fsyncSync,
  lstatSync,
  openSync,
  statSync,
  unlinkSync,
  type WriteStream,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncFile, syncFolder } from './durable.js';
import { keepRights, PendingFile, putBackKilled } from './pending-file.js';
import { unwritable } from './unwritable.js';

/** A text sink that respects back-pressure; compresses where the target's name ends in .gz. */
export interface TextSink {
  write(text: string | Uint8Array): Promise<void>;
}

/** Files that belong together: all are renamed into place at the end, or none is. */
export class FileSet {
  readonly #files = new Map<string, PendingFile>();

  /** The names of the files, in the order in which they were begun. */
  get targets(): string[] {
    return [...this.#files.keys()];
  }

  /** The name of the file to write for a target: it is there, and empty. */
  temporary(target: string): string {
    return this.#begin(target).path;
  }

  #begin(target: string): PendingFile {
    const file = new PendingFile(target);
    this.#files.set(target, file);
    return file;
  }

  async text<T>(target: string, fill: (sink: TextSink) => Promise<T>): Promise<T> {
    const { path, place } = this.#begin(target);
    const file: WriteStream = createWriteStream(path, { flags: place === undefined ? 'w' : 'r+' });
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
      const failed = file.errored;
      file.destroy();
      await done.catch(() => {}); // it is closed before it is taken away
      throw failed === null ? error : unwritable(target, failed);
    }
  }

  async commit(): Promise<void> {
    const files = [...this.#files.values()].filter(({ place }) => place !== undefined);
    for (const { path, target } of files) {
      // What must fail is found before the first file is in its place.
      if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) throw directoryError(target);
      await syncFile(path).catch(error => {
        throw unwritable(target, error);
      });
    }
    putBackKilled(files);
    // Somebody who is killed here leaves files of one set, never some of the old and some of the new one.
    const several = files.length > 1 ? files : [];
    const set = randomBytes(6).toString('hex');
    try {
      for (const file of several) file.setAside(set);
      for (const file of files) file.rename();
    } catch (error) {
      for (const file of several) {
        try {
          file.putBack();
        } catch {} // the first failure is the one to be told
      }
      throw error;
    }
    for (const [folder, target] of new Map(files.map(({ place, target: name }) => [dirname(place!), name]))) {
      try {
        syncFolder(folder);
      } catch (error) {
        throw unwritable(target, error);
      }
    }
  }

  clear(): void {
    for (const file of this.#files.values()) file.clear();
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
    files.clear();
  }
}

/** Gives what `fill` gives. */
export async function writeText<T>(target: string, fill: (sink: TextSink) => Promise<T>): Promise<T> {
  return writeTogether(files => files.text(target, fill));
}

/** As `writeText`, at once: for a process that is about to end. */
export function replaceFile(target: string, text: string): void {
  const file = new PendingFile(target);
  try {
    const handle = openSync(file.path, 'w');
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    file.rename();
    syncFolder(dirname(file.place ?? target));
  } catch (error) {
    throw unwritable(target, error);
  } finally {
    file.clear();
  }
}

/**
 * Opens a file that grows as work goes on. What is there goes first: a link that was put there is not followed. A file
 * leaves its mode and its owner.
 */
export function openAnew(path: string): number {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before?.isDirectory()) return openSync(path, 'w'); // the system says what is wrong
  if (before !== undefined) unlinkSync(path);
  const file = openSync(path, 'wx');
  if (before?.isFile()) keepRights(path, before);
  return file;
}

function directoryError(target: string): unknown {
  return unwritable(target, { code: 'EISDIR', syscall: 'rename' });
}
