/** The kernel of RankBoost (assembly/stumps.ts), over a memory that threads share. */
import { Arena, arraysOf, f64, MOST_BYTES, records, u8, u32 } from './arena.js';
import type { KernelExports } from './exports.js';
import { BINS, TILE_COLUMNS } from './layouts/boosting.js';
import { FEATURE_SUMS, PLAN } from './layouts/stumps.js';
import { loadKernel } from './load.js';

/** Can be given to other threads. */
export interface StumpMemory {
  readonly memory: WebAssembly.Memory;
  readonly plan: number;
  /** Addresses, of each eight features. */
  readonly groups: readonly { readonly bins: number; readonly sums: number }[];
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
  const arena = new Arena();
  const regions = {
    offsets: u32(queries + 1),
    weights: f64(queries),
    totals: f64(queries),
    labels: f64(documents),
    factors: f64(documents),
    potentials: f64(documents),
    multipliers: f64(BINS),
  };
  const plan = arena.take(records(PLAN, 1));
  const at = arena.takeAll(regions);
  const count = Math.ceil(features / TILE_COLUMNS);
  const groupSums = TILE_COLUMNS * FEATURE_SUMS;
  const allSums = arena.take(f64(count * groupSums));
  const groups = Array.from({ length: count }, (_, group) => ({
    bins: arena.take(u8(TILE_COLUMNS * documents)),
    sums: allSums + 8 * group * groupSums,
  }));
  if (arena.bytes > MOST_BYTES) return undefined;
  const memory = arena.sharedMemory();
  PLAN.view(memory.buffer, plan).write(at);
  const arrays = arraysOf(regions, at, memory.buffer);
  arrays.offsets.set(offsets);
  arrays.labels.set(labels);
  arrays.factors.fill(1);
  arrays.multipliers.fill(1);
  const { weights, totals, factors, multipliers } = arrays;
  const sums = new Float64Array(memory.buffer, allSums, count * groupSums);
  return { memory, plan, groups, sums, documents, weights, totals, factors, multipliers };
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
}

/** Of each eight features the bins of documents, eight bytes a document. */
export function stumpBins({ memory, groups, documents }: StumpMemory): Uint8Array[] {
  return groups.map(({ bins }) => new Uint8Array(memory.buffer, bins, TILE_COLUMNS * documents));
}
