/** Objectives that compare two distributions over the documents of a query: a target, and the softmax of the scores. */
import type { QueryView } from '../measures/measure.js';
import type { ObjectiveBody, ObjectiveRun } from './objective.js';
import { Scratch } from './scratch.js';

/** Overwrites values[0..n) with e^value over their sum, NaN with 0; returns the logarithm of the sum. */
export function softmax(values: Float64Array, n: number): number {
  let max = -Infinity;
  for (let i = 0; i < n; i++) if (values[i]! > max) max = values[i]!;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    values[i] = Number.isNaN(values[i]) ? 0 : Math.exp(values[i]! - max);
    sum += values[i]!;
  }
  for (let i = 0; i < n; i++) values[i]! /= sum;
  return max + Math.log(sum);
}

/**
 * Cost -sum target_i log softmax(s)_i over the documents with a label, with targets that sum to 1: the lambda is
 * target - softmax, the hessian softmax (1 - softmax). `fill` writes the targets and returns whether the query has any.
 */
export function crossEntropy(
  source: string,
  fill: (view: QueryView, target: Float64Array, iteration: number) => boolean,
): ObjectiveBody {
  return {
    hessian: 'positive',
    start(): ObjectiveRun {
      const scratch = new Scratch();
      let iteration = 1;
      /** The scores of labelled documents, NaN for the others. */
      const chances = (view: QueryView) => {
        const labels = view.labels(source);
        const scores = scratch.array(0, view.n);
        for (let i = 0; i < view.n; i++) scores[i] = Number.isNaN(labels[i]) ? Number.NaN : view.scores[i]!;
        return scores;
      };
      return {
        beginIteration(m) {
          iteration = m;
        },
        lambdas(view, { lambda, hessian }) {
          const { n } = view;
          lambda.fill(0, 0, n);
          hessian.fill(0, 0, n);
          const target = scratch.array(1, n);
          if (!fill(view, target, iteration)) return 0;
          const chance = chances(view);
          softmax(chance, n);
          let moved = 0;
          for (let i = 0; i < n; i++) {
            lambda[i] = target[i]! - chance[i]!;
            hessian[i] = chance[i]! * (1 - chance[i]!);
            if (lambda[i] !== 0) moved++;
          }
          return moved;
        },
        cost(view) {
          const target = scratch.array(1, view.n);
          if (!fill(view, target, iteration)) return 0;
          const logSum = softmax(chances(view), view.n);
          let cost = 0;
          for (let i = 0; i < view.n; i++) {
            if (target[i] !== 0) cost += target[i]! * (logSum - view.scores[i]!);
          }
          return cost;
        },
      };
    },
  };
}
