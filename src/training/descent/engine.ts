/**
 * The engine of descent: rows of features in one memory, threads over it, and two things it can do: the gradient of a
 * batch of queries, and the values of the selecting data, both step by step. What becomes of the gradient is not its
 * business.
 */
import { type Dataset, sharedFloat64 } from '../../data/dataset.js';
import { toPortable } from '../../data/portable.js';
import { type NetShape, paddedLayout } from '../../kernels/net-shape.js';
import { aggregate } from '../../measures/evaluate.js';
import { sum } from '../../numeric/vectors.js';
import type { LearnedMemories } from '../../objectives/learning.js';
import type { Objective } from '../../objectives/objective.js';
import type { Portable } from '../../objectives/portable.js';
import { gatherValues } from '../../ranks/gathered.js';
import type { Transport } from '../../ranks/transport.js';
import type { Steps } from '../../steps.js';
import { TaskCrew } from '../../threads/task-crew.js';
import type { EvaluatedMeasures } from '../evaluated-measures.js';
import { type Board, createBoard, ownSlices, roundSteps, setIteration } from './board.js';
import { fillRows } from './fill-rows.js';
import { planMemory } from './memory-plan.js';
import { type RunnerJob, SliceRunner } from './slice-runner.js';
import { cutBatches, MOST_SLICES } from './slices.js';
import type { Standardisation } from './standardise.js';
import type { WorkerJob } from './worker.js';

export interface EngineJob {
  readonly shape: NetShape;
  readonly data: Dataset;
  readonly validate: Dataset | undefined;
  readonly standardisation: Standardisation;
  readonly objective: Objective;
  readonly measures: EvaluatedMeasures;
  /** Objective and measures for other threads; absent where there can be none. */
  readonly portable: Portable | undefined;
  readonly threads: number;
  /** Those that train other slices; each has all data. */
  readonly ranks: Transport;
  /** Queries to an update. */
  readonly batch: number;
  readonly propagation: 'documents' | 'pairs';
  readonly followCost: boolean;
  /** What the objective learns for itself. */
  readonly learned?: LearnedMemories | undefined;
}

export class Engine {
  readonly #job: EngineJob;
  readonly #runner: SliceRunner;
  readonly #runnerJob: RunnerJob;
  readonly #board: Board;
  readonly #crew: TaskCrew;
  readonly #place: Uint32Array;
  readonly #parameters: Float32Array;
  readonly #gradients: readonly Float32Array[];
  /** Ends of the epoch's batches, in slices. */
  #batches: readonly number[] = [];
  readonly #evaluatedSlices: number;

  private constructor(job: EngineJob, parts: EngineParts) {
    this.#job = job;
    this.#runner = parts.runner;
    this.#runnerJob = parts.runnerJob;
    this.#board = parts.board;
    this.#crew = parts.crew;
    const { size, place } = paddedLayout(job.shape);
    const { plan } = parts.runnerJob;
    this.#place = place;
    this.#parameters = new Float32Array(parts.memory.buffer, plan.parameters, size);
    this.#gradients = plan.gradients.map(address => new Float32Array(parts.memory.buffer, address, size));
    const evaluated = job.validate ?? job.data;
    const inOrder = Uint32Array.from({ length: evaluated.queries }, (_, q) => q);
    this.#evaluatedSlices = cutBatches(inOrder, evaluated.offsets, evaluated.queries, parts.board.evaluatedEnds)
      .batches[0]!;
  }

  static async start(job: EngineJob): Promise<Engine> {
    const { shape, data, validate, objective, measures } = job;
    const threads = threadsThatPay(job);
    const plan = planMemory(shape, data, validate, threads, Math.min(MOST_SLICES, job.batch));
    const memory = new WebAssembly.Memory({ initial: plan.pages, maximum: plan.pages, shared: true });
    const columns = Int32Array.from({ length: shape.inputs }, (_, f) => f);
    fillRows(memory, plan.training, data, columns, job.standardisation);
    if (validate && plan.validation) {
      fillRows(memory, plan.validation, validate, columns, job.standardisation);
    }
    const evaluated = (validate ?? data).queries;
    const runnerJob: RunnerJob = {
      shape,
      plan,
      propagation: job.propagation,
      followCost: job.followCost,
      learned: job.learned,
      queryValues: {
        training: measures.all.slice(0, measures.selecting).map(() => sharedFloat64(data.queries)),
        validation: measures.all.map(() => sharedFloat64(evaluated)),
        cost: sharedFloat64(data.queries),
        pairs: sharedFloat64(data.queries),
      },
    };
    const board = createBoard(data.queries, evaluated, job.ranks);
    const runner = new SliceRunner(memory, runnerJob, 0, data, validate, objective, measures.all);
    // The features are in the shared memory already.
    const sent = { features: false };
    const works = Array.from(
      { length: threads - 1 },
      (_, i): WorkerJob => ({
        memory,
        board,
        job: runnerJob,
        thread: i + 1,
        data: toPortable(data, sent),
        validate: validate && toPortable(validate, sent),
        portable: job.portable!,
      }),
    );
    const crew = await TaskCrew.start(new URL('./worker.js', import.meta.url), works);
    return new Engine(job, { runner, runnerJob, board, crew, memory });
  }

  /** Threads at work, the calling one included. */
  get threads(): number {
    return this.#crew.threads;
  }

  /** Puts parameters, in the order of net-shape.ts, before the kernel. */
  write(parameters: Float64Array): void {
    for (let i = 0; i < parameters.length; i++) this.#parameters[this.#place[i]!] = parameters[i]!;
  }

  /** Sets the queries' order for an epoch; returns the number of its batches. */
  beginEpoch(iteration: number, order: Uint32Array): number {
    const board = this.#board;
    board.order.set(order);
    setIteration(board, iteration);
    this.#batches = cutBatches(order, this.#job.data.offsets, this.#job.batch, board.ends).batches;
    return this.#batches.length;
  }

  /** The mean over the batch's queries of sum of lambda times d score / d parameter: the direction of ascent. */
  *gradient(batch: number, out: Float64Array): Steps<void> {
    const first = batch === 0 ? 0 : this.#batches[batch - 1]!;
    const end = this.#batches[batch]!;
    yield* roundSteps(this.#crew, this.#board, this.#runner, 'train', first, ownSlices(this.#board, end - first));
    this.#exchange(first, end);
    this.#addUp(first, end, out);
  }

  /** Gradients and values of the slices from `first` to `end`, from the ranks that trained them. */
  #exchange(first: number, end: number): void {
    const { ranks } = this.#job;
    if (ranks.size === 1) return;
    const { order, ends } = this.#board;
    const { training, cost, pairs } = this.#runnerJob.queryValues;
    const byQuery = [...training, cost, pairs];
    const slicesOf = (rank: number) =>
      Array.from({ length: end - first }, (_, s) => s).filter(s => s % ranks.size === rank);
    const queriesOf = (slice: number) => order.subarray(slice === 0 ? 0 : ends[slice - 1]!, ends[slice]!);
    const own = slicesOf(ranks.rank).map(s => ({
      gradient: new Float32Array(this.#gradients[s]!),
      values: byQuery.map(values => Float64Array.from(queriesOf(first + s), q => values[q]!)),
    }));
    gatherValues(ranks, own).forEach((slices, rank) => {
      slicesOf(rank).forEach((s, i) => {
        const { gradient, values } = slices[i]!;
        this.#gradients[s]!.set(gradient);
        queriesOf(first + s).forEach((q, k) => {
          byQuery.forEach((to, v) => {
            to[q] = values[v]![k]!;
          });
        });
      });
    });
  }

  /** The gradients of the slices from `first` to `end`, over their queries. */
  #addUp(first: number, end: number, out: Float64Array): void {
    const queries = this.#board.ends[end - 1]! - (first === 0 ? 0 : this.#board.ends[first - 1]!);
    for (let i = 0; i < out.length; i++) {
      const place = this.#place[i]!;
      let sum = 0;
      for (let s = 0; s < end - first; s++) sum += this.#gradients[s]![place]!;
      out[i] = sum / queries;
    }
  }

  /** Values of the training data as its queries were seen in the epoch. */
  epochValues(): { training: number[]; cost: number; pairs: number } {
    const { training, cost, pairs } = this.#runnerJob.queryValues;
    return {
      training: training.map((values, m) => aggregate(this.#job.measures.all[m]!, values).mean),
      cost: this.#job.followCost ? sum(cost) / cost.length : Number.NaN,
      pairs: sum(pairs),
    };
  }

  /** Values of the selecting data under the present parameters. */
  *evaluate(): Steps<number[]> {
    yield* roundSteps(this.#crew, this.#board, this.#runner, 'evaluate', 0, this.#evaluatedSlices);
    const { validation } = this.#runnerJob.queryValues;
    return validation.map((values, m) => aggregate(this.#job.measures.all[m]!, values).mean);
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}

interface EngineParts {
  readonly runner: SliceRunner;
  readonly runnerJob: RunnerJob;
  readonly board: Board;
  readonly crew: TaskCrew;
  readonly memory: WebAssembly.Memory;
}

/** A thread takes a twentieth of a second to start: less work an epoch than this is done by one alone. */
const WORTHWHILE_WORK = 2e7;

function threadsThatPay({ portable, threads, data, shape, batch }: EngineJob): number {
  if (portable === undefined || batch === 1) return 1;
  return data.rows * paddedLayout(shape).size < WORTHWHILE_WORK ? 1 : Math.max(1, threads);
}
