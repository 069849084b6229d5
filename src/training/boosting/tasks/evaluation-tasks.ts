/** Tasks that evaluate scores: values of the measures, query by query. */

import type { Part } from '../../../data/parts.js';
import { countedValue, valueSteps } from '../../../measures/evaluate.js';
import { DatasetView } from '../../../measures/query-view.js';
import type { Steps } from '../../../steps.js';
import type { TaskThread } from './task-thread.js';

/** Documents that are evaluated between two steps, at least. */
const ROWS_A_STEP = 256;

export function evaluationTasks({ job, memory, view }: TaskThread) {
  const { validation, evaluated, parts, measures } = job;
  const { scores, validationScores } = memory.arrays;
  const selecting = validation
    ? { view: new DatasetView(validation, 'expected', { remember: true }), scores: validationScores }
    : { view, scores };

  /** `out` has the values of the first measures, by query. */
  function* evaluateQueries(
    part: Part,
    of: { view: DatasetView; scores: Float32Array },
    out: readonly Float64Array[],
  ): Steps<void> {
    let rows = 0;
    for (let q = part.firstQuery; q < part.lastQuery; q++) {
      of.view.moveTo(q, of.scores);
      rows += of.view.n;
      if (rows >= ROWS_A_STEP) {
        rows = 0;
        yield 0;
      }
      for (const [m, values] of out.entries()) {
        const measure = measures[m]!;
        values[q] = countedValue(measure, yield* valueSteps(measure, of.view));
      }
    }
  }

  return {
    evaluate: (part: number) => evaluateQueries(evaluated.parts[part]!, selecting, evaluated.values),
    evaluateTraining: (part: number) => evaluateQueries(parts[part]!, { view, scores }, evaluated.training),
  };
}
