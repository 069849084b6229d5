/** What the threads of RankBoost do: bins, potentials of some queries, thresholds of one feature. And their module. */
import type { Dataset } from '../../data/dataset.js';
import type { Part } from '../../data/parts.js';
import { fromPortable, type PortableDataset } from '../../data/portable.js';
import { BINS, MISSING_BIN } from '../../kernels/layouts/boosting.js';
import type { Service } from '../../threads/crew.js';
import { binEdges } from '../boosting/binning/bin-edges.js';
import { byLabel, pairsOf, potentials } from './potentials.js';
import { bestThreshold, sumByBin } from './weak-ranker.js';

/** In memory that threads share. */
export interface RankboostMemory {
  readonly parts: readonly Part[];
  /** By feature: bins of the rows, edges, and how many bins there are. */
  readonly bins: readonly Uint8Array[];
  readonly edges: readonly Float32Array[];
  readonly binCounts: Uint32Array;
  /** By row. */
  readonly scores: Float64Array;
  readonly potentials: Float64Array;
  /** By query: pairs, the weight of one at the start, the weight of all. */
  readonly pairs: Float64Array;
  readonly weights: Float64Array;
  readonly totals: Float64Array;
  /** By feature: bin, whether missing values go left, r. */
  readonly found: Float64Array;
  /** The stump to add to the scores before potentials: feature, bin, missing left, output. */
  readonly stump: Float64Array;
}

export interface RankboostWork {
  readonly data: PortableDataset;
  readonly labels: string;
  readonly most: number;
  readonly memory: RankboostMemory;
}

export const taskKinds = ['bin', 'pairs', 'potentials', 'threshold'] as const;
export type TaskKind = (typeof taskKinds)[number];

export function serve({ data, labels, most, memory }: RankboostWork): Service {
  return { tasks: rankboostTasks(fromPortable(data), labels, most, memory) };
}

/** `most` is the number of bins of a feature, at most. */
export function rankboostTasks(data: Dataset, source: string, most: number, memory: RankboostMemory) {
  const labels = data.label(source);
  const sorted: Uint32Array[] = [];
  const ofQuery = (q: number) => (sorted[q] ??= byLabel(labels, data.offsets[q]!, data.offsets[q + 1]!));
  const sums = new Float64Array(BINS);
  const tasks: Readonly<Record<TaskKind, (task: number) => void>> = {
    bin(feature) {
      const values = data.column(feature);
      const edges = binEdges(values.filter(value => !Number.isNaN(value)).sort(), most);
      memory.edges[feature]!.set(edges);
      memory.binCounts[feature] = edges.length + 1;
      const bins = memory.bins[feature]!;
      for (let row = 0; row < values.length; row++) bins[row] = binOf(values[row]!, edges);
    },
    pairs(part) {
      const { firstQuery, lastQuery } = memory.parts[part]!;
      for (let q = firstQuery; q < lastQuery; q++) memory.pairs[q] = pairsOf(labels, ofQuery(q));
    },
    potentials(part) {
      const { firstQuery, lastQuery, firstRow, lastRow } = memory.parts[part]!;
      addStump(memory, firstRow, lastRow);
      for (let q = firstQuery; q < lastQuery; q++) {
        memory.totals[q] = potentials(labels, ofQuery(q), memory.scores, memory.weights[q]!, memory.potentials);
      }
    },
    threshold(feature) {
      sumByBin(memory.bins[feature]!, memory.potentials, sums);
      const { bin, missingLeft, r } = bestThreshold(sums, memory.binCounts[feature]!);
      memory.found.set([bin, Number(missingLeft), r], 3 * feature);
    },
  };
  return (kind: number, task: number) => tasks[taskKinds[kind]!](task);
}

function addStump({ stump, bins, scores }: RankboostMemory, firstRow: number, lastRow: number): void {
  const [feature, last, missingLeft, output] = stump;
  if (output === 0) return;
  const own = bins[feature!]!;
  for (let row = firstRow; row < lastRow; row++) {
    const bin = own[row]!;
    if (bin === MISSING_BIN ? missingLeft === 0 : bin > last!) scores[row]! += output!;
  }
}

/** The first bin whose edge is not below the value. */
function binOf(value: number, edges: Float32Array): number {
  if (Number.isNaN(value)) return MISSING_BIN;
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
