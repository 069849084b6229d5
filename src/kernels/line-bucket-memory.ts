/** The memory of the kernel of lines (assembly/line-buckets.ts). */
import { Arena, arraysOf, f64, MOST_BYTES, records, u16, u32 } from './arena.js';
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
import { CENTRE, STRETCH } from './line-places.js';
import { type LineUnit, type UnitTables, unitsByQuery } from './line-units.js';

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
  readonly sections: number;
  /** By row: to be filled for each line. */
  readonly start: Float64Array;
  readonly slope: Float64Array;
  /** By row: in which place of its query rows of its slope begin, which `sections` finds where it is not known. */
  readonly firsts: Uint32Array;
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
/** Sections where there are so many crossings for each row, and where there are fewer: powers of 2, 32 at least. */
const CROSSINGS_OF_MANY = 10;
const [MANY_SECTIONS, FEW_SECTIONS] = [64, 32];
/** The kernel writes whole vectors: so many numbers past the end of a list. */
const PAST = 8;

/** A power of 2. */
function bucketsFor(crossings: number, rows: number): number {
  const most = Math.min(crossings / A_BUCKET, (crossings * A_SLICE) / rows);
  return 2 ** Math.floor(Math.log2(Math.min(MOST, Math.max(FEWEST, most))));
}

/** How a line is cut. */
export interface LineCuts {
  readonly buckets: number;
  /** Wider: a power of 2, too. */
  readonly sections: number;
}

/** For so many crossings of all queries, which have so many rows. */
export function cutsFor(crossings: number, rows: number): LineCuts {
  const sections = crossings >= CROSSINGS_OF_MANY * rows ? MANY_SECTIONS : FEW_SECTIONS;
  return { buckets: bucketsFor(crossings, rows), sections };
}

/** A row of places, in bytes: vectors run past its end. */
function rowBytes({ partners }: LineUnit): number {
  return 2 * PADDING * (Math.ceil(partners / PADDING) + 1);
}

function total(units: readonly LineUnit[], of: (unit: LineUnit) => number): number {
  return units.reduce((sum, unit) => sum + of(unit), 0);
}

const documentsOf = ({ documents }: LineUnit) => documents;

/** Those of all slices: by row, by unit, by document of a unit. */
function regionsOf({ gain, norm }: LineTables, units: readonly LineUnit[], slices: number, sections: number) {
  const [rows, queries] = [gain.length, norm.length];
  const documents = total(units, documentsOf);
  return {
    start: f64(rows),
    slope: f64(rows),
    gain: f64(rows),
    queries: records(QUERY, queries),
    units: records(UNIT, units.length),
    order: u32(rows),
    byStart: u32(rows),
    scratch: u32(rows),
    firsts: u32(rows),
    discounts: f64(rows + queries),
    moments: f64(rows + queries),
    worths: f64(2 * (rows + queries)),
    elements: records(ELEMENT, documents),
    walks: records(WALK, documents),
    blocks: records(BLOCK, documents),
    partnerStarts: f64(total(units, ({ partners }) => partners + PAST)),
    partnerSlopes: f64(total(units, ({ partners }) => partners + PAST)),
    cells: u32(total(units, ({ partners }) => partners + 2)),
    steps: f64(total(units, unit => unit.documents + unit.partners + 2)),
    places: u16(total(units, unit => (unit.documents * rowBytes(unit)) / 2)),
    aboves: u16(sections * documents),
    slices: records(SLICE, slices),
  };
}

type LineRegions = ReturnType<typeof regionsOf>;
type LineAddresses = { readonly [Name in keyof LineRegions]: number };

/** What a slice of these units has for itself. */
function sliceRegions(units: readonly LineUnit[], { buckets, sections }: LineCuts) {
  const crossings = total(units, ({ documents, partners }) => documents * partners);
  const room = Math.ceil(Math.max(Math.min(crossings, ROOM), ROOM_SHARE * crossings));
  const longest = units.reduce((most, { documents }) => Math.max(most, documents), 0);
  const regions = {
    extents: f64(4),
    sections: f64(sections),
    keys: u16(longest * sections),
    tallies: u16((longest + 5) * sections),
    values: f64(buckets + 1),
    most: f64(buckets),
    ends: u32(2 * buckets + 1),
    events: u32(crossings),
    changedAt: f64(room),
    changes: f64(room),
  };
  return { regions, room };
}

/** Undefined where a query, or all of them, are too large for the kernel. */
export function createBucketMemory(
  tables: LineTables,
  slices: readonly BucketSlice[],
  cuts: LineCuts,
): BucketMemory | undefined {
  const { buckets, sections } = cuts;
  const { offsets } = tables;
  const perQuery = unitsByQuery(tables);
  const units = perQuery.flat();
  const arena = new Arena();
  const plan = arena.take(records(PLAN, 1));
  const regions = regionsOf(tables, units, slices.length, sections);
  const at = arena.takeAll(regions);
  // Slices follow each other, and so do what their documents have.
  let documents = 0;
  const sliced = slices.map(({ firstQuery, lastQuery }) => {
    const own = perQuery.slice(firstQuery, lastQuery).flat();
    const first = { elements: at.elements + ELEMENT.bytes * documents, walks: at.walks + WALK.bytes * documents };
    documents += total(own, documentsOf);
    const { regions: forSlice, room } = sliceRegions(own, cuts);
    return { ...arena.takeAll(forSlice), firstQuery, lastQuery, room, ...first };
  });
  const tooLong = offsets.some((offset, q) => q > 0 && offset - offsets[q - 1]! > MOST_DOCUMENTS);
  if (tooLong || arena.bytes > MOST_BYTES) return undefined;
  const memory = arena.sharedMemory();
  const { buffer } = memory;
  const arrays = arraysOf(regions, at, buffer);
  arrays.gain.set(tables.gain);
  arrays.discounts.set(tables.discounts);
  arrays.moments.set(tables.moments);
  for (let row = 0; row < arrays.order.length; row++) arrays.order[row] = arrays.byStart[row] = row;
  const shift = Math.log2(PLACES / buckets);
  const sectionShift = Math.log2(PLACES / sections);
  const places = { span: 1, stretch: STRETCH, centre: CENTRE };
  PLAN.view(buffer, plan).write({ ...at, knowsFirsts: 0, buckets, shift, sections, sectionShift, ...places });
  const sliceView = SLICE.view(buffer, at.slices);
  for (const [s, slice] of sliced.entries()) sliceView.at(s).write(slice);
  writeUnits(tables, perQuery, slices, { at, steps: arrays.steps, worths: arrays.worths, sections, buffer });
  const { start, slope, firsts } = arrays;
  return {
    memory,
    plan,
    slices: slices.map((_, s) => at.slices + s * SLICE.bytes),
    ...cuts,
    start,
    slope,
    firsts,
  };
}

interface UnitMemory {
  readonly at: LineAddresses;
  readonly steps: Float64Array;
  readonly worths: Float64Array;
  readonly sections: number;
  readonly buffer: ArrayBuffer;
}

/** Records of queries and their units, and the steps of these. */
function writeUnits(
  { offsets, norm, discounts, precision }: LineTables,
  perQuery: readonly (readonly LineUnit[])[],
  slices: readonly BucketSlice[],
  { at, steps, worths, sections, buffer }: UnitMemory,
): void {
  const queryView = QUERY.view(buffer, at.queries);
  const unitView = UNIT.view(buffer, at.units);
  const firsts = new Set(slices.map(({ firstQuery }) => firstQuery));
  const next = { unit: 0, document: 0, partner: 0, cell: 0, step: 0, place: 0, ofSlice: 0 };
  for (const [q, units] of perQuery.entries()) {
    const table = offsets[q]! + q;
    const n = offsets[q + 1]! - offsets[q]!;
    const byRank = Float64Array.from({ length: n }, (_, r) => discounts[table + r + 1]! - discounts[table + r]!);
    // A rank has two of them, and the first rank is 1.
    byRank.forEach((discount, r) => {
      worths[2 * (table + r + 1) + Number(!precision)] = discount;
    });
    queryView.at(q).write({ firstRow: offsets[q]!, rows: n, firstUnit: next.unit, units: units.length });
    if (firsts.has(q)) next.ofSlice = 0;
    for (const unit of units) {
      const scale = norm[q]! * unit.gain;
      for (let r = 1; r < n; r++) steps[next.step + r] = scale * (byRank[r - 1]! - byRank[r]!);
      unitView.at(next.unit++).write({
        form: precision ? (neverFalls(byRank) ? PRECISION : CUT_PRECISION) : LINEAR,
        partners: unit.partners,
        firstElement: next.ofSlice,
        elements: at.elements + ELEMENT.bytes * next.document,
        walks: at.walks + WALK.bytes * next.document,
        blocks: at.blocks + BLOCK.bytes * next.document,
        partnerStarts: at.partnerStarts + 8 * next.partner,
        partnerSlopes: at.partnerSlopes + 8 * next.partner,
        places: at.places + next.place,
        rowBytes: rowBytes(unit),
        aboves: at.aboves + 2 * sections * next.document,
        cells: at.cells + 4 * next.cell,
        steps: at.steps + 8 * next.step,
        discounts: at.discounts + 8 * table,
        moments: at.moments + 8 * table,
        worths: at.worths + 16 * table,
        elementCount: 0,
        blockCount: 0,
        gain: unit.gain,
        scale,
        highest: scale * highestOf(byRank, unit.documents, precision),
      });
      next.document += unit.documents;
      next.ofSlice += unit.documents;
      next.partner += unit.partners + PAST;
      next.cell += unit.partners + 2;
      next.step += unit.documents + unit.partners + 2;
      next.place += unit.documents * rowBytes(unit);
    }
  }
}

/** What so many documents count at most, over the scale. */
function highestOf(byRank: Float64Array, documents: number, precision: boolean): number {
  let sum = 0;
  let most = 0;
  for (let r = byRank.length; r > 0; r--) {
    most = Math.max(most, byRank[r - 1]!);
    if (r <= documents) sum += precision ? r * most : most;
  }
  return sum;
}

/** Whether rank times discount never falls, but for rounding. */
function neverFalls(byRank: Float64Array): boolean {
  return byRank.every((discount, r) => r === 0 || (r + 1) * discount >= r * byRank[r - 1]! * (1 - 1e-12));
}
