/** The work of one thread on one slice of queries: sweeps each along the line. Also the module of such a thread. */
import type { Dataset } from '../data/dataset.js';
import type { Part } from '../data/parts.js';
import { fromPortable, type PortableDataset } from '../data/portable.js';
import { countedValue } from '../measures/evaluate.js';
import { adjacentSwaps } from '../measures/forms/adjacent.js';
import type { Measure } from '../measures/measure.js';
import { DatasetView } from '../measures/query-view.js';
import { fromStrings, type Portable } from '../objectives/portable.js';
import type { Service } from '../threads/crew.js';
import { ClassedDocuments, Crossings, QuerySweep } from './query-sweep.js';
import { NumberSorter } from './sort-numbers.js';

/** In memory that threads share. */
export interface LineMemory {
  readonly slices: readonly Part[];
  /** By row: score at 0, and what it grows by along the line. */
  readonly start: Float64Array;
  readonly slope: Float64Array;
  /** By query: what it counts below all crossings; NaN where it does not count. */
  readonly first: Float64Array;
  /** By slice. */
  readonly at: readonly Float64Array[];
  readonly change: readonly Float64Array[];
  readonly counts: Uint32Array;
}

export interface LineWork {
  readonly data: PortableDataset;
  readonly portable: Portable;
  readonly memory: LineMemory;
}

export async function serve({ data, portable, memory }: LineWork): Promise<Service> {
  const { measures } = await fromStrings(portable);
  const slices = new LineSlices(fromPortable(data), measures[0]!, memory);
  return { tasks: (_, slice) => slices.run(slice) };
}

export class LineSlices {
  readonly #data: Dataset;
  readonly #measure: Measure;
  readonly #memory: LineMemory;
  readonly #view: DatasetView;
  readonly #sweep = new QuerySweep();
  readonly #sorter = new NumberSorter();
  readonly #crossings = new Crossings();
  readonly #ranks: Float64Array;
  /** By query; what does not change from line to line. Undefined where the measure is. */
  readonly #classes = new Map<number, ClassedDocuments | undefined>();
  /** By crossing: its change, and, query by query, crossings in their order. */
  #changes = new Float64Array(0);
  #events = new Uint32Array(0);

  constructor(data: Dataset, measure: Measure, memory: LineMemory) {
    this.#data = data;
    this.#measure = measure;
    this.#memory = memory;
    this.#view = new DatasetView(data, 'input', { remember: true });
    this.#ranks = new Float64Array(this.#view.scores.length);
  }

  run(slice: number): void {
    const { slices, at, change, counts } = this.#memory;
    const { firstQuery, lastQuery } = slices[slice]!;
    const crossings = this.#crossings;
    const ends = this.#collect(firstQuery, lastQuery);
    const { count } = crossings;
    if (this.#changes.length < count) {
      this.#changes = new Float64Array(count);
      this.#events = new Uint32Array(count);
    }
    const order = this.#sorter.sort(crossings.at, count);
    this.#deal(order, ends);
    const changes = this.#changes.fill(0, 0, count);
    for (let q = firstQuery; q < lastQuery; q++) {
      const from = q === firstQuery ? 0 : ends[q - firstQuery - 1]!;
      this.#query(q, this.#events.subarray(from, ends[q - firstQuery]!));
    }
    let kept = 0;
    for (let k = 0; k < count; k++) {
      const event = order[k]!;
      if (changes[event] === 0) continue;
      at[slice]![kept] = crossings.at[event]!;
      change[slice]![kept++] = changes[event]!;
    }
    counts[slice] = kept;
  }

  /** The crossings of some queries, and where those of each end. */
  #collect(firstQuery: number, lastQuery: number): Uint32Array {
    const { offsets } = this.#data;
    const { start, slope } = this.#memory;
    const crossings = this.#crossings;
    const ends = new Uint32Array(lastQuery - firstQuery);
    let most = 0;
    for (let q = firstQuery; q < lastQuery; q++) most += this.#classesOf(q)?.pairs ?? 0;
    crossings.reserve(most);
    crossings.count = 0;
    for (let q = firstQuery; q < lastQuery; q++) {
      const documents = this.#classesOf(q);
      const [from, to] = [offsets[q]!, offsets[q + 1]!];
      if (documents !== undefined) crossings.add(documents, start.subarray(from, to), slope.subarray(from, to));
      ends[q - firstQuery] = crossings.count;
    }
    return ends;
  }

  #classesOf(q: number): ClassedDocuments | undefined {
    if (!this.#classes.has(q)) {
      const classes = adjacentSwaps(this.#measure, this.#view.moveTo(q, this.#memory.start))?.classes;
      this.#classes.set(q, classes && new ClassedDocuments(classes));
    }
    return this.#classes.get(q);
  }

  /** Sorted crossings to their queries, each of which has its place among the events. */
  #deal(order: Uint32Array, ends: Uint32Array): void {
    const { count } = this.#crossings;
    const next = new Uint32Array(ends.length);
    const queryOf = new Uint32Array(count);
    for (let k = 0, from = 0; k < ends.length; k++) {
      next[k] = from;
      queryOf.fill(k, from, ends[k]!);
      from = ends[k]!;
    }
    for (let k = 0; k < count; k++) this.#events[next[queryOf[order[k]!]!]!++] = order[k]!;
  }

  #query(q: number, events: Uint32Array): void {
    const { offsets } = this.#data;
    const { start, slope, first } = this.#memory;
    const measure = this.#measure;
    const begin = offsets[q]!;
    const n = offsets[q + 1]! - begin;
    const order = this.#sweep.firstOrder(start.subarray(begin, begin + n), slope.subarray(begin, begin + n), n);
    // Scores that rank as the lines do there.
    for (let r = 0; r < n; r++) this.#ranks[order[r]!] = n - r;
    this.#view.moveTo(q, this.#ranks, begin);
    const value = countedValue(measure, measure.value(this.#view));
    first[q] = Number.isNaN(value) ? value : measure.aggregate.of(value);
    const documents = this.#classesOf(q);
    const swaps = documents && adjacentSwaps(measure, this.#view);
    if (swaps !== undefined) {
      this.#sweep.sweep(this.#crossings, events, order, documents!, swaps.swap, this.#changes);
    }
  }
}
