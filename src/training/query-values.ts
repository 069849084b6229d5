/** The measure of every query under several rankings, on several threads. Also the module of such a thread. */
import { type Dataset, sharedFloat64 } from '../data/dataset.js';
import { type Part, partsOf } from '../data/parts.js';
import { fromPortable, type PortableDataset, toPortable } from '../data/portable.js';
import type { Measure } from '../measures/measure.js';
import { DatasetView } from '../measures/query-view.js';
import { fromStrings, type Portable } from '../objectives/portable.js';
import type { Steps } from '../steps.js';
import type { Service } from '../threads/crew.js';
import { TaskCrew } from '../threads/task-crew.js';

/** Queries of a task have at most this many documents, where they are several. */
const TASK_ROWS = 2048;

interface ValuesWork {
  readonly data: PortableDataset;
  readonly portable: Portable;
  readonly memory: ValuesMemory;
}

interface ValuesMemory {
  /** Of each task. */
  readonly parts: readonly Part[];
  readonly scores: Float64Array;
  /** By query, with documents of low scores first in the second; NaN where the measure is undefined. */
  readonly values: readonly [Float64Array, Float64Array];
}

const UP = 0;
const BOTH = 1;

export async function serve({ data, portable, memory }: ValuesWork): Promise<Service> {
  const { measures } = await fromStrings(portable);
  return { tasks: tasksOf(fromPortable(data), measures[0]!, memory) };
}

function tasksOf(data: Dataset, measure: Measure, { parts, scores, values }: ValuesMemory) {
  const view = new DatasetView(data, 'input', { remember: true });
  const reversed = new Float64Array(view.scores.length);
  return (kind: number, task: number) => {
    const { firstQuery, lastQuery } = parts[task]!;
    for (let q = firstQuery; q < lastQuery; q++) {
      values[0][q] = measure.value(view.moveTo(q, scores));
      if (kind === UP) continue;
      const start = data.offsets[q]!;
      for (let i = 0; i < view.n; i++) reversed[i] = -scores[start + i]!;
      values[1][q] = measure.value(view.moveTo(q, reversed, start));
    }
  };
}

export class QueryValues {
  readonly #memory: ValuesMemory;
  readonly #run: (kind: number, task: number) => void;
  readonly #crew: TaskCrew;

  private constructor(memory: ValuesMemory, run: (kind: number, task: number) => void, crew: TaskCrew) {
    this.#memory = memory;
    this.#run = run;
    this.#crew = crew;
  }

  /** `portable` is the measure for other threads; absent where there can be none. */
  static async start(
    data: Dataset,
    measure: Measure,
    portable: Portable | undefined,
    threads: number,
  ): Promise<QueryValues> {
    const parts = partsOf(data, TASK_ROWS);
    const memory: ValuesMemory = {
      parts,
      scores: sharedFloat64(data.rows),
      values: [sharedFloat64(data.queries), sharedFloat64(data.queries)],
    };
    const others = portable === undefined ? 0 : Math.min(threads, parts.length) - 1;
    const works = Array.from(
      { length: others },
      (): ValuesWork => ({ memory, portable: portable!, data: toPortable(data, { features: false }) }),
    );
    const crew = await TaskCrew.start(new URL('./query-values.js', import.meta.url), works);
    return new QueryValues(memory, tasksOf(data, measure, memory), crew);
  }

  /** One a row: to be written before `of`. */
  get scores(): Float64Array {
    return this.#memory.scores;
  }

  /** By query; NaN where the measure is undefined. With `both`, also with low scores first. */
  *of(both = false): Steps<[up: Float64Array, down: Float64Array]> {
    yield* this.#crew.shortSteps(this.#run, both ? BOTH : UP, this.#memory.parts.length);
    const [up, down] = this.#memory.values;
    return [up.slice(), down.slice()];
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}
