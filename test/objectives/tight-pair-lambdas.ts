/**
 * The reference loop made tight, for measures with a table form and the logistic factor: no closures, everything in
 * typed arrays by rank, one exponential a pair. Nothing trains with it: it is what the benchmark holds the kernel
 * against, so that the kernel is not praised for the reference's closures.
 */

import { swapTables } from '#listwise/measures/forms/swap.js';
import type { QueryView, SwapForm } from '#listwise/measures/measure.js';
import type { Lambdas, ObjectiveRun } from '#listwise/objectives/objective.js';
import type { PairPlan } from '#listwise/objectives/pairs/pair-plan.js';
import { Scratch } from '#listwise/objectives/scratch.js';

export function tightPairLambdas({ labels, weight }: PairPlan): ObjectiveRun {
  const swap = weight === 'unit' ? undefined : weight.swap;
  if (swap === undefined || swap.form === 'function') throw new RangeError('the tight loop is for table forms');
  const scratch = new Scratch();
  let tables = swapTables(0);
  return {
    lambdas(view, out) {
      const { n } = view;
      if (tables.gain.length < n) tables = swapTables(2 * n);
      out.lambda.fill(0, 0, n);
      out.hessian.fill(0, 0, n);
      const norm = fill(swap, view, tables);
      return Number.isNaN(norm) ? 0 : sweep(view, view.labels(labels), norm, tables, scratch, out);
    },
  };
}

function fill(
  swap: Exclude<SwapForm, { form: 'function' }>,
  view: QueryView,
  tables: ReturnType<typeof swapTables>,
): number {
  const norm = swap.fill(view, tables);
  if (swap.form === 'separable') {
    tables.slope.fill(1, 0, view.n);
    tables.lower.set(tables.upper);
  }
  return norm;
}

function sweep(
  { n, order, scores }: QueryView,
  labels: Float64Array,
  norm: number,
  { gain, upper, slope, lower }: ReturnType<typeof swapTables>,
  scratch: Scratch,
  out: Lambdas,
): number {
  const [score, label, gainAt] = [0, 1, 2].map(i => scratch.array(i, n)) as [Float64Array, Float64Array, Float64Array];
  const [lambda, bend] = [3, 4].map(i => scratch.array(i, n).fill(0, 0, n)) as [Float64Array, Float64Array];
  for (let r = 0; r < n; r++) {
    const i = order[r]!;
    score[r] = scores[i]!;
    label[r] = labels[i]!;
    gainAt[r] = gain[i]!;
  }
  let pairs = 0;
  for (let a = 0; a < n - 1; a++) {
    const [scoreA, labelA, gainA, upperA, slopeA] = [score[a]!, label[a]!, gainAt[a]!, upper[a]!, slope[a]!];
    let lambdaA = 0;
    let bendA = 0;
    for (let b = a + 1; b < n; b++) {
      const apart = labelA - label[b]!;
      if (!(apart < 0 || apart > 0)) continue; // equal, or one is unjudged
      const weight = Math.abs(norm * (gainAt[b]! - gainA) * (upperA - slopeA * lower[b]!));
      const o = apart > 0 ? scoreA - score[b]! : score[b]! - scoreA;
      const p = 1 / (1 + Math.exp(o));
      const pull = weight * p;
      const own = pull * (1 - p);
      if (pull !== 0) pairs++;
      const signed = apart > 0 ? pull : -pull;
      lambdaA += signed;
      lambda[b]! -= signed;
      bendA += own;
      bend[b]! += own;
    }
    lambda[a]! += lambdaA;
    bend[a]! += bendA;
  }
  for (let r = 0; r < n; r++) {
    out.lambda[order[r]!] = lambda[r]!;
    out.hessian[order[r]!] = bend[r]!;
  }
  return pairs;
}
