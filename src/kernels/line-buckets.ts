/** The kernel of lines of scores (assembly/line-buckets.ts) over a memory that threads share. */
import { Arena, arraysOf, f64, MOST_BYTES, records, u8, u32 } from './arena.js';
import type { KernelExports } from './exports.js';
import { BUCKETS, PADDING, PARTS, PLACES, PLAN, QUERY } from './layouts/line-buckets.js';
import { loadKernel } from './load.js';

/** What does not change from line to line: see src/lines/counted-form.ts. */
export interface LineTables {
  readonly offsets: Uint32Array;
  readonly precision: boolean;
  readonly gain: Float64Array;
  readonly discounts: Float64Array;
  readonly moments: Float64Array;
  readonly norm: Float64Array;
}

export interface BucketSlice {
  readonly firstQuery: number;
  readonly lastQuery: number;
}

interface SliceMemory extends BucketSlice {
  /** Addresses, and for how many changes there is room. */
  readonly values: number;
  readonly most: number;
  readonly cells: number;
  readonly at: number;
  readonly changes: number;
  readonly room: number;
}

/** Can be given to other threads. */
export interface BucketMemory {
  readonly memory: WebAssembly.Memory;
  readonly plan: number;
  readonly slices: readonly SliceMemory[];
  /** By row: to be filled for each line. */
  readonly start: Float64Array;
  readonly slope: Float64Array;
  /**
   * Rows of each query in an order near to that of the line, if one is known; in their order along it after `coarse`.
   */
  readonly order: Uint32Array;
}

/** Counts of documents are held in 16 bits. */
const MOST_DOCUMENTS = 65535;
/** Of all crossings of a slice, those that there is room for at once; of few ones for all. */
const ROOM_SHARE = 1 / 8;
const ROOM = 16384;

/** The place of step 0, amid those of a bucket, and how far from it those of infinite steps are. */
const CENTRE = (BUCKETS * PLACES) / 2 - 200;
const STRETCH = CENTRE - 10;

/** A step in places: the first has those from 0 to 1. */
export function placeOf(step: number, span: number): number {
  return CENTRE + 0.5 + (STRETCH * step) / (span + Math.abs(step));
}

/** The step at which a place begins. */
export function stepOf(place: number, span: number): number {
  const share = (place - 0.5 - CENTRE) / STRETCH;
  if (share <= -1) return -Infinity;
  return share >= 1 ? Infinity : (span * share) / (1 - Math.abs(share));
}

/** Undefined where a query, or all of them, are too large for the kernel. */
export function createBucketMemory(tables: LineTables, slices: readonly BucketSlice[]): BucketMemory | undefined {
  const { offsets, gain, norm } = tables;
  const queries = norm.length;
  const rows = gain.length;
  const arena = new Arena();
  const inputs = { start: f64(rows), slope: f64(rows), gain: f64(rows), queries: records(QUERY, queries) };
  const tabled = { discounts: f64(rows + queries), moments: f64(rows + queries), byRank: f64(rows + queries) };
  const ordered = { order: u32(rows), scratch: u32(rows), sizes: u32(rows), above: u32(rows), gainAbove: u32(rows) };
  const blocks = { starts: f64(rows), slopes: f64(rows), gains: f64(rows), falls: f64(rows), rises: f64(rows) };
  const plan = arena.take(records(PLAN, 1));
  const regions = { ...inputs, ...tabled, ...ordered, ...blocks };
  const at = arena.takeAll(regions);
  const pairs = new Float64Array(queries);
  const queried = Array.from({ length: queries }, (_, q) => {
    const n = offsets[q + 1]! - offsets[q]!;
    let gained = 0;
    for (let i = offsets[q]!; i < offsets[q + 1]!; i++) gained += Number(gain[i] !== 0);
    pairs[q] = gained * n;
    const bytes = 2 * gained * PADDING * Math.ceil(n / PADDING);
    return { n, cells: arena.take(f64((BUCKETS + 1) * gained)), places: arena.take(u8(bytes)) };
  });
  const sliced = slices.map(({ firstQuery, lastQuery }): SliceMemory => {
    const all = pairs.subarray(firstQuery, lastQuery).reduce((sum, own) => sum + own, 0);
    const room = Math.ceil(Math.max(Math.min(all, ROOM), ROOM_SHARE * all));
    return {
      firstQuery,
      lastQuery,
      values: arena.take(f64(PARTS + 1)),
      most: arena.take(f64(PARTS)),
      cells: arena.take(f64(PARTS)),
      at: arena.take(f64(room)),
      changes: arena.take(f64(room)),
      room,
    };
  });
  if (queried.some(({ n }) => n > MOST_DOCUMENTS) || arena.bytes > MOST_BYTES) return undefined;
  const memory = arena.sharedMemory();
  const { buffer } = memory;
  const arrays = arraysOf(regions, at, buffer);
  arrays.gain.set(gain);
  arrays.discounts.set(tables.discounts);
  arrays.moments.set(tables.moments);
  for (let i = 0; i + 1 < arrays.byRank.length; i++) arrays.byRank[i] = tables.discounts[i + 1]! - tables.discounts[i]!;
  const precision = Number(tables.precision);
  PLAN.view(buffer, plan).write({ ...at, precision, span: 1, stretch: STRETCH, centre: CENTRE });
  const view = QUERY.view(buffer, at.queries);
  for (const [q, { n, cells, places }] of queried.entries()) {
    const table = offsets[q]! + q;
    const tight = Number(neverFalls(arrays.byRank.subarray(table, table + n)));
    view.at(q).write({ firstRow: offsets[q]!, rows: n, table, tight, cells, places, blocks: 0, norm: norm[q]! });
  }
  arrays.order.forEach((_, row) => {
    arrays.order[row] = row;
  });
  return { memory, plan, slices: sliced, start: arrays.start, slope: arrays.slope, order: arrays.order };
}

/** Whether rank times discount never falls, but for rounding. */
function neverFalls(byRank: Float64Array): boolean {
  return byRank.every((discount, r) => r === 0 || (r + 1) * discount >= r * byRank[r - 1]! * (1 - 1e-12));
}

export class LineBuckets {
  readonly #kernel: KernelExports['line-buckets'];
  readonly #memory: BucketMemory;

  constructor(memory: BucketMemory) {
    this.#kernel = loadKernel('line-buckets', memory.memory);
    this.#memory = memory;
  }

  /** Half of the buckets are within this step. */
  set span(span: number) {
    PLAN.view(this.#memory.memory.buffer, this.#memory.plan).span = span;
  }

  /** Values and bounds by bucket. */
  coarse(slice: number): void {
    const { plan, slices } = this.#memory;
    const { firstQuery, lastQuery, cells, values, most } = slices[slice]!;
    this.#kernel.coarse(plan, firstQuery, lastQuery, cells, values, most);
  }

  /** Values and bounds by part of 2^shift places, at most PARTS of them; returns how many crossings there are. */
  closer(slice: number, low: number, high: number, shift: number): number {
    const { plan, slices } = this.#memory;
    const { firstQuery, lastQuery, cells, values, most } = slices[slice]!;
    return this.#kernel.closer(plan, firstQuery, lastQuery, low, high, shift, cells, values, most);
  }

  /** Changes in these places; returns how many there are, or -1 where there are too many. */
  fine(slice: number, low: number, high: number): number {
    const { plan, slices } = this.#memory;
    const { firstQuery, lastQuery, at, changes, room } = slices[slice]!;
    return this.#kernel.fine(plan, firstQuery, lastQuery, low, high, at, changes, room);
  }
}

/** What the kernel writes for each slice. */
export function sliceArrays({ memory: { buffer }, slices }: BucketMemory) {
  return slices.map(({ values, most, at, changes, room }) => ({
    values: new Float64Array(buffer, values, PARTS + 1),
    most: new Float64Array(buffer, most, PARTS),
    at: new Float64Array(buffer, at, room),
    changes: new Float64Array(buffer, changes, room),
  }));
}
