/** Results of steps, a line each, on disk as they come: what was finished before a kill -9 is not run again. */
import { z } from 'zod';
import { ListwiseError } from '../errors.js';
import { ChainedLines } from '../io/chained-lines.js';
import { differences, type Identity } from '../io/identity.js';

const line = z.object({ key: z.string(), result: z.json() });

export class StepStore {
  readonly #file: ChainedLines;
  readonly #results = new Map<string, unknown>();

  /** `identity` names all that a result depends on, such as config and seed: results of another are refused. */
  constructor(file: string, identity: Identity) {
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
