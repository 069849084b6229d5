/** The trainer by RankBoost (Freund, Iyer, Schapire, Singer 2003): stumps that put pairs of documents in order. */
import { z } from 'zod';
import { type Dataset, sharedFloat32, sharedFloat64 } from '../../data/dataset.js';
import { SEVERAL_RANKS } from '../../data/memory-limit.js';
import { partsOf } from '../../data/parts.js';
import { toPortable } from '../../data/portable.js';
import { shareOf } from '../../data/share.js';
import { ListwiseError } from '../../errors.js';
import { BINS, MISSING_BIN, TILE_COLUMNS } from '../../kernels/layouts/boosting.js';
import { createStumpMemory, rounderOf, StumpThresholds } from '../../kernels/stumps.js';
import { scoreData } from '../../models/ranker.js';
import { LARGEST_THRESHOLD, type Tree, TreesModel } from '../../models/trees/trees.js';
import { gatherNumbers } from '../../ranks/gathered.js';
import type { Transport } from '../../ranks/transport.js';
import type { Steps } from '../../steps.js';
import { TaskCrew } from '../../threads/task-crew.js';
import { edgeSample } from '../boosting/rows/edge-sample.js';
import type { IterationRecord } from '../iteration-record.js';
import type { Evaluation, Learner, StepRecord } from '../learner.js';
import { refuseConstant } from '../linear/seen-data.js';
import { oneOf } from '../state-schema.js';
import { defineTrainer, type TrainJob } from '../trainer.js';
import { type RankboostOptions, rankboostOptions } from './options.js';
import { pairsOf, placesOf } from './places.js';
import {
  outputsOf,
  type RankboostMemory,
  type RankboostTasks,
  type RankboostWork,
  rankboostTasks,
  type TaskKind,
  taskKinds,
} from './rankboost-tasks.js';
import { tellingFeatures } from './telling-features.js';
import { weightOf } from './weak-ranker.js';

export const rankboost = defineTrainer({
  name: 'rankboost',
  title: 'RankBoost: stumps boosted to put pairs of documents in order.',
  needs: 'none',
  makes: 'trees',
  options: rankboostOptions,
  iterations: 'rounds',
  severalRanks: 'parts',
  async start(job, { threads, seed, ranks }) {
    const { data, validate, options } = job;
    const selecting = validate ?? data;
    const memory = createMemory(data, selecting, options.labels, tellingFeatures(data, ranks));
    const shared = { memory, sample: edgeSample(data, seed, ranks, 'all'), most: options.bins };
    const work = (): RankboostWork => ({ ...shared, data: toPortable(data), selecting: toPortable(selecting) });
    const others = Math.min(threads, Math.max(memory.parts.length, memory.stumps.groups.length)) - 1;
    const crew = TaskCrew.late(new URL('./rankboost-tasks.js', import.meta.url), others, work);
    try {
      return new RankboostLearner(job, { ...shared, data, selecting }, crew, ranks);
    } catch (error) {
      await crew.close();
      throw error;
    }
  },
});

function createMemory(data: Dataset, selecting: Dataset, labels: string, features: Uint32Array): RankboostMemory {
  const places = placesOf(data, data.label(labels));
  const size = places.rows.length;
  const stumps = createStumpMemory(places.offsets, places.labels, features.length);
  if (stumps === undefined) {
    throw new ListwiseError(
      'data-too-large',
      `rankboost cannot address the bins of ${size} documents with ${features.length} features (a byte each, 4 GiB at most); train on fewer of them; ${SEVERAL_RANKS}`,
    );
  }
  return {
    places,
    parts: partsOf(places),
    features,
    stumps,
    selectingBins: stumps.groups.map(() => new Uint8Array(new SharedArrayBuffer(TILE_COLUMNS * selecting.rows))),
    edges: Array.from(features, () => sharedFloat32(BINS)),
    documents: new Int32Array(new SharedArrayBuffer(4 * BINS * features.length)),
    stumpColumn: new Int32Array(new SharedArrayBuffer(4)).fill(-1),
    rounder: sharedFloat64(1),
  };
}

/** Those of a model, by row, less the middle of its query: no factor overflows while scores span less than 1,400. */
function setFactors({ places: { offsets, rows }, stumps: { factors } }: RankboostMemory, scores: Float64Array): void {
  for (let q = 0; q < offsets.length - 1; q++) {
    const own = Array.from(rows.subarray(offsets[q], offsets[q + 1]), row => scores[row]!);
    const centre =
      (own.reduce((a, b) => Math.min(a, b), Infinity) + own.reduce((a, b) => Math.max(a, b), -Infinity)) / 2;
    factors.set(
      own.map(score => Math.exp(score - centre)),
      offsets[q],
    );
  }
}

function addOutputs(scores: Float64Array, bins: readonly Uint8Array[], column: number, outputs: Float64Array): void {
  const own = bins[Math.floor(column / TILE_COLUMNS)]!;
  for (let row = 0, at = column % TILE_COLUMNS; row < scores.length; row++, at += TILE_COLUMNS) {
    scores[row]! += outputs[own[at]!]!;
  }
}

/** What is left to gain where no ranker is better than this is rounding. */
const LEAST_R = 1e-12;

interface Stump {
  /** Of the features that tell documents apart. */
  readonly column: number;
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
  readonly #ranks: Transport;
  readonly #thresholds: StumpThresholds;
  readonly #run: (kind: number, task: number) => void;
  readonly #from: TreesModel | undefined;
  readonly #stumps: Stump[] = [];
  readonly #trees: Tree[] = [];
  /** Of the data that models are selected on. */
  readonly #scores: Float64Array;
  #pairs: number;
  /** The share of misordered pairs is at most this: the product of the normalisations so far. */
  #bound = 1;

  constructor(job: TrainJob<RankboostOptions>, work: RankboostTasks, crew: TaskCrew, ranks: Transport) {
    const { data, selecting, memory } = work;
    this.#job = job;
    this.#memory = memory;
    this.#crew = crew;
    this.#ranks = ranks;
    this.#thresholds = new StumpThresholds(memory.stumps);
    this.#from = job.from instanceof TreesModel ? job.from : undefined;
    this.#run = rankboostTasks(work);
    this.#scores = new Float64Array(selecting.rows);
    if (this.#from !== undefined) {
      const scores = scoreData(this.#from, data);
      setFactors(memory, scores);
      this.#scores = scoreData(this.#from, selecting);
    }
    this.#pairs = this.#weigh();
    crew.play(this.#run, taskKinds.indexOf('bin'), memory.stumps.groups.length);
    ranks.sum(memory.documents);
    refuseConstant(memory.edges.map((_, column) => this.#thresholds.of(column).bins > 1 || this.#isMissing(column)));
    crew.play(this.#run, taskKinds.indexOf('potentials'), memory.parts.length);
  }

  /** Whether some document of any rank lacks the feature. */
  #isMissing(column: number): boolean {
    return this.#memory.documents[BINS * column + MISSING_BIN]! > 0;
  }

  /** The weight of each pair at the start; those of all pairs add up to 1. */
  #weigh(): number {
    const { data, options } = this.#job;
    const { places, stumps } = this.#memory;
    const { weights } = stumps;
    const pairs = Float64Array.from(weights, (_, q) => pairsOf(places, q));
    const total = this.#sum(pairs);
    if (total === 0) {
      throw new ListwiseError(
        'training-without-lambda',
        `rankboost finds nothing to learn: in no query do two documents have different labels (${options.labels})`,
      );
    }
    for (let q = 0; q < pairs.length; q++) {
      if (pairs[q] === 0) continue;
      weights[q] = (data.queryWeights?.[q] ?? 1) / (options.weights === 'queries' ? pairs[q]! : 1);
    }
    const sum = this.#sum(weights.map((weight, q) => weight * pairs[q]!));
    for (let q = 0; q < weights.length; q++) weights[q]! /= sum;
    return total;
  }

  /** Over the queries of all ranks, in their order. */
  #sum(byQuery: Float64Array): number {
    return gatherNumbers(this.#ranks, byQuery).reduce((sum, own) => sum + own, 0);
  }

  #play(kind: TaskKind, count: number): Steps<void> {
    return this.#crew.shortSteps(this.#run, taskKinds.indexOf(kind), count);
  }

  *step(_: number): Steps<StepRecord> {
    const { stumps, parts } = this.#memory;
    const { totals } = stumps;
    const total = this.#sum(totals);
    const stump = yield* this.#best(total);
    if (Math.abs(stump.r) < LEAST_R) {
      return { pairs: this.#pairs, rate: 0, facts: { r: 0, z: 1, bound: this.#bound }, last: true };
    }
    this.#add(stump);
    yield* this.#play('potentials', parts.length);
    const after = this.#sum(totals);
    this.#bound = after;
    return {
      pairs: this.#pairs,
      rate: stump.alpha,
      cost: after,
      facts: { r: stump.r, z: after / total, bound: after },
    };
  }

  *#best(total: number): Steps<Stump> {
    const { stumps, rounder } = this.#memory;
    const groups = stumps.groups.length;
    rounder[0] = rounderOf(total);
    if (this.#ranks.size === 1) yield* this.#play('sumAndThreshold', groups);
    else {
      yield* this.#play('sum', groups);
      this.#ranks.sum(stumps.sums);
      yield* this.#play('threshold', groups);
    }
    const column = this.#thresholds.best();
    const { bin, missingLeft, r: sum } = this.#thresholds.of(column);
    const r = sum / total;
    return { column, bin, missingLeft: missingLeft === 1, r, alpha: weightOf(r) };
  }

  #add(stump: Stump): void {
    const { features, edges, documents } = this.#memory;
    const { column, bin, r, alpha } = stump;
    const threshold = bin === this.#thresholds.of(column).bins - 1 ? LARGEST_THRESHOLD : edges[column]![bin]!;
    // Where training never saw one missing, it counts as 0, as for trees.
    const missingLeft = this.#isMissing(column) ? stump.missingLeft : threshold >= 0;
    const { rows } = shareOf(this.#job.data);
    const isRight = outputsOf({ bin, missingLeft }, 1);
    const right = isRight.reduce((sum, own, b) => sum + own * documents[BINS * column + b]!, 0);
    this.#stumps.push(stump);
    this.#trees.push({
      feature: Int32Array.of(features[column]!),
      threshold: Float32Array.of(threshold),
      missingLeft: Uint8Array.of(Number(missingLeft)),
      left: Int32Array.of(-1),
      right: Int32Array.of(-2),
      value: Float64Array.of(0, alpha),
      gain: Float64Array.of(Math.abs(r)),
      documents: Float64Array.of(rows),
      leafDocuments: Float64Array.of(rows - right, right),
    });
    this.#memory.stumpColumn[0] = column;
    const factor = Math.exp(alpha);
    for (let b = 0; b < BINS; b++) this.#memory.stumps.multipliers[b] = isRight[b] ? factor : 1;
    addOutputs(this.#scores, this.#memory.selectingBins, column, outputsOf({ bin, missingLeft }, alpha));
  }

  evaluate(): Steps<Evaluation> {
    return this.#job.evaluation.ofScores(this.#scores);
  }

  readonly schema = {
    state: (log: readonly IterationRecord[]) => {
      const stump: z.ZodType<Stump> = z.object({
        column: oneOf(this.#memory.features.length),
        bin: oneOf(BINS),
        missingLeft: z.boolean(),
        r: z.number(),
        alpha: z.number(),
      });
      // The last round may have found none.
      return z.array(stump).length(log.filter(({ rate }) => rate !== 0).length);
    },
    parts: (iteration: number) =>
      z
        .int()
        .min(Math.max(0, iteration - 1))
        .max(iteration),
  };

  snapshot(): readonly Stump[] {
    return this.#stumps.slice();
  }

  /** Factors are products: they come to the same to the bit only round by round. */
  restore(stumps: readonly Stump[]): void {
    const { stumps: kept, parts } = this.#memory;
    for (const stump of stumps) {
      this.#add(stump);
      this.#crew.play(this.#run, taskKinds.indexOf('potentials'), parts.length);
    }
    this.#bound = this.#sum(kept.totals);
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
