/** The work of one thread on one slice of queries: sweeps each along the line. Also the module of such a thread. */
import type { Dataset } from '../data/dataset.js';
import type { Part } from '../data/parts.js';
import { fromPortable, type PortableDataset } from '../data/portable.js';
import type { Measure } from '../measures/measure.js';
import { fromStrings, type Portable } from '../objectives/portable.js';
import type { Service } from '../threads/crew.js';
import { countedForm } from './counted-form.js';
import { CountedSweep } from './counted-sweep.js';
import { EvaluatedSweep } from './evaluated-sweep.js';
import type { Line, Sweep } from './sweep.js';

/** In memory that threads share. */
export interface LineMemory extends Line {
  readonly slices: readonly Part[];
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
  const slices = new LineSlices(createSweep(fromPortable(data), measures[0]!), memory);
  return { tasks: (_, slice) => slices.run(slice) };
}

/** Measures that are sums over documents have a quick one. */
export function createSweep(data: Dataset, measure: Measure): Sweep {
  let longest = 0;
  for (let q = 0; q < data.queries; q++) longest = Math.max(longest, data.offsets[q + 1]! - data.offsets[q]!);
  const form = countedForm(data, measure);
  return form ? new CountedSweep(data, measure, form, longest) : new EvaluatedSweep(data, measure, longest);
}

export class LineSlices {
  readonly #sweep: Sweep;
  readonly #memory: LineMemory;

  constructor(sweep: Sweep, memory: LineMemory) {
    this.#sweep = sweep;
    this.#memory = memory;
  }

  run(slice: number): void {
    const { slices, first, at, change, counts } = this.#memory;
    const { firstQuery, lastQuery } = slices[slice]!;
    const out = { first, at: at[slice]!, change: change[slice]! };
    counts[slice] = this.#sweep.run(firstQuery, lastQuery, this.#memory, out);
  }
}
