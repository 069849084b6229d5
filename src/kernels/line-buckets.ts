/** The kernel of lines of scores (assembly/line-buckets.ts) over a memory that threads share. */
import type { KernelExports } from './exports.js';
import { PLAN, SLICE } from './layouts/line-buckets.js';
import type { BucketMemory } from './line-bucket-memory.js';
import { loadKernel } from './load.js';

export class LineBuckets {
  readonly #kernel: KernelExports['line-buckets'];
  readonly #memory: BucketMemory;
  #extents: readonly Float64Array[] | undefined;

  constructor(memory: BucketMemory) {
    this.#kernel = loadKernel('line-buckets', memory.memory);
    this.#memory = memory;
  }

  /** By slice, what src/lines/span.ts asks for; good until the next call. */
  extents(): readonly Float64Array[] {
    const { plan, slices } = this.#memory;
    for (let s = 0; s < slices.length; s++) this.#kernel.extents(plan, slices[s]!);
    this.#extents ??= sliceArrays(this.#memory).map(({ extents }) => extents);
    return this.#extents;
  }

  /** Whether `firsts` has those of the slopes. */
  set knowsFirsts(known: boolean) {
    PLAN.view(this.#memory.memory.buffer, this.#memory.plan).knowsFirsts = Number(known);
  }

  /** Half of the buckets are within this step. */
  set span(span: number) {
    PLAN.view(this.#memory.memory.buffer, this.#memory.plan).span = span;
  }

  /** The value of the first bucket: below every crossing. */
  first(slice: number): void {
    const { plan, slices } = this.#memory;
    this.#kernel.first(plan, slices[slice]!);
  }

  /** Bounds by section. */
  sections(slice: number): void {
    const { plan, slices } = this.#memory;
    this.#kernel.sections(plan, slices[slice]!);
  }

  /** Values and bounds by bucket, of those in these places; after `sections`. */
  coarse(slice: number, low: number, high: number): void {
    const { plan, slices } = this.#memory;
    this.#kernel.coarse(plan, slices[slice]!, low, high);
  }

  /** Changes in these places; returns how many there are, or -1 where there are too many. */
  fine(slice: number, low: number, high: number): number {
    const { plan, slices } = this.#memory;
    return this.#kernel.fine(plan, slices[slice]!, low, high);
  }
}

/** What the kernel writes for each slice. */
export function sliceArrays({ memory: { buffer }, slices, buckets, sections: count }: BucketMemory) {
  return slices.map(address => {
    const { extents, sections, values, most, changedAt, changes, room } = SLICE.view(buffer, address).read();
    return {
      extents: new Float64Array(buffer, extents, 4),
      sections: new Float64Array(buffer, sections, count),
      values: new Float64Array(buffer, values, buckets + 1),
      most: new Float64Array(buffer, most, buckets),
      at: new Float64Array(buffer, changedAt, room),
      changes: new Float64Array(buffer, changes, room),
    };
  });
}
