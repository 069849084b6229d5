/**
 * RankNet's first way of training (Burges et al. 2006, section 5, their V1): both documents of every pair go forward and back.
 * Kept for comparison, on the same kernel: its cost grows with the pairs, where one summed force a document grows with documents.
 */
import { ListwiseError } from '../../errors.js';
import type { DenseKernel } from '../../kernels/dense.js';
import { padded } from '../../kernels/net-shape.js';
import type { QueryView } from '../../measures/measure.js';
import type { Objective } from '../../objectives/objective.js';
import { eachPair } from '../../objectives/pairs/pair-forces.js';
import type { PairPlan } from '../../objectives/pairs/pair-plan.js';
import { type MemoryPlan, PAIR_ROWS, type ThreadPlan } from './memory-plan.js';

export class PairPropagation {
  readonly #kernel: DenseKernel;
  readonly #parameters: number;
  readonly #thread: ThreadPlan;
  readonly #pairs: PairPlan;
  readonly #addresses: Uint32Array;
  readonly #list: Uint32Array;
  readonly #scores: Float32Array;
  readonly #lambda: Float32Array;
  /** Documents and weight of the pairs in the list. */
  readonly #documents = new Uint32Array(PAIR_ROWS);
  readonly #weights = new Float64Array(PAIR_ROWS / 2);

  constructor(memory: WebAssembly.Memory, kernel: DenseKernel, plan: MemoryPlan, thread: ThreadPlan, of: Objective) {
    if (of.pairs === undefined) {
      throw new ListwiseError('option-invalid', `propagation=pairs needs an objective made of pairs, found ${of.spec}`);
    }
    this.#pairs = of.pairs;
    this.#kernel = kernel;
    this.#parameters = plan.parameters;
    this.#thread = thread;
    this.#addresses = new Uint32Array(memory.buffer);
    this.#list = new Uint32Array(memory.buffer, thread.list, PAIR_ROWS);
    this.#scores = new Float32Array(memory.buffer, thread.out, PAIR_ROWS);
    this.#lambda = new Float32Array(memory.buffer, thread.lambda, PAIR_ROWS);
  }

  /** Adds the gradient of all pairs of the query shown; `rows` is the address of its rows' addresses. Returns the pairs. */
  propagate(view: QueryView, rows: number, weightOf: (document: number) => number, gradient: number): number {
    let held = 0;
    let pairs = 0;
    const flush = () => {
      this.#flush(held, weightOf, gradient);
      pairs += held;
      held = 0;
    };
    eachPair(this.#pairs, view, (better, worse, weight) => {
      this.#documents[2 * held] = better;
      this.#documents[2 * held + 1] = worse;
      this.#list[2 * held] = this.#addresses[rows / 4 + better]!;
      this.#list[2 * held + 1] = this.#addresses[rows / 4 + worse]!;
      this.#weights[held++] = weight;
      if (2 * held === PAIR_ROWS) flush();
    });
    if (held > 0) flush();
    return pairs;
  }

  #flush(held: number, weightOf: (document: number) => number, gradient: number): void {
    const n4 = padded(2 * held);
    // Padding repeats the first row, without a force.
    this.#list.fill(this.#list[0]!, 2 * held, n4);
    this.#kernel.forward(this.#parameters, this.#thread.list, n4, this.#thread.out);
    this.#lambda.fill(0, 2 * held, n4);
    for (let p = 0; p < held; p++) {
      const force = this.#weights[p]! * this.#pairs.factor.force(this.#scores[2 * p]! - this.#scores[2 * p + 1]!);
      this.#lambda[2 * p] = force * weightOf(this.#documents[2 * p]!);
      this.#lambda[2 * p + 1] = -force * weightOf(this.#documents[2 * p + 1]!);
    }
    this.#kernel.backward(this.#parameters, this.#thread.list, n4, this.#thread.lambda, gradient);
  }
}
