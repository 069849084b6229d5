/** Lists too long to be scored between two events: threads take them, so that other requests need not wait. */

import { sharedModel } from '../models/model-file.js';
import type { Ranker } from '../models/ranker.js';
import { Crew } from '../threads/crew.js';

/** Part of a list, in memory that threads share; or a whole one, of which reasons are asked for. */
export type ListWork = { readonly rows: Float32Array; readonly n: number } & (
  | { readonly out: Float64Array }
  | { readonly why: number }
);

/** A JSON text a document, where reasons were asked for. */
export type Reasons = readonly string[] | undefined;

export class LargeLists {
  readonly threads: number;
  /** By model; one that is no longer served lets its threads go when the next one starts its own. */
  readonly #crews = new Map<Ranker, Held>();
  /** Those that are served; undefined before models were loaded again. */
  #used: ReadonlySet<Ranker> | undefined;
  /** Crews that end when their last list is done. */
  readonly #retired = new Set<Held>();
  /** Lists whose reasons were asked for: threads take turns. */
  #asked = 0;

  constructor(threads: number) {
    this.threads = threads;
  }

  /** Lists of a model that threads have not done with, those included that nobody waits for any more. */
  waiting(model: Ranker): number {
    return this.#crews.get(model)?.open ?? 0;
  }

  score(model: Ranker, rows: Float32Array, n: number): Promise<Float64Array> {
    const width = model.featureNames.length;
    const shared = sharedRows(rows);
    const scores = new Float64Array(new SharedArrayBuffer(8 * n));
    return this.#use(model, async crew => {
      const size = Math.ceil(n / crew.size);
      await Promise.all(
        Array.from({ length: crew.size }, (_, thread) => {
          const [from, to] = [Math.min(n, thread * size), Math.min(n, (thread + 1) * size)];
          return crew.ask(thread, {
            rows: shared.subarray(from * width, to * width),
            n: to - from,
            out: scores.subarray(from, to),
          });
        }),
      );
      return Float64Array.from(scores);
    });
  }

  /** What so many features add to each document, over the mean of all: one thread sees the whole list. */
  why(model: Ranker, rows: Float32Array, n: number, why: number): Promise<readonly string[]> {
    const shared = sharedRows(rows);
    return this.#use(model, async crew => (await crew.ask(this.#asked++ % crew.size, { rows: shared, n, why }))!);
  }

  /** Ends the threads of models that are served no more, once they have done what they were asked for. */
  async keepOnly(models: ReadonlySet<Ranker>): Promise<void> {
    this.#used = models;
    for (const [model, held] of this.#crews) {
      if (models.has(model)) continue;
      this.#crews.delete(model);
      this.#retired.add(held);
      if (held.open === 0) await this.#end(held);
    }
  }

  async #use<T>(model: Ranker, work: (crew: Held['crew']) => Promise<T>): Promise<T> {
    const held = this.#heldOf(model);
    held.open++;
    try {
      return await work(held.crew);
    } finally {
      held.open--;
      if (held.open === 0 && this.#retired.has(held)) await this.#end(held);
    }
  }

  #heldOf(model: Ranker): Held {
    let held = this.#crews.get(model);
    if (held === undefined) {
      const jobs = Array<Uint8Array>(this.threads).fill(sharedModel(model));
      const module = new URL('./large-list-worker.js', import.meta.url);
      held = { crew: new Crew<ListWork, Reasons>(module, jobs, { background: true }), open: 0 };
      // A request that began with a model which is served no more.
      if (this.#used?.has(model) === false) this.#retired.add(held);
      else this.#crews.set(model, held);
    }
    return held;
  }

  async #end(held: Held): Promise<void> {
    this.#retired.delete(held);
    await held.crew.close();
  }

  /** Ends all threads, whatever they do. */
  async close(): Promise<void> {
    for (const held of [...this.#crews.values(), ...this.#retired]) await this.#end(held);
    this.#crews.clear();
  }
}

/** The threads of a model, and how many lists they were asked about. */
interface Held {
  readonly crew: Crew<ListWork, Reasons>;
  open: number;
}

function sharedRows(rows: Float32Array): Float32Array {
  const shared = new Float32Array(new SharedArrayBuffer(4 * rows.length));
  shared.set(rows);
  return shared;
}
