/** Files on disk for what has none (stdin, memory), or a name that DuckDB would take for a pattern. */
import { createWriteStream } from 'node:fs';
import { copyFile, open, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileInput, type Input } from './inputs.js';
import { makeTemporaryFolder, removeFolder } from './temporary-folder.js';
import { unreadable } from './unreadable.js';

/** An input with a file that can be opened by name, more than once. */
export interface FileOnDisk extends Input {
  readonly path: string;
}

/** Hands out names of files that are taken away at the end. */
export class Spool {
  #directory: string | undefined;
  #files = 0;

  #name(): string {
    this.#directory ??= makeTemporaryFolder();
    return join(this.#directory, String(this.#files++));
  }

  /** The input as a file; `plain` asks for its bytes decompressed. The name in messages stays. */
  async file(input: Input, plain = false): Promise<FileOnDisk> {
    if (input.path !== undefined && !(plain && (await isGzip(input.path, input.name)))) {
      const path = await this.#unambiguous(resolve(input.path));
      return { ...input, path, gzip: await isGzip(path, input.name) };
    }
    const path = this.#name();
    await pipeline(input.open(), createWriteStream(path));
    return { ...(await fileInput(path)), path, name: input.name };
  }

  /** A path without the characters that DuckDB takes for a pattern of several files. */
  async #unambiguous(path: string): Promise<string> {
    if (!/[*?[\]{}]/.test(path)) return path;
    const link = this.#name();
    await symlink(path, link).catch(() => copyFile(path, link)); // Windows lets only some users make links
    return link;
  }

  clear(): void {
    if (this.#directory !== undefined) removeFolder(this.#directory);
  }
}

export async function withSpool<T>(work: (spool: Spool) => Promise<T>): Promise<T> {
  const spool = new Spool();
  try {
    return await work(spool);
  } finally {
    spool.clear();
  }
}

/** Whether the file starts as gzip does, whatever its name; `name` is that in messages. */
async function isGzip(path: string, name: string): Promise<boolean> {
  const file = await open(path).catch(error => {
    throw unreadable(name, error);
  });
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}
