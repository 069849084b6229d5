/** What the threads of RankBoost do: bins, potentials of queries, thresholds of features. And their module. */
import type { Dataset } from '../../data/dataset.js';
import type { Part } from '../../data/parts.js';
import { fromPortable, type PortableDataset } from '../../data/portable.js';
import { ColumnBins } from '../../kernels/column-bins.js';
import { BINS, MISSING_BIN, TILE_COLUMNS } from '../../kernels/layouts/boosting.js';
import { type StumpMemory, Stumps, StumpThresholds, stumpBins } from '../../kernels/stumps.js';
import type { Service } from '../../threads/crew.js';
import { binEdges } from '../boosting/binning/bin-edges.js';
import { type EdgeSample, sampledValues } from '../boosting/rows/edge-sample.js';
import type { Places } from './places.js';

/** In memory that threads share. */
export interface RankboostMemory {
  readonly places: Places;
  readonly parts: readonly Part[];
  /** Features by column: only these are looked at. */
  readonly features: Uint32Array;
  /** By eight columns: bins by place, factors, potentials, thresholds. */
  readonly stumps: StumpMemory;
  /** By eight columns: their bins, a byte each, by row of the selecting data. */
  readonly selectingBins: readonly Uint8Array[];
  /** By column: edges. */
  readonly edges: readonly Float32Array[];
  /** By column, of each bin: how many documents are in it, those in no pair and on other ranks too. */
  readonly documents: Int32Array;
  /** The column of the stump to add before potentials; negative where there is none. */
  readonly stumpColumn: Int32Array;
  /** What potentials are rounded by; see rounderOf. */
  readonly rounder: Float64Array;
}

export interface RankboostWork {
  readonly data: PortableDataset;
  readonly selecting: PortableDataset;
  /** What edges of bins are taken from. */
  readonly sample: EdgeSample;
  /** Bins of a feature, at most. */
  readonly most: number;
  readonly memory: RankboostMemory;
}

/** Several ranks add their sums up before there are thresholds; a process by itself has both at once. */
export const taskKinds = ['bin', 'potentials', 'sum', 'threshold', 'sumAndThreshold'] as const;
export type TaskKind = (typeof taskKinds)[number];

export function serve({ data, selecting, ...work }: RankboostWork): Service {
  return { tasks: rankboostTasks({ ...work, data: fromPortable(data), selecting: fromPortable(selecting) }) };
}

export type RankboostTasks = Omit<RankboostWork, 'data' | 'selecting'> & {
  readonly data: Dataset;
  readonly selecting: Dataset;
};

export function rankboostTasks({ data, selecting, sample, most, memory }: RankboostTasks) {
  const { places, parts, features, stumpColumn, rounder } = memory;
  const stumps = new Stumps(memory.stumps);
  const ownBins = stumpBins(memory.stumps);
  const thresholds = new StumpThresholds(memory.stumps);
  let columns: ColumnBins | undefined;
  const tasks: Readonly<Record<TaskKind, (task: number) => void>> = {
    bin(group) {
      columns ??= new ColumnBins(Math.max(data.rows, selecting.rows, sample.rows.length));
      const [own, others] = [ownBins[group]!, memory.selectingBins[group]!];
      for (let k = 0; k < memory.stumps.groups[group]!.features; k++) {
        const column = TILE_COLUMNS * group + k;
        const feature = features[column]!;
        const sorted = columns.sorted(out => sampledValues(sample, feature, out));
        const edges = binEdges(sorted, most);
        memory.edges[column]!.set(edges);
        thresholds.of(column).bins = edges.length + 1;
        const byRow = columns.bin(data.column(feature), edges);
        count(byRow, memory.documents.subarray(BINS * column, BINS * (column + 1)));
        spread(byRow, own, k, places.rows);
        spread(columns.bin(selecting.column(feature), edges), others, k);
      }
    },
    potentials(part) {
      const { firstQuery, lastQuery } = parts[part]!;
      if (stumpColumn[0]! >= 0) stumps.addStump(firstQuery, lastQuery, stumpColumn[0]!);
      stumps.potentials(firstQuery, lastQuery);
    },
    sum: group => stumps.sumByBin(group, rounder[0]!),
    threshold: group => stumps.thresholds(group),
    sumAndThreshold(group) {
      tasks.sum(group);
      tasks.threshold(group);
    },
  };
  return (kind: number, task: number) => tasks[taskKinds[kind]!](task);
}

// Loops of their own: the compiler takes them up while the first features are binned.

function count(bins: Uint8Array, counts: Int32Array): void {
  for (let i = 0; i < bins.length; i++) counts[bins[i]!]!++;
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
