/** Tasks that turn scores into lambdas and hessians, and these into the integers that trees are grown from. */

import type { Part } from '../../../data/parts.js';
import { rowsAStep } from '../../../kernels/pair-rows.js';
import { startFinite } from '../../../objectives/finite-lambdas.js';
import { lambdaSteps } from '../../../objectives/objective.js';
import type { Steps } from '../../../steps.js';
import type { SeparableLambdas } from '../memory/separable-tables.js';
import type { TaskThread } from './task-thread.js';

export function lambdaTasks(thread: TaskThread) {
  const { job, memory, view, scratch, kernels } = thread;
  const { parts, separable, seen } = job;
  const { at, layout, arrays, tree } = memory;
  const run = startFinite(job.objective, seen, job.learned);
  const own = { lambda: new Float64Array(layout.longest), hessian: new Float64Array(layout.longest) };
  let begun = 0;

  /** Lambdas of the form that the kernel knows; returns the pairs with a lambda. */
  const lambdasOfRows = (
    queries: readonly [first: number, last: number],
    from: number,
    to: number,
    how: SeparableLambdas,
  ) =>
    kernels.separable.lambdasOfQueries(
      ...queries,
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
      Number(how.weight === 'unit'),
      Number(how.scaled),
      how.near,
      how.top,
      from,
      to,
      scratch,
      at.lambdas,
    );

  /** Short queries all at once, a long one step by step. */
  function* lambdasByKernel({ firstQuery, lastQuery }: Part, how: SeparableLambdas): Steps<number> {
    const { offsets } = seen;
    const rowsOf = (q: number) => {
      const n = offsets[q + 1]! - offsets[q]!;
      return { n, step: rowsAStep(n) };
    };
    let pairs = 0;
    for (let first = firstQuery; first < lastQuery; ) {
      const { n, step } = rowsOf(first);
      let last = first + 1;
      if (step < n) {
        for (let from = 0; from < n; from += step) {
          if (from > 0) yield 0;
          pairs += lambdasOfRows([first, last], from, from + step, how);
        }
      } else {
        while (last < lastQuery && rowsOf(last).step >= rowsOf(last).n) last++;
        pairs += lambdasOfRows([first, last], 0, layout.longest, how);
      }
      first = last;
    }
    return pairs;
  }

  /** Lambdas of any objective, query by query. */
  function* lambdasByQuery(part: Part): Steps<number> {
    const { rowWeights, queryWeights, offsets } = seen;
    const { scores, lambdas } = arrays;
    let pairs = 0;
    for (let q = part.firstQuery; q < part.lastQuery; q++) {
      const start = offsets[q]!;
      if (q > part.firstQuery) yield 0;
      pairs += yield* lambdaSteps(run, view.moveTo(q, scores), own);
      const weightOfQuery = queryWeights?.[q] ?? 1;
      for (let i = 0; i < view.n; i++) {
        const weight = weightOfQuery * (rowWeights?.[start + i] ?? 1);
        lambdas[2 * (start + i)] = weight * own.lambda[i]!;
        lambdas[2 * (start + i) + 1] = weight * own.hessian[i]!;
      }
    }
    return pairs;
  }

  return {
    /** Lambdas of the queries of a part, and their magnitudes. */
    *lambdas(number: number): Steps<void> {
      const part = parts[number]!;
      const { iteration, newton } = tree;
      if (iteration !== begun) {
        begun = iteration;
        run.beginIteration?.(iteration);
      }
      arrays.pairs[number] = separable ? yield* lambdasByKernel(part, separable) : yield* lambdasByQuery(part);
      const { firstRow, lastRow } = part;
      if (newton === 0) kernels.gradients.setHessian(at.lambdas, firstRow, lastRow, 1);
      kernels.gradients.sumMagnitudes(at.lambdas, firstRow, lastRow, at.sums + 16 * number);
    },

    /** Integers of a part, and its rows in the index where all are used. */
    quantise(part: number): void {
      const { firstRow, lastRow } = parts[part]!;
      const { lambdaScale, hessianScale, rows } = tree;
      const { recordBytes } = thread.columns;
      kernels.gradients.quantise(
        at.lambdas,
        at.order,
        firstRow,
        lastRow,
        lambdaScale,
        hessianScale,
        at.records,
        recordBytes,
      );
      if (rows === layout.rows) kernels.partition.countUp(at.index, firstRow, lastRow);
    },
  };
}
