// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Queries along a line of scores, for measures that follow from how many documents are above each: first how high they
// can be in wide sections of the line; then, of some sections, what they are where buckets begin, and how high they can
// be within each; then, of a few buckets, every change. The reference is src/lines/counted-sweep.ts.
//
// Crossings of documents with one gain say nothing: of each query, documents of one gain are a unit, and what crosses
// them are the others, their partners (common/line-walk.ts). Crossings are dealt to buckets by counting. In each bucket
// all that helps comes first, which bounds what the sum can be, then all else.

import { i32At, elementOf, f64At, findElements, sortRows } from './common/line-units';
import { AT_ONCE, runFrom, runLength, withinNext } from './common/line-runs';
import { addSections } from './common/line-sections';
import { addExtents } from './common/line-extents';
import { isOvertaken, overtakes, putElements, unitValue } from './common/line-walk';
import {
  Element, ELEMENT_BYTES, LINEAR, NO_PLACE, PADDING, Plan, Query, QUERY_BYTES, Slice, Unit, UNIT_BYTES, Walk,
  WALK_BYTES,
} from './layouts/line-buckets';

/** Added to a number that is not negative, its whole part is in the lower 32 bits, rounded. */
const ROUNDER: f64 = 4503599627370496;

@inline function queryOf(plan: Plan, q: i32): Query {
  return changetype<Query>(<usize>plan.queries + <usize>q * QUERY_BYTES);
}

@inline function unitOf(plan: Plan, u: u32): Unit {
  return changetype<Unit>(<usize>plan.units + <usize>u * UNIT_BYTES);
}

@inline function walkOf(unit: Unit, e: i32): Walk {
  return changetype<Walk>(<usize>unit.walks + <usize>e * WALK_BYTES);
}

@inline function placesOf(unit: Unit, e: i32): usize {
  return <usize>unit.places + <usize>e * <usize>unit.rowBytes;
}

/** The places of two crossings, each in the lower half of its lane. */
@inline function places2(
  starts: usize, slopes: usize, at: usize, start: v128, slope: v128, span: v128, stretch: v128, centre: v128,
): v128 {
  const x = f64x2.sub(v128.load(starts + at), start);
  const y = f64x2.mul(f64x2.sub(v128.load(slopes + at), slope), span);
  return f64x2.add(f64x2.mul(f64x2.div(x, f64x2.add(y, f64x2.abs(x))), stretch), centre);
}

/** Where a line is crossed by partners from..to, all slower (sign 1) or all faster (sign -1); and by up to 7 more. */
@inline function cross(
  plan: Plan, starts: usize, slopes: usize, line: v128, growth: v128, from: i32, to: i32, sign: f64, places: usize,
): void {
  const span = f64x2.splat(-sign * plan.span);
  const stretch = f64x2.splat(sign * plan.stretch);
  const centre = f64x2.splat(plan.centre + ROUNDER);
  for (let j = from; j < to; j += 8) {
    const at = <usize>j << 3;
    const a = places2(starts, slopes, at, line, growth, span, stretch, centre);
    const b = places2(starts, slopes, at + 16, line, growth, span, stretch, centre);
    const c = places2(starts, slopes, at + 32, line, growth, span, stretch, centre);
    const d = places2(starts, slopes, at + 48, line, growth, span, stretch, centre);
    const low = v128.shuffle<i32>(a, b, 0, 2, 4, 6);
    const high = v128.shuffle<i32>(c, d, 0, 2, 4, 6);
    v128.store(places + (<usize>j << 1), i16x8.narrow_i32x4_u(low, high));
  }
}

/** Nothing crosses from..to; and up to 7 more are written, which is why what comes later is written later. */
@inline function noPlaces(places: usize, from: i32, to: i32): void {
  for (let j = from; j < to; j += 8) v128.store(places + (<usize>j << 1), i16x8.splat(<i16>NO_PLACE));
}

/** Where the lines of a unit cross those of its partners. */
function crossUnit(plan: Plan, unit: Unit): void {
  const starts = <usize>unit.partnerStarts;
  const slopes = <usize>unit.partnerSlopes;
  const partners = <i32>unit.partners;
  for (let e = 0; e < <i32>unit.elementCount; e++) {
    const element = elementOf(unit, e);
    const line = f64x2.splat(element.start);
    const growth = f64x2.splat(element.slope);
    const places = placesOf(unit, e);
    const falls = <i32>element.falls;
    const rises = <i32>element.rises;
    cross(plan, starts, slopes, line, growth, 0, falls, 1, places);
    noPlaces(places, falls, rises);
    cross(plan, starts, slopes, line, growth, rises, partners, -1, places);
    noPlaces(places, partners, partners + <i32>PADDING);
  }
}

/** How far the scores of a slice reach, and how fast they grow. */
export function extents(planAt: usize, sliceAt: usize): void {
  const plan = changetype<Plan>(planAt);
  const slice = changetype<Slice>(sliceAt);
  v128.store(slice.extents, f64x2.splat(0));
  v128.store(slice.extents, f64x2.splat(0), 16);
  for (let q = <i32>slice.firstQuery; q < <i32>slice.lastQuery; q++) addExtents(plan, queryOf(plan, q), slice.extents);
}

/** How high the sum of the queries of a slice can get in each section of a line. */
export function sections(planAt: usize, sliceAt: usize): void {
  const plan = changetype<Plan>(planAt);
  const slice = changetype<Slice>(sliceAt);
  memory.fill(slice.sections, 0, <usize>plan.sections << 3);
  for (let q = <i32>slice.firstQuery; q < <i32>slice.lastQuery; q++) {
    const query = queryOf(plan, q);
    if (query.units > 0) sortRows(plan, query);
    for (let u: u32 = 0; u < query.units; u++) {
      const unit = unitOf(plan, query.firstUnit + u);
      findElements(plan, query, unit);
      crossUnit(plan, unit);
      addSections(plan, slice, unit);
    }
  }
}

/** The sum of the queries of a slice below every crossing: the value where the first bucket begins. */
export function first(planAt: usize, sliceAt: usize): void {
  const plan = changetype<Plan>(planAt);
  const slice = changetype<Slice>(sliceAt);
  let sum: f64 = 0;
  for (let q = <i32>slice.firstQuery; q < <i32>slice.lastQuery; q++) {
    const query = queryOf(plan, q);
    if (query.units > 0) sortRows(plan, query);
    for (let u: u32 = 0; u < query.units; u++) {
      const unit = unitOf(plan, query.firstUnit + u);
      findElements(plan, query, unit);
      for (let e = 0; e < <i32>unit.elementCount; e++) walkOf(unit, e).spare = elementOf(unit, e).above;
      putElements(unit);
      sum += unitValue(unit);
    }
  }
  store<f64>(<usize>slice.values, sum);
}

/** As many partners are above the elements of a unit as where a section begins. */
function atSection(plan: Plan, unit: Unit, section: i32): void {
  const bytes = <usize>plan.sections << 1;
  let above = <usize>unit.aboves + (<usize>section << 1);
  for (let e = 0; e < <i32>unit.elementCount; e++, above += bytes) walkOf(unit, e).spare = <u32>load<u16>(above);
}

/** From counts to where each begins. */
function beginnings(ends: usize, buckets: i32): void {
  let sum = 0;
  for (let b = 0; b < buckets << 1; b++) {
    const count = i32At(ends, b);
    store<i32>(ends + (<usize>b << 2), sum);
    sum += count;
  }
}

/** The ends of a bucket: of what lets elements rise, and of the rest. What is before them ends where it begins. */
@inline function endsOf(slice: Slice, bucket: i32): usize {
  return <usize>slice.ends + 4 + (<usize>bucket << 3);
}

/** Where the events of a bucket begin. */
@inline function eventsFrom(slice: Slice, bucket: i32): usize {
  return <usize>slice.events + (<usize>load<i32>(endsOf(slice, bucket) - 4) << 2);
}

/** The element of an event, by its number in the slice, and the partner. */
@inline function elementIn(event: usize): usize {
  return <usize>load<u16>(event, 2);
}

@inline function partnerIn(event: usize): i32 {
  return <i32>load<u16>(event);
}

/** Walks through the buckets from..to. */
@inline function walkBuckets(precision: bool, slice: Slice, from: i32, to: i32, first: f64): void {
  const walks = <usize>slice.walks;
  const events = <usize>slice.events;
  let at = events;
  let sum = first;
  for (let b = from; b < to; b++) {
    const ends = endsOf(slice, b);
    store<f64>(<usize>slice.values + (<usize>b << 3), sum);
    for (const end = events + (<usize>load<i32>(ends) << 2); at < end; at += 4) {
      sum += overtakes(precision, walks, elementIn(at));
    }
    store<f64>(<usize>slice.most + (<usize>b << 3), sum);
    for (const end = events + (<usize>load<i32>(ends, 4) << 2); at < end; at += 4) {
      sum -= isOvertaken(precision, walks, elementIn(at));
    }
  }
  store<f64>(<usize>slice.values + (<usize>to << 3), sum);
}

function walkDiscounts(slice: Slice, from: i32, to: i32, first: f64): void {
  walkBuckets(false, slice, from, to, first);
}

function walkPrecisions(slice: Slice, from: i32, to: i32, first: f64): void {
  walkBuckets(true, slice, from, to, first);
}

/** The number of the end for the crossing with partner j: those that let elements rise come first in each bucket. */
@inline function numberOf(places: usize, j: i32, rises: i32, shift: i32): i32 {
  return ((<i32>load<u16>(places + (<usize>j << 1)) >> shift) << 1) + i32(j >= rises);
}

/** Puts an event where the ones before it of its number end. */
@inline function deal(ends: usize, events: usize, number: i32, event: i32): void {
  const end = ends + (<usize>number << 2);
  const place = load<i32>(end);
  store<i32>(events + (<usize>place << 2), event);
  store<i32>(end, place + 1);
}

/**
 * Deals the crossings of a unit in places low to high; or counts them by bucket, and notes the end and the event of
 * each where there is room. Returns how many there are, with those `before`.
 */
@inline function visitCrossings(
  deals: bool, plan: Plan, slice: Slice, unit: Unit, low: i32, high: i32, before: i32,
): i32 {
  const ends = endsOf(slice, 0);
  const events = <usize>slice.events;
  const noted = <usize>slice.changedAt;
  const numbers = <usize>slice.changes;
  const room = <i32>slice.room << 1;
  const partners = <i32>unit.partners;
  const shift = <i32>plan.shift;
  const from = runFrom(low);
  const length = runLength(low, high);
  let count = before;
  for (let e = 0; e < <i32>unit.elementCount; e++) {
    const rises = <i32>elementOf(unit, e).rises;
    const places = placesOf(unit, e);
    const id = (<i32>unit.firstElement + e) << 16;
    for (let k = 0; k < partners; k += AT_ONCE) {
      for (let bits = withinNext(places, k, partners, from, length); bits != 0; bits &= bits - 1) {
        const j = k + <i32>ctz(bits);
        const number = numberOf(places, j, rises, shift);
        if (deals) deal(ends, events, number, id | j);
        else {
          const end = ends + (<usize>number << 2);
          store<i32>(end, load<i32>(end) + 1);
          if (count < room) {
            store<i32>(noted + (<usize>count << 2), id | j);
            store<i32>(numbers + (<usize>count << 2), number);
          }
        }
        count++;
      }
    }
  }
  return count;
}

function countCrossings(plan: Plan, slice: Slice, unit: Unit, low: i32, high: i32, before: i32): i32 {
  return visitCrossings(false, plan, slice, unit, low, high, before);
}

/** Where there was no room to note all. */
function dealCrossings(plan: Plan, slice: Slice, unit: Unit, low: i32, high: i32): void {
  visitCrossings(true, plan, slice, unit, low, high, 0);
}

/** All that were noted. */
function dealNoted(slice: Slice, count: i32): void {
  const ends = endsOf(slice, 0);
  const events = <usize>slice.events;
  const noted = <usize>slice.changedAt;
  const numbers = <usize>slice.changes;
  for (let at: usize = 0, end = <usize>count << 2; at < end; at += 4) {
    deal(ends, events, load<i32>(numbers + at), load<i32>(noted + at));
  }
}

/**
 * Values and bounds of the buckets in places low to high, whole sections, summed over the queries of a slice. After
 * `sections`.
 */
export function coarse(planAt: usize, sliceAt: usize, low: i32, high: i32): void {
  const plan = changetype<Plan>(planAt);
  const slice = changetype<Slice>(sliceAt);
  const from = low >> <i32>plan.shift;
  const to = high >> <i32>plan.shift;
  const ends = endsOf(slice, from);
  // Events begin at 0, which is the end of what is before the first bucket.
  memory.fill(ends - 4, 0, (<usize>(to - from) << 3) + 4);
  let sum: f64 = 0;
  let count = 0;
  let precision = false;
  for (let q = <i32>slice.firstQuery; q < <i32>slice.lastQuery; q++) {
    const query = queryOf(plan, q);
    for (let u: u32 = 0; u < query.units; u++) {
      const unit = unitOf(plan, query.firstUnit + u);
      precision = unit.form != LINEAR;
      atSection(plan, unit, low >> <i32>plan.sectionShift);
      putElements(unit);
      sum += unitValue(unit);
      count = countCrossings(plan, slice, unit, low, high, count);
    }
  }
  beginnings(ends, to - from);
  if (count <= <i32>slice.room << 1) dealNoted(slice, count);
  else for (let q = <i32>slice.firstQuery; q < <i32>slice.lastQuery; q++) {
    const query = queryOf(plan, q);
    for (let u: u32 = 0; u < query.units; u++) {
      dealCrossings(plan, slice, unitOf(plan, query.firstUnit + u), low, high);
    }
  }
  if (precision) walkPrecisions(slice, from, to, sum);
  else walkDiscounts(slice, from, to, sum);
}

/** Sorts numbers, and what is beside them in a second list, by Shell's method. */
function sortBeside(at: usize, beside: usize, n: i32): void {
  let gap = 1;
  while (gap < n / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (let i = gap; i < n; i++) {
      const key = f64At(at, i);
      const own = load<i64>(beside + (<usize>i << 3));
      let j = i;
      for (; j >= gap && f64At(at, j - gap) > key; j -= gap) {
        store<f64>(at + (<usize>j << 3), f64At(at, j - gap));
        store<i64>(beside + (<usize>j << 3), load<i64>(beside + (<usize>(j - gap) << 3)));
      }
      store<f64>(at + (<usize>j << 3), key);
      store<i64>(beside + (<usize>j << 3), own);
    }
  }
}

@inline function walkIn(slice: Slice, event: usize): Walk {
  return changetype<Walk>(<usize>slice.walks + elementIn(event) * WALK_BYTES);
}

/** Counts the partners above elements on, through the buckets from..to. */
function countOn(slice: Slice, from: i32, to: i32): void {
  let at = eventsFrom(slice, from);
  for (let b = from; b < to; b++) {
    const rises = <usize>slice.events + (<usize>load<i32>(endsOf(slice, b)) << 2);
    for (; at < rises; at += 4) walkIn(slice, at).spare--;
    for (const end = eventsFrom(slice, b + 1); at < end; at += 4) walkIn(slice, at).spare++;
  }
}

/** Puts the elements of a slice where they are when a bucket begins; returns whether precisions are summed up. */
function putAt(plan: Plan, slice: Slice, bucket: i32): bool {
  const widen = <i32>(plan.sectionShift - plan.shift);
  const section = bucket >> widen;
  let precision = false;
  for (let q = <i32>slice.firstQuery; q < <i32>slice.lastQuery; q++) {
    const query = queryOf(plan, q);
    for (let u: u32 = 0; u < query.units; u++) atSection(plan, unitOf(plan, query.firstUnit + u), section);
  }
  countOn(slice, section << widen, bucket);
  for (let q = <i32>slice.firstQuery; q < <i32>slice.lastQuery; q++) {
    const query = queryOf(plan, q);
    for (let u: u32 = 0; u < query.units; u++) {
      const unit = unitOf(plan, query.firstUnit + u);
      precision = unit.form != LINEAR;
      putElements(unit);
    }
  }
  return precision;
}

/**
 * Every change in places low to high, whole buckets of those that `coarse` was last asked for, in order; returns how
 * many there are, or -1 where there is no room.
 */
export function fine(planAt: usize, sliceAt: usize, low: i32, high: i32): i32 {
  const plan = changetype<Plan>(planAt);
  const slice = changetype<Slice>(sliceAt);
  const bucket = low >> <i32>plan.shift;
  const from = eventsFrom(slice, bucket);
  const count = <i32>((eventsFrom(slice, high >> <i32>plan.shift) - from) >> 2);
  if (count == 0) return 0;
  if (count > <i32>slice.room) return -1;
  const precision = putAt(plan, slice, bucket);
  for (let k = 0; k < count; k++) {
    const event = from + (<usize>k << 2);
    const j = partnerIn(event);
    const id = elementIn(event);
    const unit = changetype<Unit>(<usize>walkIn(slice, event).unit);
    const element = changetype<Element>(<usize>slice.elements + id * ELEMENT_BYTES);
    const x = f64At(unit.partnerStarts, j) - element.start;
    store<f64>(<usize>slice.changedAt + (<usize>k << 3), x / (element.slope - f64At(unit.partnerSlopes, j)));
    store<i64>(<usize>slice.changes + (<usize>k << 3), <i64>(id << 1) | <i64>(j >= <i32>element.rises));
  }
  sortBeside(slice.changedAt, slice.changes, count);
  for (let k = 0; k < count; k++) {
    const change = <usize>slice.changes + (<usize>k << 3);
    const event = load<i32>(change);
    const element = <usize>(event >> 1);
    if (event & 1) store<f64>(change, -isOvertaken(precision, slice.walks, element));
    else store<f64>(change, overtakes(precision, slice.walks, element));
  }
  return count;
}
