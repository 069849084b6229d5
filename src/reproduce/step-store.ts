/** Results of steps, a line each, on disk as they come: what was finished before a kill -9 is not run again. */
import { z } from 'zod';
import { ListwiseError } from '../errors.js';
import { ChainedLines } from '../io/chained-lines.js';
import { differences, type Identity } from '../io/identity.js';

const line = z.object({ key: z.string(), result: z.json() });

export class StepStore {
  readonly #name: string;
  readonly #file: ChainedLines;
  /** How many results an earlier run has left. */
  readonly #kept: number;
  readonly #results = new Map<string, unknown>();

  /** `identity` names all that a result depends on, such as config and seed: results of another are refused. */
  constructor(file: string, identity: Identity) {
    this.#name = file;
    this.#file = new ChainedLines(file);
    const [head, ...entries] = this.#file.read();
    const other = head === undefined ? undefined : differences(head, identity);
    if (head === undefined) this.#file.add(identity);
    if (other !== undefined) {
      this.close();
      throw new ListwiseError(
        'run-exists',
        `the folder holds steps of a run with other settings: ${other}; \`force: true\` starts over`,
        { file },
      );
    }
    for (const [i, entry] of entries.entries()) {
      const { data } = line.safeParse(entry);
      if (data === undefined) {
        this.close();
        throw new ListwiseError('checkpoint-invalid', 'not the result of a step', { file, line: i + 2 });
      }
      this.#results.set(data.key, data.result);
    }
    this.#kept = entries.length;
  }

  /**
   * The error to throw for one of the experiment's own. What a result is like, only its experiment knows: where one
   * comes from a file, whose checksums say nothing of who wrote it, the file is what to doubt first.
   */
  blamed(error: unknown): unknown {
    if (this.#kept === 0 || error instanceof ListwiseError) return error;
    const why = error instanceof Error ? error.message : String(error);
    return new ListwiseError('checkpoint-invalid', `the results that are kept do not fit (${why}); start over`, {
      file: this.#name,
    });
  }

  get size(): number {
    return this.#results.size;
  }

  entries(): Iterable<readonly [string, unknown]> {
    return this.#results;
  }

  get(key: string): unknown {
    return this.#results.get(key);
  }

  put(key: string, result: unknown): void {
    this.#file.add({ key, result });
    // As it will be read: numbers that JSON cannot write are null in both.
    this.#results.set(key, JSON.parse(JSON.stringify(result)));
  }

  close(): void {
    this.#file.close();
  }
}
