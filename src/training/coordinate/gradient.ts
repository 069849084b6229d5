/** The gradient of an objective in the weights of a linear model: a direction to search along. */
import { partsOf } from '../../data/parts.js';
import { DatasetView } from '../../measures/query-view.js';
import { startFinite } from '../../objectives/finite-lambdas.js';
import type { LearnedMemories } from '../../objectives/learning.js';
import { lambdaSteps, type Objective, type ObjectiveRun } from '../../objectives/objective.js';
import { gatherNumbers } from '../../ranks/gathered.js';
import type { Transport } from '../../ranks/transport.js';
import type { Steps } from '../../steps.js';
import type { SeenData } from '../linear/seen-data.js';

export class ObjectiveGradient {
  readonly #seen: SeenData;
  readonly #run: ObjectiveRun;
  readonly #view: DatasetView;
  readonly #ranks: Transport;

  constructor(seen: SeenData, objective: Objective, ranks: Transport, learned?: LearnedMemories) {
    this.#seen = seen;
    this.#ranks = ranks;
    this.#run = startFinite(objective, seen.labels, learned);
    this.#view = new DatasetView(seen.labels);
  }

  /** By feature: the sum over documents of all ranks of lambda times value, part by part of the data. */
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
    const { features } = this.#seen;
    const parts = partsOf(this.#seen.labels);
    const sums = new Float64Array(parts.length * features);
    for (let f = 0; f < features; f++) {
      this.#seen.column(f, column);
      for (const [p, { firstRow, lastRow }] of parts.entries()) {
        let sum = 0;
        for (let i = firstRow; i < lastRow; i++) sum += column[i]! * lambdas[i]!;
        sums[p * features + f] = sum;
      }
    }
    const gradient = new Float64Array(features);
    gatherNumbers(this.#ranks, sums).forEach((sum, i) => {
      gradient[i % features]! += sum;
    });
    return gradient;
  }
}
