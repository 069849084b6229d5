/** The work of one thread on one slice: score its queries, ask the objective for lambdas, propagate them back. */
import type { Dataset } from '../../data/dataset.js';
import { shareOf } from '../../data/share.js';
import { DenseKernel } from '../../kernels/dense.js';
import { type NetShape, padded } from '../../kernels/net-shape.js';
import { countedValue, valueSteps } from '../../measures/evaluate.js';
import type { Measure } from '../../measures/measure.js';
import { DatasetView } from '../../measures/query-view.js';
import { startFinite } from '../../objectives/finite-lambdas.js';
import type { LearnedMemories } from '../../objectives/learning.js';
import { costSteps, type Lambdas, type Objective, type ObjectiveRun } from '../../objectives/objective.js';
import type { Steps } from '../../steps.js';
import type { MemoryPlan, RowsPlan } from './memory-plan.js';
import { PairPropagation } from './pair-propagation.js';

/** Of each query, in memory that threads share: [measure][query] (training: the first ones), and one value a query. */
export interface QueryValues {
  readonly training: readonly Float64Array[];
  readonly validation: readonly Float64Array[];
  readonly cost: Float64Array;
  readonly pairs: Float64Array;
}

export interface RunnerJob {
  readonly shape: NetShape;
  readonly plan: MemoryPlan;
  readonly queryValues: QueryValues;
  readonly propagation: 'documents' | 'pairs';
  readonly followCost: boolean;
  /** What the objective learns for itself. */
  readonly learned?: LearnedMemories | undefined;
}

/** A data set with its rows in the memory. */
interface Placed {
  readonly data: Dataset;
  readonly rows: RowsPlan;
  readonly view: DatasetView;
  readonly scores: Float32Array;
}

/** Documents that are evaluated between two steps, at least. */
const ROWS_A_STEP = 256;

export class SliceRunner {
  readonly #job: RunnerJob;
  readonly #kernel: DenseKernel;
  readonly #measures: readonly Measure[];
  readonly #run: ObjectiveRun;
  readonly #training: Placed;
  readonly #validation: Placed | undefined;
  readonly #out: Float32Array;
  readonly #lambda: Float32Array;
  readonly #lambdas: Lambdas;
  readonly #bytes: Uint8Array;
  readonly #pairs: PairPropagation | undefined;
  readonly #thread: MemoryPlan['threads'][number];
  #iteration = 0;

  constructor(
    memory: WebAssembly.Memory,
    job: RunnerJob,
    thread: number,
    data: Dataset,
    validate: Dataset | undefined,
    objective: Objective,
    measures: readonly Measure[],
  ) {
    const { plan } = job;
    this.#job = job;
    this.#measures = measures;
    this.#run = startFinite(objective, data, job.learned);
    this.#thread = plan.threads[thread]!;
    this.#kernel = new DenseKernel(memory, job.shape, this.#thread.scratch, plan.capacity);
    const place = (set: Dataset, rows: RowsPlan): Placed => ({
      data: set,
      rows,
      view: new DatasetView(set),
      scores: new Float32Array(memory.buffer, rows.scores, set.rows),
    });
    this.#training = place(data, plan.training);
    this.#validation = validate && plan.validation && place(validate, plan.validation);
    this.#out = new Float32Array(memory.buffer, this.#thread.out, plan.capacity);
    this.#lambda = new Float32Array(memory.buffer, this.#thread.lambda, plan.capacity);
    this.#bytes = new Uint8Array(memory.buffer);
    this.#lambdas = { lambda: new Float64Array(plan.capacity), hessian: new Float64Array(plan.capacity) };
    this.#pairs =
      job.propagation === 'pairs'
        ? new PairPropagation(memory, this.#kernel, job.plan, this.#thread, objective)
        : undefined;
  }

  /** May be called again for the same iteration. */
  beginIteration(iteration: number): void {
    if (iteration === this.#iteration) return;
    this.#iteration = iteration;
    this.#run.beginIteration?.(iteration);
    this.#pairs?.beginIteration(iteration);
  }

  /** Adds up the gradient of some training queries of this rank, order[from..to), in a cleared gradient buffer. */
  *train(order: Uint32Array, from: number, to: number, slice: number): Steps<void> {
    const { plan, queryValues, followCost } = this.#job;
    const gradient = plan.gradients[slice]!;
    this.#bytes.fill(0, gradient, gradient + 4 * this.#kernel.layout.size);
    const { view, data, rows } = this.#training;
    const { firstQuery } = shareOf(data);
    for (let i = from; i < to; i++) {
      if (i > from) yield (i - from) / (to - from);
      const q = order[i]! - firstQuery;
      this.#show(this.#training, q);
      yield* this.#evaluate(view, q, queryValues.training);
      if (followCost) queryValues.cost[q] = yield* costSteps(this.#run, view);
      const list = rows.list + 4 * rows.starts[q]!;
      if (this.#pairs !== undefined) {
        queryValues.pairs[q] = yield* this.#pairs.propagate(view, list, weightsOf(data, q), gradient);
        continue;
      }
      // Steps only where they are worth their cost: small queries take microseconds.
      queryValues.pairs[q] = this.#run.lambdaSteps
        ? yield* this.#run.lambdaSteps(view, this.#lambdas)
        : this.#run.lambdas(view, this.#lambdas);
      const n4 = this.#weighLambdas(data, q, view.n);
      this.#kernel.backward(plan.parameters, list, n4, this.#thread.lambda, gradient);
    }
  }

  /** Evaluates some queries of the validation data, or of the training data where there is none. */
  *evaluate(from: number, to: number): Steps<void> {
    const placed = this.#validation ?? this.#training;
    const { offsets } = placed.data;
    let next = offsets[from]! + ROWS_A_STEP;
    for (let q = from; q < to; q++) {
      if (offsets[q]! >= next) {
        next = offsets[q]! + ROWS_A_STEP;
        yield (q - from) / (to - from);
      }
      this.#show(placed, q);
      yield* this.#evaluate(placed.view, q, this.#job.queryValues.validation);
    }
  }

  #show({ data, rows, scores, view }: Placed, q: number): void {
    const start = data.offsets[q]!;
    const n = data.offsets[q + 1]! - start;
    const { parameters } = this.#job.plan;
    this.#kernel.forward(parameters, rows.list + 4 * rows.starts[q]!, padded(n), this.#thread.out);
    scores.set(this.#out.subarray(0, n), start);
    view.moveTo(q, scores);
  }

  *#evaluate(view: DatasetView, q: number, byMeasure: readonly Float64Array[]): Steps<void> {
    for (const [m, values] of byMeasure.entries()) {
      const measure = this.#measures[m]!;
      values[q] = countedValue(measure, yield* valueSteps(measure, view));
    }
  }

  /** Lambdas times weights as float32, zero in the padding. Returns the padded number of rows. */
  #weighLambdas(data: Dataset, q: number, n: number): number {
    const { lambda } = this.#lambdas;
    const n4 = padded(n);
    const start = data.offsets[q]!;
    const queryWeight = data.queryWeights?.[q] ?? 1;
    for (let i = 0; i < n; i++) this.#lambda[i] = lambda[i]! * queryWeight * (data.rowWeights?.[start + i] ?? 1);
    this.#lambda.fill(0, n, n4);
    return n4;
  }
}

function weightsOf(data: Dataset, q: number): (document: number) => number {
  const start = data.offsets[q]!;
  const queryWeight = data.queryWeights?.[q] ?? 1;
  return document => queryWeight * (data.rowWeights?.[start + document] ?? 1);
}
