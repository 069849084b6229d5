import { ListwiseError, quote } from '../../errors.js';
import type { QueryView } from '../../measures/measure.js';
import { numberParameter } from '../../spec/parameters.js';
import { atOnce, LOOKS_A_STEP, type Steps } from '../../steps.js';
import { defineObjective, type Lambdas, type ObjectiveBody } from '../objective.js';
import { crossEntropy, softmax } from '../softmax.js';

export const listnet = defineObjective({
  name: 'listnet',
  title: 'ListNet',
  description:
    'Cross entropy between two distributions over which documents come first, by labels and by scores, over the documents with a label. With k = 1: -sum over documents of softmax(labels) log softmax(scores). With k > 1 over the first k in their order, which takes n^k steps for n documents.',
  citation: 'Cao, Qin, Liu, Tsai, Li 2007',
  operands: 'none',
  parameters: {
    k: numberParameter({
      default: 1,
      min: 1,
      max: 5,
      integer: true,
      description: 'How many documents of the top are looked at.',
    }),
  },
  create: ({ k }, { labels }) =>
    k > 1
      ? topDocuments(labels, k)
      : crossEntropy(labels, (view, target) => {
          target.set(view.labels(labels).subarray(0, view.n));
          return Number.isFinite(softmax(target, view.n));
        }),
});

/** n^k, beyond which a query takes minutes. */
const MOST_STEPS = 1e9;

/**
 * The chance of a top k is that of its first document times that of the second among the rest, and so on: the cross
 * entropy is a sum over all ways to begin, each times its chance by the labels, of the cross entropy of the next.
 */
function topDocuments(source: string, k: number): ObjectiveBody {
  /**
   * Calls `visit` with every way to begin, its chance, and the chances of the next document by labels and by scores.
   */
  function* beginnings(view: QueryView): Generator<Beginning, void, void> {
    const labels = view.labels(source);
    const rest: number[] = [];
    for (let i = 0; i < view.n; i++) if (!Number.isNaN(labels[i])) rest.push(i);
    if (rest.length ** k > MOST_STEPS) {
      throw new ListwiseError(
        'data-too-large',
        `listnet(k=${k}) takes n^k steps for n documents, too many for the ${rest.length} of a query; take a smaller k than ${quote(String(k))}`,
      );
    }
    yield* after(view, labels, rest, 1, k);
  }
  /** Visits every way to begin; documents that were looked at say when signals may come through. */
  function* each(view: QueryView, visit: (beginning: Beginning) => void): Steps<void> {
    let looks = 0;
    for (const beginning of beginnings(view)) {
      visit(beginning);
      looks += beginning.rest.length;
      if (looks < LOOKS_A_STEP) continue;
      looks = 0;
      yield 0;
    }
  }
  function* lambdaSteps(view: QueryView, { lambda, hessian }: Lambdas): Steps<number> {
    lambda.fill(0, 0, view.n);
    hessian.fill(0, 0, view.n);
    yield* each(view, ({ chance, rest, target, found }) => {
      for (const [r, i] of rest.entries()) {
        lambda[i]! += chance * (target[r]! - found[r]!);
        hessian[i]! += chance * found[r]! * (1 - found[r]!);
      }
    });
    let moved = 0;
    for (let i = 0; i < view.n; i++) if (lambda[i] !== 0) moved++;
    return moved;
  }
  function* costSteps(view: QueryView): Steps<number> {
    let cost = 0;
    yield* each(view, ({ chance, rest, target, logSum }) => {
      for (const [r, i] of rest.entries()) cost += chance * target[r]! * (logSum - view.scores[i]!);
    });
    return cost;
  }
  return {
    hessian: 'positive',
    start: () => ({
      lambdas: (view, out) => atOnce(lambdaSteps(view, out)),
      lambdaSteps,
      cost: view => atOnce(costSteps(view)),
      costSteps,
    }),
  };
}

interface Beginning {
  readonly chance: number;
  /** Documents that did not come yet, and the chances of each to be the next. */
  readonly rest: readonly number[];
  readonly target: Float64Array;
  readonly found: Float64Array;
  /** The logarithm of the sum of e^score over the rest. */
  readonly logSum: number;
}

function* after(
  view: QueryView,
  labels: Float64Array,
  rest: readonly number[],
  chance: number,
  k: number,
): Generator<Beginning, void, void> {
  const target = Float64Array.from(rest, i => labels[i]!);
  const found = Float64Array.from(rest, i => view.scores[i]!);
  softmax(target, rest.length);
  const logSum = softmax(found, rest.length);
  yield { chance, rest, target, found, logSum };
  if (k === 1) return;
  for (const [r, next] of rest.entries()) {
    const others = rest.filter(i => i !== next);
    if (others.length > 0) yield* after(view, labels, others, chance * target[r]!, k - 1);
  }
}
