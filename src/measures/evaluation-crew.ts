/** Evaluation on several threads, again and again or once. Also the module of such a thread. */
import { type Dataset, sharedFloat64 } from '../data/dataset.js';
import { type Part, partsOf } from '../data/parts.js';
import { fromPortable, type PortableDataset, toPortable } from '../data/portable.js';
import { atOnce, type Steps } from '../steps.js';
import type { Service } from '../threads/crew.js';
import type { StepRunner } from '../threads/task-board.js';
import { TaskCrew } from '../threads/task-crew.js';
import { evaluateQueries } from './evaluate.js';
import { KnownValues } from './known-values.js';
import type { Measure } from './measure.js';
import { parseMeasure } from './parse.js';
import { loadMeasures } from './plugin.js';
import { DatasetView, type Ties } from './query-view.js';

const MODULE = new URL('./evaluation-crew.js', import.meta.url);

/** Queries of a task have at most this many documents, where they are several. */
const TASK_ROWS = 2048;

/** Measures as another thread makes them again: by strings, and by modules of the user's. */
export interface PortableMeasures {
  readonly measures: readonly string[];
  readonly modules: readonly string[];
}

export interface EvaluationJob {
  readonly data: Dataset;
  readonly measures: readonly Measure[];
  /** Absent where no other thread can make them. */
  readonly portable: PortableMeasures | undefined;
  readonly ties?: Ties | undefined;
  /** Whether there will be many rounds: what does not depend on scores is then kept. */
  readonly remember?: boolean;
  /** At most so many, the calling one included. */
  readonly threads: number;
}

interface EvaluationMemory {
  /** Of each task. */
  readonly parts: readonly Part[];
  readonly scores: Float64Array;
  /** By measure and query; NaN where the measure is undefined. */
  readonly values: readonly Float64Array[];
  /** Tied documents of each task. */
  readonly tied: Float64Array;
}

interface EvaluationWork extends PortableMeasures {
  readonly data: PortableDataset;
  readonly ties: Ties | undefined;
  readonly remember: boolean;
  readonly memory: EvaluationMemory;
}

export async function serve({ data, measures, modules, memory, ...how }: EvaluationWork): Promise<Service> {
  const more = await loadMeasures(modules);
  const made = measures.map(spec => parseMeasure(spec, { more }));
  const run = runner({ ...how, data: fromPortable(data), measures: made }, memory);
  return { tasks: (kind, task) => atOnce(run(kind, task)) };
}

/** The kind of a task is the number of the part that is task 0. */
function runner(
  { data, measures, ties, remember = false }: Omit<EvaluationJob, 'portable' | 'threads'>,
  { parts, scores, values, tied }: EvaluationMemory,
): StepRunner {
  const view = new DatasetView(data, ties, { remember });
  const known = remember ? new KnownValues(view, data, measures.length) : undefined;
  return function* (first, task) {
    const part = first + task;
    tied[part] = yield* evaluateQueries(view, data, scores, measures, parts[part]!, values, known);
  };
}

export class EvaluationCrew {
  readonly #memory: EvaluationMemory;
  readonly #run: StepRunner;
  readonly #crew: TaskCrew;

  constructor(job: EvaluationJob) {
    const { data, measures, portable, ties, remember = false, threads } = job;
    const parts = partsOf(data, TASK_ROWS);
    this.#memory = {
      parts,
      scores: sharedFloat64(data.rows),
      values: measures.map(() => sharedFloat64(data.queries)),
      tied: sharedFloat64(parts.length),
    };
    this.#run = runner(job, this.#memory);
    const others = portable === undefined ? 0 : Math.min(threads, parts.length) - 1;
    const work = (): EvaluationWork => ({
      ...portable!,
      ties,
      remember,
      memory: this.#memory,
      data: toPortable(data, { features: false }),
    });
    this.#crew = TaskCrew.late(MODULE, others, work);
  }

  /** One a row: to be written before `steps`. */
  get scores(): Float64Array {
    return this.#memory.scores;
  }

  /** By measure and query, NaN where the measure is undefined: what `steps` left there. */
  get values(): readonly Float64Array[] {
    return this.#memory.values;
  }

  get tied(): number {
    return this.#memory.tied.reduce((sum, documents) => sum + documents, 0);
  }

  get parts(): number {
    return this.#memory.parts.length;
  }

  /** Evaluates the scores: all parts, or those from `first` to `last`. */
  steps(first = 0, last = this.parts): Steps<void> {
    return this.#crew.steps(this.#run, first, last - first);
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}
