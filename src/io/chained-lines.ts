/**
 * Lines of JSON that a run goes on from, in a file that only grows; each is on disk before the run goes on. A line has
 * a checksum over itself and the line before, so that lines that were changed, swapped, doubled or taken out are found.
 * A last line without its end was being written when the process died: it is cut off.
 */
import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ListwiseError } from '../errors.js';
import { makeFolder, syncFolder } from './durable.js';
import { unreadable } from './unreadable.js';
import { unwritable } from './unwritable.js';

const LINE = /^\{"checksum":"([0-9a-f]{16})","entry":(.*)\}$/s;

export class ChainedLines {
  readonly #file: string;
  #handle: number | undefined;
  #last = '';
  /** Why nothing more can be added: others may be at work that will try. */
  #failed: unknown;

  constructor(file: string) {
    this.#file = file;
  }

  /** The entries that are there; none where there is no file. To be called once, before the first is added. */
  read(): unknown[] {
    const entries = this.#texts().map((line, i) => {
      const [, stated, text] = LINE.exec(line) ?? [];
      if (text === undefined || stated !== this.#checksum(text)) {
        throw new ListwiseError(
          'checkpoint-invalid',
          'the line does not match its checksum: it was damaged or changed; start over, or put the file back',
          { file: this.#file, line: i + 1 },
        );
      }
      this.#last = stated;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        const place = { file: this.#file, line: i + 1 };
        throw new ListwiseError('checkpoint-invalid', 'the line is no JSON; start over, or put the file back', place);
      }
    });
    const folder = dirname(this.#file);
    makeFolder(folder, this.#file);
    try {
      this.#handle = openSync(this.#file, 'a');
      syncFolder(folder); // lines that are on disk are of no use without its name
    } catch (error) {
      throw unwritable(this.#file, error);
    }
    return entries;
  }

  add(entry: object): void {
    if (this.#failed !== undefined) throw this.#failed;
    if (this.#handle === undefined) throw new RangeError('the lines were not read, or are closed');
    const text = JSON.stringify(entry);
    this.#last = this.#checksum(text);
    try {
      writeFileSync(this.#handle, `{"checksum":"${this.#last}","entry":${text}}\n`);
      fdatasyncSync(this.#handle);
    } catch (error) {
      this.close(); // after part of a line no other may follow
      this.#failed = unwritable(this.#file, error);
      throw this.#failed;
    }
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  #checksum(text: string): string {
    return createHash('sha256').update(this.#last).update(text).digest('hex').slice(0, 16);
  }

  #texts(): string[] {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw unreadable(this.#file, error);
    }
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end < bytes.length) truncateSync(this.#file, end);
    return bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  }
}
