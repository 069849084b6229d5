/** Results of steps, one JSON line each, flushed as they come: what was finished before a kill -9 is not run again. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ListwiseError } from '../errors.js';

interface Line {
  readonly key: string;
  readonly result: unknown;
}

export class StepStore {
  readonly #file: string;
  readonly #results = new Map<string, unknown>();
  #handle: number | undefined;

  /** `identity` names all that a result depends on, such as config and seed: results of another are refused. */
  constructor(file: string, identity: unknown) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    const wanted = JSON.stringify(identity);
    const [first, ...lines] = this.#wholeLines();
    if (first === undefined) {
      this.#append(wanted);
      return;
    }
    if (first !== wanted) {
      throw new ListwiseError(
        'run-exists',
        `the folder holds steps of a run with other settings (${first}), wanted ${wanted}; \`force: true\` starts over`,
        { file },
      );
    }
    for (const line of lines) {
      const { key, result } = JSON.parse(line) as Line;
      this.#results.set(key, result);
    }
  }

  get size(): number {
    return this.#results.size;
  }

  get(key: string): unknown {
    return this.#results.get(key);
  }

  put(key: string, result: unknown): void {
    this.#append(JSON.stringify({ key, result } satisfies Line));
    // As it will be read: numbers that JSON cannot write are null in both.
    this.#results.set(key, JSON.parse(JSON.stringify(result)));
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  #append(line: string): void {
    this.#handle ??= openSync(this.#file, 'a');
    writeSync(this.#handle, `${line}\n`);
    fsyncSync(this.#handle);
  }

  /** A last line without its end was being written when the process died: it is cut off. */
  #wholeLines(): string[] {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end < bytes.length) truncateSync(this.#file, end);
    return bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  }
}
