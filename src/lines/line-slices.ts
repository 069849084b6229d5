/** The work of one thread on one slice of queries. Also the module of such a thread. */
import type { Dataset } from '../data/dataset.js';
import { fromPortable, type PortableDataset } from '../data/portable.js';
import { LineBuckets } from '../kernels/line-buckets.js';
import type { Measure } from '../measures/measure.js';
import { fromStrings, type Portable } from '../objectives/portable.js';
import { atOnce, partOf, type Steps } from '../steps.js';
import type { Service } from '../threads/crew.js';
import { type CountedForm, countedForm } from './counted-form.js';
import { CountedSweep } from './counted-sweep.js';
import { EvaluatedSweep } from './evaluated-sweep.js';
import type { LineMemory } from './line-memory.js';
import type { Sweep } from './sweep.js';

export interface LineWork {
  readonly data: PortableDataset;
  readonly portable: Portable;
  readonly memory: LineMemory;
}

export async function serve({ data, portable, memory }: LineWork): Promise<Service> {
  const { measures } = await fromStrings(portable);
  const own = fromPortable(data);
  const slices = new LineSlices(createSweep(own, measures[0]!, countedForm(own, measures[0]!)), memory);
  return { tasks: (kind, task) => (kind === SWEEP ? atOnce(slices.sweep(task)) : slices.run(kind, task)) };
}

/** Measures that are sums over documents have a quick one. */
export function createSweep(data: Dataset, measure: Measure, form: CountedForm | undefined): Sweep {
  let longest = 0;
  for (let q = 0; q < data.queries; q++) longest = Math.max(longest, data.offsets[q + 1]! - data.offsets[q]!);
  return form ? new CountedSweep(data, measure, form, longest) : new EvaluatedSweep(data, measure, longest);
}

/**
 * Kinds of work: every breakpoint; what sections of the line come to; buckets of some; changes in some of these; what
 * there is below every breakpoint.
 */
export const [SWEEP, SECTIONS, COARSE, FINE, FIRST] = [0, 1, 2, 3, 4];

export class LineSlices {
  readonly #sweep: Sweep;
  readonly #memory: LineMemory;
  readonly #buckets: LineBuckets | undefined;

  constructor(sweep: Sweep, memory: LineMemory) {
    this.#sweep = sweep;
    this.#memory = memory;
    this.#buckets = memory.buckets && new LineBuckets(memory.buckets);
  }

  /** The slices of a task, for every breakpoint: in steps, since measures may take long. */
  *sweep(task: number): Steps<void> {
    const { slices, tasks, first, at, change, counts } = this.#memory;
    const from = tasks[task - 1] ?? 0;
    const to = tasks[task]!;
    for (let slice = from; slice < to; slice++) {
      const { firstQuery, lastQuery } = slices[slice]!;
      const out = { first, at: at[slice]!, change: change[slice]! };
      const steps = this.#sweep.run(firstQuery, lastQuery, this.#memory, out);
      counts[slice] = yield* partOf(steps, (slice - from) / (to - from), (slice + 1 - from) / (to - from));
    }
  }

  /** The slices of a task, for any other kind of work. */
  run(kind: number, task: number): void {
    const { tasks } = this.#memory;
    for (let slice = tasks[task - 1] ?? 0; slice < tasks[task]!; slice++) this.#look(kind, slice);
  }

  #look(kind: number, slice: number): void {
    const { counts, run } = this.#memory;
    if (kind === FIRST) this.#buckets!.first(slice);
    else if (kind === SECTIONS) this.#buckets!.sections(slice);
    else if (kind === COARSE) this.#buckets!.coarse(slice, run[0]!, run[1]!);
    else counts[slice] = this.#buckets!.fine(slice, run[0]!, run[1]!);
  }
}
