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
  readonly #crews = new Map<Ranker, Crew<ListWork, Reasons>>();
  /** Lists whose reasons were asked for: threads take turns. */
  #asked = 0;

  constructor(threads: number) {
    this.threads = threads;
  }

  async score(model: Ranker, rows: Float32Array, n: number): Promise<Float64Array> {
    const width = model.featureNames.length;
    const shared = sharedRows(rows);
    const scores = new Float64Array(new SharedArrayBuffer(8 * n));
    const crew = this.#crewOf(model);
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
  }

  /** What so many features add to each document, over the mean of all: one thread sees the whole list. */
  async why(model: Ranker, rows: Float32Array, n: number, why: number): Promise<readonly string[]> {
    const crew = this.#crewOf(model);
    return (await crew.ask(this.#asked++ % crew.size, { rows: sharedRows(rows), n, why }))!;
  }

  /** Ends the threads of models that are served no more. */
  async keepOnly(models: ReadonlySet<Ranker>): Promise<void> {
    for (const [model, crew] of this.#crews) {
      if (models.has(model)) continue;
      this.#crews.delete(model);
      await crew.close();
    }
  }

  #crewOf(model: Ranker): Crew<ListWork, Reasons> {
    let crew = this.#crews.get(model);
    if (crew === undefined) {
      const jobs = Array<Uint8Array>(this.threads).fill(sharedModel(model));
      crew = new Crew<ListWork, Reasons>(new URL('./large-list-worker.js', import.meta.url), jobs, {
        background: true,
      });
      this.#crews.set(model, crew);
    }
    return crew;
  }

  close(): Promise<void> {
    return this.keepOnly(new Set());
  }
}

function sharedRows(rows: Float32Array): Float32Array {
  const shared = new Float32Array(new SharedArrayBuffer(4 * rows.length));
  shared.set(rows);
  return shared;
}
