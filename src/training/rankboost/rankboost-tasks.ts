/** What the threads of RankBoost do: bins, potentials of queries, thresholds of features. And their module. */
import type { Dataset } from '../../data/dataset.js';
import type { Part } from '../../data/parts.js';
import { fromPortable, type PortableDataset } from '../../data/portable.js';
import { BINS, MISSING_BIN } from '../../kernels/layouts/boosting.js';
import type { Service } from '../../threads/crew.js';
import { binEdges } from '../boosting/binning/bin-edges.js';
import type { Places } from './places.js';
import { potentials } from './potentials.js';
import { bestThreshold, sumByBin, TOGETHER } from './weak-ranker.js';

/** In memory that threads share. */
export interface RankboostMemory {
  readonly places: Places;
  readonly parts: readonly Part[];
  /**
   * By four features: their bins, a byte each, by place and by row of the selecting data. A missing value of a feature
   * that training never saw missing has the bin of zero, as for trees.
   */
  readonly bins: readonly Uint32Array[];
  readonly selectingBins: readonly Uint32Array[];
  /** By feature: edges, how many bins there are, and how many values are missing. */
  readonly edges: readonly Float32Array[];
  readonly binCounts: Uint32Array;
  readonly missing: Uint32Array;
  /** By place. */
  readonly scores: Float64Array;
  readonly factors: Float64Array;
  readonly potentials: Float64Array;
  /** By query: the weight of a pair at the start, the weight of all. */
  readonly weights: Float64Array;
  readonly totals: Float64Array;
  /** By feature: bin, whether missing values go left, r. */
  readonly found: Float64Array;
  /** The stump to add to the scores before potentials: feature, bin, missing left, output. */
  readonly stump: Float64Array;
}

export interface RankboostWork {
  readonly data: PortableDataset;
  readonly selecting: PortableDataset;
  readonly most: number;
  readonly memory: RankboostMemory;
}

export const taskKinds = ['bin', 'potentials', 'threshold'] as const;
export type TaskKind = (typeof taskKinds)[number];

export function serve({ data, selecting, most, memory }: RankboostWork): Service {
  return { tasks: rankboostTasks(fromPortable(data), fromPortable(selecting), most, memory) };
}

/** `most` is the number of bins of a feature, at most. */
export function rankboostTasks(data: Dataset, selecting: Dataset, most: number, memory: RankboostMemory) {
  const { places, parts, binCounts, scores } = memory;
  const sums = new Float64Array(TOGETHER * BINS);
  const featuresOf = (group: number) =>
    Array.from({ length: Math.min(TOGETHER, data.features - TOGETHER * group) }, (_, k) => TOGETHER * group + k);
  const tasks: Readonly<Record<TaskKind, (task: number) => void>> = {
    bin(group) {
      for (const [k, feature] of featuresOf(group).entries()) {
        const values = data.column(feature);
        const sorted = values.slice().sort(); // NaN last
        let present = sorted.length;
        while (present > 0 && Number.isNaN(sorted[present - 1])) present--;
        const edges = binEdges(sorted.subarray(0, present), most);
        memory.edges[feature]!.set(edges);
        binCounts[feature] = edges.length + 1;
        memory.missing[feature] = sorted.length - present;
        const missingBin = present < sorted.length ? MISSING_BIN : binOf(0, edges);
        const write = (bins: Uint32Array, i: number, value: number) => {
          bins[i]! |= (Number.isNaN(value) ? missingBin : binOf(value, edges)) << (8 * k);
        };
        const [own, others] = [memory.bins[group]!, memory.selectingBins[group]!];
        for (let place = 0; place < own.length; place++) write(own, place, values[places.rows[place]!]!);
        const selected = selecting.column(feature);
        for (let row = 0; row < others.length; row++) write(others, row, selected[row]!);
      }
    },
    potentials(part) {
      const { firstQuery, lastQuery, firstRow, lastRow } = parts[part]!;
      addStump(memory.stump, memory.bins, scores, firstRow, lastRow);
      for (let q = firstQuery; q < lastQuery; q++) {
        memory.totals[q] = potentials(places, q, scores, memory.weights[q]!, memory.factors, memory.potentials);
      }
    },
    threshold(group) {
      sumByBin(memory.bins[group]!, memory.potentials, sums);
      for (const [k, feature] of featuresOf(group).entries()) {
        const { bin, missingLeft, r } = bestThreshold(sums.subarray(BINS * k, BINS * (k + 1)), binCounts[feature]!);
        memory.found.set([bin, Number(missingLeft), r], 3 * feature);
      }
    },
  };
  return (kind: number, task: number) => tasks[taskKinds[kind]!](task);
}

/** Adds the output of a stump to the scores of documents with these bins. */
export function addStump(
  stump: Float64Array,
  bins: readonly Uint32Array[],
  scores: Float64Array,
  from = 0,
  to = scores.length,
): void {
  const [feature, last, missingLeft, output] = [stump[0]!, stump[1]!, stump[2]!, stump[3]!];
  if (output === 0) return;
  // By bin: adding zeros is quicker than asking, as no one can guess the answer.
  const outputs = new Float64Array(BINS).fill(output, last + 1);
  outputs[MISSING_BIN] = missingLeft === 0 ? output : 0;
  const own = bins[Math.floor(feature / TOGETHER)]!;
  const shift = 8 * (feature % TOGETHER);
  for (let i = from; i < to; i++) scores[i]! += outputs[(own[i]! >>> shift) & 0xff]!;
}

/** The first bin whose edge is not below the value. */
function binOf(value: number, edges: Float32Array): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
