/** The kernel of RankBoost (assembly/stumps.ts), over a memory that threads share. */
import { Arena, arraysOf, f64, MOST_BYTES, records, u8, u32 } from './arena.js';
import type { KernelExports } from './exports.js';
import { BINS, TILE_COLUMNS } from './layouts/boosting.js';
import { FEATURE_SUMS, PLAN, THRESHOLD } from './layouts/stumps.js';
import { loadKernel } from './load.js';
import type { RecordView } from './record.js';

/** Can be given to other threads. */
export interface StumpMemory {
  readonly memory: WebAssembly.Memory;
  readonly plan: number;
  /** Addresses, of each eight features, or of those that are left. */
  readonly groups: readonly {
    readonly features: number;
    readonly bins: number;
    readonly sums: number;
    readonly thresholds: number;
  }[];
  /** By feature, FEATURE_SUMS from one to the next: of each bin, the sum of potentials. */
  readonly sums: Float64Array;
  readonly documents: number;
  /** By query: the weight of a pair at the start, and of all its pairs under the factors. */
  readonly weights: Float64Array;
  readonly totals: Float64Array;
  /** By document: e to its score, or as many times more in all of its query. */
  readonly factors: Float64Array;
  /** By bin: what a stump multiplies factors by. */
  readonly multipliers: Float64Array;
}

/** Documents query by query, low labels first. Undefined where so much cannot be addressed. */
export function createStumpMemory(
  offsets: Uint32Array,
  labels: Float64Array,
  features: number,
): StumpMemory | undefined {
  const documents = labels.length;
  const queries = offsets.length - 1;
  const { grades, starts } = gradesOf(offsets, labels);
  const arena = new Arena();
  const regions = {
    grades: u32(grades.length),
    weights: f64(queries),
    totals: f64(queries),
    starts: u32(starts.length),
    factors: f64(documents),
    potentials: f64(documents),
    multipliers: f64(BINS),
  };
  const plan = arena.take(records(PLAN, 1));
  const at = arena.takeAll(regions);
  const count = Math.ceil(features / TILE_COLUMNS);
  const groupSums = TILE_COLUMNS * FEATURE_SUMS;
  const allSums = arena.take(f64(count * groupSums));
  const thresholds = arena.take(records(THRESHOLD, features));
  const groups = Array.from({ length: count }, (_, group) => ({
    features: Math.min(TILE_COLUMNS, features - TILE_COLUMNS * group),
    bins: arena.take(u8(TILE_COLUMNS * documents)),
    sums: allSums + 8 * group * groupSums,
    thresholds: thresholds + THRESHOLD.bytes * TILE_COLUMNS * group,
  }));
  if (arena.bytes > MOST_BYTES) return undefined;
  const memory = arena.sharedMemory();
  PLAN.view(memory.buffer, plan).write(at);
  const arrays = arraysOf(regions, at, memory.buffer);
  arrays.grades.set(grades);
  arrays.starts.set(starts);
  arrays.factors.fill(1);
  arrays.multipliers.fill(1);
  const { weights, totals, factors, multipliers } = arrays;
  const sums = new Float64Array(memory.buffer, allSums, count * groupSums);
  return { memory, plan, groups, sums, documents, weights, totals, factors, multipliers };
}

/** Where each grade of each query starts, and the first grade of each query. */
function gradesOf(offsets: Uint32Array, labels: Float64Array): { grades: Uint32Array; starts: number[] } {
  const starts: number[] = [];
  const grades = offsets.map((offset, q) => {
    const first = starts.length;
    for (let i = offset; i < (offsets[q + 1] ?? 0); i++) {
      if (i === offset || labels[i] !== labels[i - 1]) starts.push(i);
    }
    return first;
  });
  starts.push(labels.length);
  return { grades, starts };
}

/**
 * Added to a potential and taken away again, it rounds it to a multiple of a power of two, so small beside the sum of
 * all that no sum of such multiples is rounded: any order of documents, threads and ranks comes to the same.
 */
export function rounderOf(total: number): number {
  return 1.5 * 2 ** (Math.ceil(Math.log2(total)) + 1);
}

export class Stumps {
  readonly #kernel: KernelExports['stumps'];
  readonly #memory: StumpMemory;

  constructor(memory: StumpMemory) {
    this.#kernel = loadKernel('stumps', memory.memory);
    this.#memory = memory;
  }

  /** Multiplies factors of the documents of queries by their bins of a feature. */
  addStump(firstQuery: number, lastQuery: number, feature: number): void {
    const { plan, groups } = this.#memory;
    const { bins } = groups[Math.floor(feature / TILE_COLUMNS)]!;
    this.#kernel.addStump(plan, firstQuery, lastQuery, bins + (feature % TILE_COLUMNS));
  }

  potentials(firstQuery: number, lastQuery: number): void {
    this.#kernel.potentials(this.#memory.plan, firstQuery, lastQuery);
  }

  /** Potentials, rounded, by bin of eight features: to their sums. */
  sumByBin(group: number, rounder: number): void {
    const { memory, plan, groups, documents } = this.#memory;
    const { bins, sums } = groups[group]!;
    this.#kernel.sumByBin(bins, documents, PLAN.view(memory.buffer, plan).potentials, rounder, sums);
  }

  /** The best thresholds of eight features, from their sums. */
  thresholds(group: number): void {
    const { features, sums, thresholds } = this.#memory.groups[group]!;
    this.#kernel.thresholds(sums, features, thresholds);
  }
}

/** Of each eight features the bins of documents, eight bytes a document. */
export function stumpBins({ memory, groups, documents }: StumpMemory): Uint8Array[] {
  return groups.map(({ bins }) => new Uint8Array(memory.buffer, bins, TILE_COLUMNS * documents));
}

/** The best weak ranker of each feature. */
export class StumpThresholds {
  readonly #record: RecordView<(typeof THRESHOLD)['fields']>;
  /** One for each word of a record: a loop over features every round is felt. */
  readonly #words: Float64Array;
  readonly #features: number;

  constructor({ memory, groups }: StumpMemory) {
    this.#features = groups.reduce((sum, { features }) => sum + features, 0);
    const { thresholds } = groups[0]!;
    this.#record = THRESHOLD.view(memory.buffer, thresholds);
    this.#words = new Float64Array(memory.buffer, thresholds, (THRESHOLD.bytes / 8) * this.#features);
  }

  of(feature: number): RecordView<(typeof THRESHOLD)['fields']> {
    return this.#record.at(feature);
  }

  /** The first feature with the largest |r|. */
  best(): number {
    const words = this.#words;
    const step = THRESHOLD.bytes / 8;
    let best = 0;
    let most = -1;
    for (let f = 0, at = THRESHOLD.offset.r / 8; f < this.#features; f++, at += step) {
      const own = Math.abs(words[at]!);
      if (own <= most) continue;
      best = f;
      most = own;
    }
    return best;
  }
}
