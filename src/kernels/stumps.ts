/** The kernel of RankBoost's sums (assembly/stumps.ts), over a memory that threads share. */
import { Arena, arraysOf, f64, MOST_BYTES, u8 } from './arena.js';
import type { KernelExports } from './exports.js';
import { BINS, TILE_COLUMNS } from './layouts/boosting.js';
import { loadKernel } from './load.js';

/** Can be given to other threads. */
export interface StumpMemory {
  readonly memory: WebAssembly.Memory;
  /** Addresses, of each eight features. */
  readonly groups: readonly { readonly bins: number; readonly sums: number }[];
  readonly at: { readonly potentials: number };
  /** Of each document. */
  readonly potentials: Float64Array;
}

/** Undefined where so much cannot be addressed. */
export function createStumpMemory(documents: number, features: number): StumpMemory | undefined {
  const arena = new Arena();
  const regions = { potentials: f64(documents) };
  const at = arena.takeAll(regions);
  const groups = Array.from({ length: Math.ceil(features / TILE_COLUMNS) }, () => ({
    bins: arena.take(u8(TILE_COLUMNS * documents)),
    sums: arena.take(f64(TILE_COLUMNS * BINS)),
  }));
  if (arena.bytes > MOST_BYTES) return undefined;
  const memory = arena.sharedMemory();
  return { memory, groups, at, ...arraysOf(regions, at, memory.buffer) };
}

export class Stumps {
  readonly #kernel: KernelExports['stumps'];
  readonly #memory: StumpMemory;

  constructor(memory: StumpMemory) {
    this.#kernel = loadKernel('stumps', memory.memory);
    this.#memory = memory;
  }

  /** Potentials by bin of eight features, one after the other. */
  sumByBin(group: number): Float64Array {
    const { memory, groups, at, potentials } = this.#memory;
    const { bins, sums } = groups[group]!;
    this.#kernel.sumByBin(bins, potentials.length, at.potentials, sums);
    return new Float64Array(memory.buffer, sums, TILE_COLUMNS * BINS);
  }
}

/** Of each eight features the bins of documents, eight bytes a document. */
export function stumpBins({ memory, groups, potentials }: StumpMemory): Uint8Array[] {
  return groups.map(({ bins }) => new Uint8Array(memory.buffer, bins, TILE_COLUMNS * potentials.length));
}
