/** Tasks that turn scores into lambdas and hessians, and these into the integers that trees are grown from. */
import { startFinite } from '../../../objectives/finite-lambdas.js';
import { type Lambdas, lambdaSteps, type ObjectiveRun } from '../../../objectives/objective.js';
import type { Steps } from '../../../steps.js';
import { REAL, WHOLE } from '../memory/task-numbers.js';
import type { Part } from '../rows/parts.js';
import type { TaskThread } from './task-thread.js';

export class LambdaTasks {
  readonly #thread: TaskThread;
  readonly #pairs: Float64Array;
  readonly #run: ObjectiveRun;
  readonly #lambdas: Lambdas;
  #iteration = 0;

  constructor(thread: TaskThread) {
    const { memory, layout, objective, seen } = thread.job;
    this.#thread = thread;
    this.#pairs = new Float64Array(memory.buffer, layout.at.pairs, layout.parts);
    this.#run = startFinite(objective, seen);
    this.#lambdas = { lambda: new Float64Array(layout.longest), hessian: new Float64Array(layout.longest) };
  }

  *lambda(number: number): Steps<void> {
    const { layout, parts, separable } = this.#thread.job;
    const { whole } = this.#thread.job.numbers;
    const { at } = layout;
    const part = parts[number]!;
    const iteration = Atomics.load(whole, WHOLE.iteration);
    if (iteration !== this.#iteration) {
      this.#iteration = iteration;
      this.#run.beginIteration?.(iteration);
    }
    this.#pairs[number] = separable
      ? this.#thread.kernels.separable.lambdasOfQueries(
          part.firstQuery,
          part.lastQuery,
          at.offsets,
          at.judged,
          at.depths,
          at.norms,
          at.weights,
          at.places,
          at.gains,
          at.ends,
          at.discounts,
          at.orders,
          at.scores,
          Number(separable.weight === 'unit'),
          Number(separable.scaled),
          this.#thread.own,
          at.lambdas,
        ) >>> 0
      : yield* this.#lambdasByQuery(part);
    const { firstRow, lastRow } = part;
    if (whole[WHOLE.newton] === 0) this.#thread.kernels.gradients.setHessian(at.lambdas, firstRow, lastRow, 1);
    this.#thread.kernels.gradients.sumMagnitudes(at.lambdas, firstRow, lastRow, at.sums + 16 * number);
  }

  /** Lambdas of any objective, query by query. */
  *#lambdasByQuery(part: Part): Steps<number> {
    const { layout, seen } = this.#thread.job;
    const floats = this.#thread.floats;
    const scores = floats.subarray(layout.at.scores / 4, layout.at.scores / 4 + layout.rows);
    const { rowWeights, queryWeights, offsets } = seen;
    let pairs = 0;
    for (let q = part.firstQuery; q < part.lastQuery; q++) {
      const start = offsets[q]!;
      if (q > part.firstQuery) yield 0;
      pairs += yield* lambdaSteps(this.#run, this.#thread.view.moveTo(q, scores), this.#lambdas);
      const to = layout.at.lambdas / 4 + 2 * start;
      const weight = queryWeights?.[q] ?? 1;
      for (let i = 0; i < this.#thread.view.n; i++) {
        const own = weight * (rowWeights?.[start + i] ?? 1);
        floats[to + 2 * i] = own * this.#lambdas.lambda[i]!;
        floats[to + 2 * i + 1] = own * this.#lambdas.hessian[i]!;
      }
    }
    return pairs;
  }

  quantise(part: number): void {
    const { layout, parts, numbers } = this.#thread.job;
    const { at } = layout;
    // Whole groups of two rows: parts meet at rows that both may write, with the same value.
    const first = parts[part]!.firstRow & ~1;
    const n = parts[part]!.lastRow - first;
    const { real } = numbers;
    this.#thread.kernels.gradients.quantise(
      at.lambdas + 8 * first,
      n,
      real[REAL.lambdaScale]!,
      real[REAL.hessianScale]!,
      at.records + 8 * first,
    );
    if (numbers.whole[WHOLE.rows] === layout.rows) {
      this.#thread.kernels.partition.countUp(at.index, parts[part]!.firstRow, parts[part]!.lastRow);
    }
  }
}
