/** Tasks that judge scores: values of the measures, query by query. */
import { countedValue, valueSteps } from '../../../measures/evaluate.js';
import { DatasetView } from '../../../measures/query-view.js';
import type { Steps } from '../../../steps.js';
import type { Part } from '../rows/parts.js';
import type { TaskThread } from './task-thread.js';

/** Documents that are judged between two steps, at least. */
const ROWS_A_STEP = 256;

export class EvaluationTasks {
  readonly #thread: TaskThread;
  readonly #evaluatedView: DatasetView;

  constructor(thread: TaskThread) {
    const { validation } = thread.job;
    this.#thread = thread;
    this.#evaluatedView = validation ? new DatasetView(validation, 'input', { remember: true }) : thread.view;
  }

  *evaluate(part: number): Steps<void> {
    const { layout, memory, validation, judged } = this.#thread.job;
    const { at, validationRows } = layout;
    const scores =
      validation === undefined
        ? this.#trainingScores()
        : new Float32Array(memory.buffer, at.validationScores, validationRows);
    yield* this.#evaluateQueries(judged.parts[part]!, this.#evaluatedView, scores, judged.values);
  }

  *evaluateTraining(part: number): Steps<void> {
    const { parts, judged } = this.#thread.job;
    yield* this.#evaluateQueries(parts[part]!, this.#thread.view, this.#trainingScores(), judged.training);
  }

  #trainingScores(): Float32Array {
    const { memory, layout } = this.#thread.job;
    return new Float32Array(memory.buffer, layout.at.scores, layout.rows);
  }

  /** `out` has the values of the first measures, by query. */
  *#evaluateQueries(part: Part, view: DatasetView, scores: Float32Array, out: readonly Float64Array[]): Steps<void> {
    let rows = 0;
    for (let q = part.firstQuery; q < part.lastQuery; q++) {
      view.moveTo(q, scores);
      rows += view.n;
      if (rows >= ROWS_A_STEP) {
        rows = 0;
        yield 0;
      }
      for (const [m, values] of out.entries()) {
        const measure = this.#thread.job.measures[m]!;
        values[q] = countedValue(measure, yield* valueSteps(measure, view));
      }
    }
  }
}
