/** What the threads of RankBoost do: bins, potentials of queries, thresholds of features. And their module. */
import type { Dataset } from '../../data/dataset.js';
import type { Part } from '../../data/parts.js';
import { fromPortable, type PortableDataset } from '../../data/portable.js';
import { ColumnBins } from '../../kernels/column-bins.js';
import { BINS, MISSING_BIN, TILE_COLUMNS } from '../../kernels/layouts/boosting.js';
import { FEATURE_SUMS } from '../../kernels/layouts/stumps.js';
import { type StumpMemory, Stumps, stumpBins } from '../../kernels/stumps.js';
import type { Service } from '../../threads/crew.js';
import { binEdges } from '../boosting/binning/bin-edges.js';
import type { Places } from './places.js';
import { bestThreshold } from './weak-ranker.js';

/** In memory that threads share. */
export interface RankboostMemory {
  readonly places: Places;
  readonly parts: readonly Part[];
  /** Bins by place, factors and potentials. */
  readonly stumps: StumpMemory;
  /**
   * By eight features: their bins, a byte each, by row of the selecting data. A missing value of a feature that
   * training never saw missing has the bin of zero, as for trees.
   */
  readonly selectingBins: readonly Uint8Array[];
  /** By feature: edges, how many bins there are, and how many values are missing. */
  readonly edges: readonly Float32Array[];
  readonly binCounts: Uint32Array;
  readonly missing: Uint32Array;
  /** By feature, of each bin: how many documents are in it, those in no pair too. */
  readonly documents: readonly Uint32Array[];
  /** By feature: bin, whether missing values go left, r. */
  readonly found: Float64Array;
  /** The feature of the stump to add before potentials; negative where there is none. */
  readonly stumpFeature: Int32Array;
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
  const { places, parts, binCounts, found, stumpFeature } = memory;
  const stumps = new Stumps(memory.stumps);
  const ownBins = stumpBins(memory.stumps);
  const featuresOf = Array.from(ownBins, (_, group) => {
    const first = TILE_COLUMNS * group;
    return Array.from({ length: Math.min(TILE_COLUMNS, data.features - first) }, (_, k) => first + k);
  });
  let columns: ColumnBins | undefined;
  const tasks: Readonly<Record<TaskKind, (task: number) => void>> = {
    bin(group) {
      columns ??= new ColumnBins(Math.max(data.rows, selecting.rows));
      const [own, others] = [ownBins[group]!, memory.selectingBins[group]!];
      for (const [k, feature] of featuresOf[group]!.entries()) {
        const values = data.column(feature);
        const sorted = columns.sorted(values);
        const missing = values.length - sorted.length;
        const edges = binEdges(sorted, most);
        memory.edges[feature]!.set(edges);
        binCounts[feature] = edges.length + 1;
        memory.missing[feature] = missing;
        const zeroBin = edges.filter(edge => edge < 0).length;
        const byRow = columns.bin(values, edges);
        count(byRow, memory.documents[feature]!);
        spread(byRow, own, k, places.rows);
        const selected = columns.bin(selecting.column(feature), edges);
        if (missing === 0) replace(selected, MISSING_BIN, zeroBin);
        spread(selected, others, k);
      }
    },
    potentials(part) {
      const { firstQuery, lastQuery } = parts[part]!;
      if (stumpFeature[0]! >= 0) stumps.addStump(firstQuery, lastQuery, stumpFeature[0]!);
      stumps.potentials(firstQuery, lastQuery);
    },
    threshold(group) {
      const sums = stumps.sumByBin(group);
      for (const [k, feature] of featuresOf[group]!.entries()) {
        const { bin, missingLeft, r } = bestThreshold(
          sums.subarray(FEATURE_SUMS * k, FEATURE_SUMS * k + BINS),
          binCounts[feature]!,
        );
        found[3 * feature] = bin;
        found[3 * feature + 1] = Number(missingLeft);
        found[3 * feature + 2] = r;
      }
    },
  };
  return (kind: number, task: number) => tasks[taskKinds[kind]!](task);
}

// Loops of their own: the compiler takes them up while the first features are binned.

function count(bins: Uint8Array, counts: Uint32Array): void {
  for (let i = 0; i < bins.length; i++) counts[bins[i]!]!++;
}

function replace(bins: Uint8Array, from: number, to: number): void {
  for (let i = 0; i < bins.length; i++) if (bins[i] === from) bins[i] = to;
}

/** Into column k of a tile, all rows or some. */
function spread(bins: Uint8Array, tile: Uint8Array, k: number, rows?: Uint32Array): void {
  const length = rows?.length ?? bins.length;
  for (let i = 0, at = k; i < length; i++, at += TILE_COLUMNS) tile[at] = bins[rows === undefined ? i : rows[i]!]!;
}

/** By bin: the output of a stump. */
export function outputsOf({ bin, missingLeft }: { bin: number; missingLeft: boolean }, output: number): Float64Array {
  const outputs = new Float64Array(BINS).fill(output, bin + 1);
  outputs[MISSING_BIN] = missingLeft ? 0 : output;
  return outputs;
}
