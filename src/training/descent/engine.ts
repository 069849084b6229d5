/**
 * The engine of descent: rows of features in one memory, threads over it, and two things it can do: the gradient of a
 * batch of queries, and the values of the selecting data, both step by step. What becomes of the gradient is not its
 * business.
 */
import { type Dataset, sharedFloat64 } from '../../data/dataset.js';
import { blocksOf, partsOf } from '../../data/parts.js';
import { toPortable } from '../../data/portable.js';
import { shareOf } from '../../data/share.js';
import { type NetShape, paddedLayout } from '../../kernels/net-shape.js';
import { aggregate } from '../../measures/evaluate.js';
import { sum } from '../../numeric/vectors.js';
import type { LearnedMemories } from '../../objectives/learning.js';
import type { Objective } from '../../objectives/objective.js';
import type { Portable } from '../../objectives/portable.js';
import { offsetsOfAll } from '../../ranks/deal.js';
import { gatherNumbers } from '../../ranks/gathered.js';
import type { Transport } from '../../ranks/transport.js';
import type { Steps } from '../../steps.js';
import { TaskCrew } from '../../threads/task-crew.js';
import type { EvaluatedMeasures } from '../evaluated-measures.js';
import { type Board, createBoard, roundSteps, setIteration } from './board.js';
import { fillRows } from './fill-rows.js';
import { planMemory } from './memory-plan.js';
import { type RunnerJob, SliceRunner } from './slice-runner.js';
import { type BlockedQueries, blockedQueries, cutBatches, mostSlices } from './slices.js';
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
  /** Those that have other queries, and train the slices of these. */
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
  readonly #queries: BlockedQueries;
  /** The blocks of this rank: from the first on, before the last. */
  readonly #blocks: readonly [number, number];
  /** The epoch's batches, and the slices of each that this rank trains. */
  #batches: readonly Batch[] = [];

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
    this.#queries = parts.queries;
    const { firstQuery } = shareOf(job.data);
    const { blockOf } = parts.queries;
    this.#blocks = [blockOf[firstQuery]!, blockOf[firstQuery + job.data.queries - 1]! + 1];
  }

  static async start(job: EngineJob): Promise<Engine> {
    const { shape, data, validate, objective, measures, ranks } = job;
    const threads = job.portable === undefined || job.batch === 1 ? 1 : Math.max(1, job.threads);
    const offsets = offsetsOfAll(ranks, data);
    const { queries } = shareOf(data);
    const blocks = blocksOf({ offsets, queries });
    const plan = planMemory(shape, data, validate, threads, mostSlices(job.batch, blocks.length));
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
    const evaluatedEnds = partsOf(validate ?? data).map(({ lastQuery }) => lastQuery);
    const board = createBoard(queries, evaluatedEnds);
    const runner = new SliceRunner(memory, runnerJob, 0, data, validate, objective, measures.all);
    // The features are in the shared memory already.
    const sent = { features: false };
    const work = (thread: number): WorkerJob => ({
      memory,
      board,
      job: runnerJob,
      thread,
      data: toPortable(data, sent),
      validate: validate && toPortable(validate, sent),
      portable: job.portable!,
    });
    const crew = TaskCrew.late(new URL('./worker.js', import.meta.url), threads - 1, work);
    await crew.ready;
    return new Engine(job, { runner, runnerJob, board, crew, memory, queries: blockedQueries(offsets, blocks) });
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
    const { batches, blocks } = cutBatches(board.order, this.#queries, this.#job.batch, board.ends);
    const [from, to] = this.#blocks;
    this.#batches = batches.map((end, b) => {
      const first = b === 0 ? 0 : batches[b - 1]!;
      let ownFirst = first;
      while (ownFirst < end && blocks[ownFirst]! < from) ownFirst++;
      let ownEnd = ownFirst;
      while (ownEnd < end && blocks[ownEnd]! < to) ownEnd++;
      return { first, end, ownFirst, ownEnd };
    });
    return batches.length;
  }

  /** The mean over the batch's queries of sum of lambda times d score / d parameter: the direction of ascent. */
  *gradient(batch: number, out: Float64Array): Steps<void> {
    const { first, end, ownFirst, ownEnd } = this.#batches[batch]!;
    const own = ownEnd - ownFirst;
    yield* roundSteps(this.#crew, this.#board, this.#runner, 'train', ownFirst, own);
    const { ends } = this.#board;
    this.#addUp(this.#exchange(own, end - first), ends[end - 1]! - (first === 0 ? 0 : ends[first - 1]!), out);
  }

  /** Gradients of all slices of a batch, in their order: those of this rank, and of the others where there are some. */
  #exchange(own: number, all: number): readonly Float32Array[] {
    const { ranks } = this.#job;
    if (ranks.size === 1) return this.#gradients.slice(0, all);
    const { length } = this.#parameters;
    const sent = new Float32Array(own * length);
    for (let s = 0; s < own; s++) sent.set(this.#gradients[s]!, s * length);
    return ranks.gather(new Uint8Array(sent.buffer)).flatMap(bytes => {
      const received = new Float32Array(bytes.buffer);
      return Array.from({ length: received.length / length }, (_, s) =>
        received.subarray(s * length, (s + 1) * length),
      );
    });
  }

  /** The gradients of the slices, over so many queries. */
  #addUp(gradients: readonly Float32Array[], queries: number, out: Float64Array): void {
    for (let i = 0; i < out.length; i++) {
      const place = this.#place[i]!;
      let sum = 0;
      for (const gradient of gradients) sum += gradient[place]!;
      out[i] = sum / queries;
    }
  }

  /** Values of the training data as its queries were seen in the epoch. */
  epochValues(): { training: number[]; cost: number; pairs: number } {
    const { ranks, measures, followCost } = this.#job;
    const { training, cost, pairs } = this.#runnerJob.queryValues;
    const costs = followCost ? gatherNumbers(ranks, cost) : cost;
    return {
      training: training.map((values, m) => aggregate(measures.all[m]!, gatherNumbers(ranks, values)).mean),
      cost: followCost ? sum(costs) / costs.length : Number.NaN,
      pairs: sum(gatherNumbers(ranks, pairs)),
    };
  }

  /** Values of the selecting data under the present parameters. */
  *evaluate(): Steps<number[]> {
    const { ranks, measures } = this.#job;
    yield* roundSteps(this.#crew, this.#board, this.#runner, 'evaluate', 0, this.#board.evaluatedEnds.length);
    const { validation } = this.#runnerJob.queryValues;
    return validation.map((values, m) => aggregate(measures.all[m]!, gatherNumbers(ranks, values)).mean);
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}

/** Slices first..end, those of this rank among them. */
interface Batch {
  readonly first: number;
  readonly end: number;
  readonly ownFirst: number;
  readonly ownEnd: number;
}

interface EngineParts {
  readonly runner: SliceRunner;
  readonly runnerJob: RunnerJob;
  readonly board: Board;
  readonly crew: TaskCrew;
  readonly memory: WebAssembly.Memory;
  /** Of all ranks. */
  readonly queries: BlockedQueries;
}
