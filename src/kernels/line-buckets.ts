/** The kernel of lines of scores (assembly/line-buckets.ts) over a memory that threads share. */
import { Arena, arraysOf, f64, MOST_BYTES, records, u16, u32 } from './arena.js';
import type { KernelExports } from './exports.js';
import {
  BLOCK,
  CUT_PRECISION,
  ELEMENT,
  LINEAR,
  PADDING,
  PLACES,
  PLAN,
  PRECISION,
  QUERY,
  SLICE,
  UNIT,
  WALK,
} from './layouts/line-buckets.js';
import { type LineUnit, type UnitTables, unitsByQuery } from './line-units.js';
import { loadKernel } from './load.js';

/** What does not change from line to line: see src/lines/counted-form.ts. */
export interface LineTables extends UnitTables {
  readonly precision: boolean;
  readonly discounts: Float64Array;
  readonly moments: Float64Array;
}

export interface BucketSlice {
  readonly firstQuery: number;
  readonly lastQuery: number;
}

/** Can be given to other threads. */
export interface BucketMemory {
  readonly memory: WebAssembly.Memory;
  readonly plan: number;
  /** Addresses of records. */
  readonly slices: readonly number[];
  readonly buckets: number;
  /** By row: to be filled for each line. */
  readonly start: Float64Array;
  readonly slope: Float64Array;
  /**
   * Rows of each query in an order near to that of the line, if one is known; in their order along it after `coarse`.
   */
  readonly order: Uint32Array;
}

/** Elements of a slice are known by 16 bits. */
const MOST_DOCUMENTS = 65535;
/** Of all crossings of a slice, those that there is room for at once; of few ones for all. */
const ROOM_SHARE = 1 / 8;
const ROOM = 16384;
/** Crossings of a bucket, about; and buckets for the crossings of a row at most: slices have all: it takes memory. */
const A_BUCKET = 300;
const A_SLICE = 85;
const [FEWEST, MOST] = [64, 16384];

/** The place of step 0, amid those of a bucket, and how far from it those of infinite steps are. */
const CENTRE = PLACES / 2 - 200;
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

/** A row of places, in bytes: vectors run past its end. */
function rowBytes({ partners }: LineUnit): number {
  return 2 * PADDING * (Math.ceil(partners / PADDING) + 1);
}

/** For so many crossings of all queries, which have so many rows: a power of 2. */
export function bucketsFor(crossings: number, rows: number): number {
  const most = Math.min(crossings / A_BUCKET, (crossings * A_SLICE) / rows);
  return 2 ** Math.floor(Math.log2(Math.min(MOST, Math.max(FEWEST, most))));
}

/** Undefined where a query, or all of them, are too large for the kernel. */
export function createBucketMemory(
  tables: LineTables,
  slices: readonly BucketSlice[],
  buckets: number,
): BucketMemory | undefined {
  const { offsets, gain, norm } = tables;
  const queries = norm.length;
  const rows = gain.length;
  const perQuery = unitsByQuery(tables);
  const units = perQuery.flat();
  const total = (of: (unit: LineUnit) => number, among = units) => among.reduce((sum, unit) => sum + of(unit), 0);
  const crossings = ({ documents, partners }: LineUnit) => documents * partners;
  const documents = total(unit => unit.documents);
  const arena = new Arena();
  const plan = arena.take(records(PLAN, 1));
  const regions = {
    start: f64(rows),
    slope: f64(rows),
    gain: f64(rows),
    queries: records(QUERY, queries),
    units: records(UNIT, units.length),
    order: u32(rows),
    scratch: u32(rows),
    discounts: f64(rows + queries),
    moments: f64(rows + queries),
    elements: records(ELEMENT, documents),
    walks: records(WALK, documents),
    blocks: records(BLOCK, documents),
    cells: u32(total(({ partners }) => partners + 2)),
    steps: f64(total(unit => unit.documents + unit.partners + 2)),
    places: u16(total(unit => (unit.documents * rowBytes(unit)) / 2)),
    slices: records(SLICE, slices.length),
  };
  const at = arena.takeAll(regions);
  // Slices follow each other, and so do their walks.
  let { walks } = at;
  const sliced = slices.map(({ firstQuery, lastQuery }) => {
    const own = perQuery.slice(firstQuery, lastQuery).flat();
    const first = walks;
    walks += WALK.bytes * total(unit => unit.documents, own);
    const all = total(crossings, own);
    const longest = own.reduce((most, { partners }) => Math.max(most, partners), 0);
    const room = Math.ceil(Math.max(Math.min(all, ROOM), ROOM_SHARE * all));
    return {
      ...arena.takeAll({
        values: f64(buckets + 1),
        most: f64(buckets),
        ends: u32(2 * buckets),
        events: u16(all),
        partnerStarts: f64(longest + 8),
        partnerSlopes: f64(longest + 8),
        changedAt: f64(room),
        changes: f64(room),
      }),
      firstQuery,
      lastQuery,
      room,
      walks: first,
    };
  });
  const tooLong = offsets.some((offset, q) => q > 0 && offset - offsets[q - 1]! > MOST_DOCUMENTS);
  if (tooLong || arena.bytes > MOST_BYTES) return undefined;
  const memory = arena.sharedMemory();
  const { buffer } = memory;
  const arrays = arraysOf(regions, at, buffer);
  arrays.gain.set(gain);
  arrays.discounts.set(tables.discounts);
  arrays.moments.set(tables.moments);
  const shift = Math.log2(PLACES / buckets);
  PLAN.view(buffer, plan).write({ ...at, buckets, shift, span: 1, stretch: STRETCH, centre: CENTRE });
  const sliceView = SLICE.view(buffer, at.slices);
  for (const [s, slice] of sliced.entries()) sliceView.at(s).write(slice);
  const queryView = QUERY.view(buffer, at.queries);
  const unitView = UNIT.view(buffer, at.units);
  const next = { unit: 0, document: 0, cell: 0, step: 0, place: 0, ofSlice: 0, slice: 0 };
  for (let q = 0; q < queries; q++) {
    const table = offsets[q]! + q;
    const n = offsets[q + 1]! - offsets[q]!;
    const byRank = Float64Array.from(
      { length: n },
      (_, r) => tables.discounts[table + r + 1]! - tables.discounts[table + r]!,
    );
    queryView.at(q).write({ firstRow: offsets[q]!, rows: n, firstUnit: next.unit, units: perQuery[q]!.length });
    if (next.slice + 1 < slices.length && q === slices[next.slice + 1]!.firstQuery) {
      next.slice++;
      next.ofSlice = 0;
    }
    for (const unit of perQuery[q]!) {
      const scale = norm[q]! * unit.gain;
      for (let r = 1; r < n; r++) arrays.steps[next.step + r] = scale * (byRank[r - 1]! - byRank[r]!);
      unitView.at(next.unit++).write({
        form: tables.precision ? (neverFalls(byRank) ? PRECISION : CUT_PRECISION) : LINEAR,
        partners: unit.partners,
        firstElement: next.ofSlice,
        elements: at.elements + ELEMENT.bytes * next.document,
        walks: at.walks + WALK.bytes * next.document,
        blocks: at.blocks + BLOCK.bytes * next.document,
        places: at.places + next.place,
        rowBytes: rowBytes(unit),
        cells: at.cells + 4 * next.cell,
        steps: at.steps + 8 * next.step,
        discounts: at.discounts + 8 * table,
        moments: at.moments + 8 * table,
        elementCount: 0,
        blockCount: 0,
        gain: unit.gain,
        scale,
      });
      next.document += unit.documents;
      next.ofSlice += unit.documents;
      next.cell += unit.partners + 2;
      next.step += unit.documents + unit.partners + 2;
      next.place += unit.documents * rowBytes(unit);
    }
  }
  arrays.order.forEach((_, row) => {
    arrays.order[row] = row;
  });
  const { start, slope, order } = arrays;
  return { memory, plan, slices: slices.map((_, s) => at.slices + s * SLICE.bytes), buckets, start, slope, order };
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
    this.#kernel.coarse(plan, slices[slice]!);
  }

  /** Changes in these places; returns how many there are, or -1 where there are too many. */
  fine(slice: number, low: number, high: number): number {
    const { plan, slices } = this.#memory;
    return this.#kernel.fine(plan, slices[slice]!, low, high);
  }
}

/** What the kernel writes for each slice. */
export function sliceArrays({ memory: { buffer }, slices, buckets }: BucketMemory) {
  return slices.map(address => {
    const { values, most, changedAt, changes, room } = SLICE.view(buffer, address).read();
    return {
      values: new Float64Array(buffer, values, buckets + 1),
      most: new Float64Array(buffer, most, buckets),
      at: new Float64Array(buffer, changedAt, room),
      changes: new Float64Array(buffer, changes, room),
    };
  });
}
