/** The gradient of an objective in the weights of a linear model: a direction to search along. */
import { DatasetView } from '../../measures/query-view.js';
import { startFinite } from '../../objectives/finite-lambdas.js';
import type { LearnedMemories } from '../../objectives/learning.js';
import { lambdaSteps, type Objective, type ObjectiveRun } from '../../objectives/objective.js';
import type { Steps } from '../../steps.js';
import type { SeenData } from '../linear/seen-data.js';

export class ObjectiveGradient {
  readonly #seen: SeenData;
  readonly #run: ObjectiveRun;
  readonly #view: DatasetView;

  constructor(seen: SeenData, objective: Objective, learned?: LearnedMemories) {
    this.#seen = seen;
    this.#run = startFinite(objective, seen.labels, learned);
    this.#view = new DatasetView(seen.labels);
  }

  /** By feature: the sum over documents of lambda times value. */
  *at(scores: Float64Array, iteration: number): Steps<Float64Array> {
    const { offsets, queries, rows } = this.#seen.labels;
    const lambdas = new Float64Array(rows);
    const longest = this.#view.scores.length;
    const out = { lambda: new Float64Array(longest), hessian: new Float64Array(longest) };
    this.#run.beginIteration?.(iteration);
    for (let q = 0; q < queries; q++) {
      yield* lambdaSteps(this.#run, this.#view.moveTo(q, scores), out);
      lambdas.set(out.lambda.subarray(0, this.#view.n), offsets[q]!);
    }
    const column = new Float64Array(rows);
    return Float64Array.from({ length: this.#seen.features }, (_, f) => {
      this.#seen.column(f, column);
      return column.reduce((sum, value, i) => sum + value * lambdas[i]!, 0);
    });
  }
}
