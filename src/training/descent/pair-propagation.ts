/**
 * RankNet's first way of training (Burges et al. 2006, section 5, their V1): both documents of every pair go forward
 * and back. Kept for comparison, on the same kernel: its cost grows with the pairs, where one summed lambda a document
 * grows with documents.
 */
import { ListwiseError } from '../../errors.js';
import type { DenseKernel } from '../../kernels/dense.js';
import { padded } from '../../kernels/net-shape.js';
import type { QueryView } from '../../measures/measure.js';
import { pairSum, type WeightedPairs } from '../../objectives/form.js';
import type { Objective } from '../../objectives/objective.js';
import type { PairFactor } from '../../objectives/pairs/pair-factor.js';
import { pairSteps } from '../../objectives/pairs/pair-lambdas.reference.js';
import type { Steps } from '../../steps.js';
import { type MemoryPlan, PAIR_ROWS, type ThreadPlan } from './memory-plan.js';

export class PairPropagation {
  readonly #kernel: DenseKernel;
  readonly #parameters: number;
  readonly #thread: ThreadPlan;
  readonly #objective: Objective;
  #pairs: readonly WeightedPairs[] = [];
  readonly #addresses: Uint32Array;
  readonly #list: Uint32Array;
  readonly #scores: Float32Array;
  readonly #lambda: Float32Array;
  /** Documents and weight of the pairs in the list. */
  readonly #documents = new Uint32Array(PAIR_ROWS);
  readonly #weights = new Float64Array(PAIR_ROWS / 2);

  constructor(memory: WebAssembly.Memory, kernel: DenseKernel, plan: MemoryPlan, thread: ThreadPlan, of: Objective) {
    this.#objective = of;
    this.beginIteration(1);
    this.#kernel = kernel;
    this.#parameters = plan.parameters;
    this.#thread = thread;
    this.#addresses = new Uint32Array(memory.buffer);
    this.#list = new Uint32Array(memory.buffer, thread.list, PAIR_ROWS);
    this.#scores = new Float32Array(memory.buffer, thread.out, PAIR_ROWS);
    this.#lambda = new Float32Array(memory.buffer, thread.lambda, PAIR_ROWS);
  }

  /** Weights of the parts of an objective may change with the iteration. */
  beginIteration(iteration: number): void {
    const pairs = pairSum(this.#objective, iteration);
    if (pairs === undefined) {
      throw new ListwiseError(
        'option-invalid',
        `propagation=pairs needs an objective whose lambdas are a sum over pairs, found ${this.#objective.spec}`,
      );
    }
    this.#pairs = pairs.filter(({ weight }) => weight !== 0);
  }

  /**
   * Adds the gradient of all pairs of the query shown; `rows` is the address of its rows' addresses. Returns the pairs.
   */
  *propagate(view: QueryView, rows: number, weightOf: (document: number) => number, gradient: number): Steps<number> {
    let pairs = 0;
    for (const { plan, weight: share } of this.#pairs) {
      let held = 0;
      const flush = () => {
        this.#flush(held, plan.factor, weightOf, gradient);
        pairs += held;
        held = 0;
      };
      yield* pairSteps(plan, view, (better, worse, weight) => {
        this.#documents[2 * held] = better;
        this.#documents[2 * held + 1] = worse;
        this.#list[2 * held] = this.#addresses[rows / 4 + better]!;
        this.#list[2 * held + 1] = this.#addresses[rows / 4 + worse]!;
        this.#weights[held++] = share * weight;
        if (2 * held === PAIR_ROWS) flush();
      });
      if (held > 0) flush();
    }
    return pairs;
  }

  #flush(held: number, factor: PairFactor, weightOf: (document: number) => number, gradient: number): void {
    const n4 = padded(2 * held);
    // Padding repeats the first row, without a lambda.
    this.#list.fill(this.#list[0]!, 2 * held, n4);
    this.#kernel.forward(this.#parameters, this.#thread.list, n4, this.#thread.out);
    this.#lambda.fill(0, 2 * held, n4);
    for (let p = 0; p < held; p++) {
      const lambda = this.#weights[p]! * factor.lambda(this.#scores[2 * p]! - this.#scores[2 * p + 1]!);
      this.#lambda[2 * p] = lambda * weightOf(this.#documents[2 * p]!);
      this.#lambda[2 * p + 1] = -lambda * weightOf(this.#documents[2 * p + 1]!);
    }
    this.#kernel.backward(this.#parameters, this.#thread.list, n4, this.#thread.lambda, gradient);
  }
}
