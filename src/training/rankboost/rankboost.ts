/** The trainer by RankBoost (Freund, Iyer, Schapire, Singer 2003): stumps that put pairs of documents in order. */
import { type Dataset, sharedFloat32, sharedFloat64 } from '../../data/dataset.js';
import { partsOf } from '../../data/parts.js';
import { toPortable } from '../../data/portable.js';
import { ListwiseError } from '../../errors.js';
import { BINS } from '../../kernels/layouts/boosting.js';
import { scoreData } from '../../models/ranker.js';
import { LARGEST_THRESHOLD, type Tree, TreesModel } from '../../models/trees/trees.js';
import type { Steps } from '../../steps.js';
import { TaskCrew } from '../../threads/task-crew.js';
import { evaluateModel } from '../evaluate-model.js';
import type { Evaluation, Learner, StepRecord } from '../learner.js';
import { refuseConstant } from '../linear/seen-data.js';
import { defineTrainer, type TrainJob } from '../trainer.js';
import { type RankboostOptions, rankboostOptions } from './options.js';
import {
  type RankboostMemory,
  type RankboostWork,
  rankboostTasks,
  type TaskKind,
  taskKinds,
} from './rankboost-tasks.js';
import { weightOf } from './weak-ranker.js';

export const rankboost = defineTrainer({
  name: 'rankboost',
  title: 'RankBoost: stumps boosted to put pairs of documents in order.',
  needs: 'none',
  makes: 'trees',
  options: rankboostOptions,
  iterations: 'rounds',
  async start(job, { threads }) {
    const { data, options } = job;
    const memory = createMemory(data);
    const work: RankboostWork = { memory, data: toPortable(data), labels: options.labels, most: options.bins };
    const others = Math.min(threads, Math.max(memory.parts.length, data.features)) - 1;
    const crew = await TaskCrew.start(new URL('./rankboost-tasks.js', import.meta.url), Array(others).fill(work));
    try {
      return new RankboostLearner(job, memory, crew);
    } catch (error) {
      await crew.close();
      throw error;
    }
  },
});

function createMemory(data: Dataset): RankboostMemory {
  const { rows, queries, features } = data;
  return {
    parts: partsOf(data),
    bins: data.featureNames.map(() => new Uint8Array(new SharedArrayBuffer(rows))),
    edges: data.featureNames.map(() => sharedFloat32(BINS)),
    binCounts: new Uint32Array(new SharedArrayBuffer(4 * features)),
    scores: sharedFloat64(rows),
    potentials: sharedFloat64(rows),
    pairs: sharedFloat64(queries),
    weights: sharedFloat64(queries),
    totals: sharedFloat64(queries),
    found: sharedFloat64(3 * features),
    stump: sharedFloat64(4),
  };
}

/** What is left to gain where no ranker is better than this is rounding. */
const LEAST_R = 1e-12;

interface Stump {
  readonly feature: number;
  readonly bin: number;
  readonly missingLeft: boolean;
  readonly r: number;
  readonly alpha: number;
}

/** The parts are the number of stumps. */
class RankboostLearner implements Learner<readonly Stump[], number> {
  readonly keeps = 'best';
  readonly #job: TrainJob<RankboostOptions>;
  readonly #memory: RankboostMemory;
  readonly #crew: TaskCrew;
  readonly #run: (kind: number, task: number) => void;
  readonly #from: TreesModel | undefined;
  readonly #stumps: Stump[] = [];
  readonly #trees: Tree[] = [];
  #pairs: number;
  /** The share of misordered pairs is at most this: the product of the normalisations so far. */
  #bound = 1;

  constructor(job: TrainJob<RankboostOptions>, memory: RankboostMemory, crew: TaskCrew) {
    const { data, options } = job;
    this.#job = job;
    this.#memory = memory;
    this.#crew = crew;
    this.#run = rankboostTasks(data, options.labels, options.bins, memory);
    this.#from = job.from instanceof TreesModel ? job.from : undefined;
    if (this.#from !== undefined) memory.scores.set(scoreData(this.#from, data));
    crew.play(this.#run, taskKinds.indexOf('bin'), data.features);
    refuseConstant(Array.from(memory.binCounts, (bins, f) => bins > 1 || data.column(f).some(Number.isNaN)));
    crew.play(this.#run, taskKinds.indexOf('pairs'), memory.parts.length);
    this.#pairs = this.#weigh();
    crew.play(this.#run, taskKinds.indexOf('potentials'), memory.parts.length);
  }

  /** The weight of each pair at the start; those of all pairs add up to 1. */
  #weigh(): number {
    const { data, options } = this.#job;
    const { pairs, weights } = this.#memory;
    const total = pairs.reduce((sum, count) => sum + count, 0);
    if (total === 0) {
      throw new ListwiseError(
        'training-without-lambda',
        `rankboost finds nothing to learn: in no query do two documents have different labels (${options.labels})`,
      );
    }
    let sum = 0;
    for (let q = 0; q < pairs.length; q++) {
      if (pairs[q] === 0) continue;
      weights[q] = (data.queryWeights?.[q] ?? 1) / (options.weights === 'queries' ? pairs[q]! : 1);
      sum += weights[q]! * pairs[q]!;
    }
    for (let q = 0; q < weights.length; q++) weights[q]! /= sum;
    return total;
  }

  *#play(kind: TaskKind, count: number): Steps<void> {
    const run = this.#run;
    yield* this.#crew.steps(
      function* (number, task) {
        run(number, task);
        yield 1;
      },
      taskKinds.indexOf(kind),
      count,
    );
  }

  *step(_: number): Steps<StepRecord> {
    const { totals, parts } = this.#memory;
    const total = totals.reduce((sum, own) => sum + own, 0);
    const stump = yield* this.#best(total);
    if (Math.abs(stump.r) < LEAST_R) {
      return { pairs: this.#pairs, rate: 0, facts: { r: 0, z: 1, bound: this.#bound }, last: true };
    }
    this.#add(stump);
    this.#show(stump);
    yield* this.#play('potentials', parts.length);
    const after = totals.reduce((sum, own) => sum + own, 0);
    this.#bound = after;
    return {
      pairs: this.#pairs,
      rate: stump.alpha,
      cost: after,
      facts: { r: stump.r, z: after / total, bound: after },
    };
  }

  *#best(total: number): Steps<Stump> {
    const { found } = this.#memory;
    yield* this.#play('threshold', this.#job.data.features);
    let best = 0;
    for (let f = 1; f < found.length / 3; f++) {
      if (Math.abs(found[3 * f + 2]!) > Math.abs(found[3 * best + 2]!)) best = f;
    }
    const [bin, missingLeft, sum] = found.subarray(3 * best, 3 * best + 3);
    const r = sum! / total;
    return { feature: best, bin: bin!, missingLeft: missingLeft === 1, r, alpha: weightOf(r) };
  }

  #show({ feature, bin, missingLeft, alpha }: Stump): void {
    this.#memory.stump.set([feature, bin, Number(missingLeft), alpha]);
  }

  #add(stump: Stump): void {
    const { edges, binCounts } = this.#memory;
    const { feature, bin, missingLeft, r, alpha } = stump;
    const last = bin === binCounts[feature]! - 1;
    this.#stumps.push(stump);
    this.#trees.push({
      feature: Int32Array.of(feature),
      threshold: Float32Array.of(last ? LARGEST_THRESHOLD : edges[feature]![bin]!),
      missingLeft: Uint8Array.of(Number(missingLeft)),
      left: Int32Array.of(-1),
      right: Int32Array.of(-2),
      value: Float64Array.of(0, alpha),
      gain: Float64Array.of(Math.abs(r)),
      documents: Float64Array.of(this.#job.data.rows),
    });
  }

  evaluate(): Steps<Evaluation> {
    return evaluateModel(this.#job, this.model(this.#trees.length));
  }

  snapshot(): readonly Stump[] {
    return this.#stumps.slice();
  }

  restore(stumps: readonly Stump[]): void {
    for (const stump of stumps) {
      this.#add(stump);
      this.#show(stump);
      this.#crew.play(this.#run, taskKinds.indexOf('potentials'), this.#memory.parts.length);
    }
    this.#bound = this.#memory.totals.reduce((sum, own) => sum + own, 0);
  }

  parts(): number {
    return this.#trees.length;
  }

  model(stumps: number): TreesModel {
    const from = this.#from;
    return new TreesModel({
      featureNames: this.#job.data.featureNames,
      trees: [...(from?.trees ?? []), ...this.#trees.slice(0, stumps)],
      base: from?.base,
      sums: from?.sums,
    });
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}
