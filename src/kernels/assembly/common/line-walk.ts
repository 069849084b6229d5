// Units along a line, one crossing after the other.
//
// Of documents with one gain it does not matter which is where: the k-th of a unit has rank k + c, with c partners
// above it. A cell for each c says how many documents have c partners above them or fewer. When a partner falls behind
// a document with c of them above, that document is number k = cell[c - 1] + 1, its rank is one less; all else stays
// as it was; the other way round it is number cell[c].
//
// A block is what documents of a unit and partners of theirs with one line are together: any order of theirs is as
// likely. Documents are above or below it, so none has between c and c + others partners above it, if the block has
// c: its value follows from how many are above. In bounds, where all that helps comes first, documents may get there.
// Then they count as if they were where that counts more: for precisions behind the block in their number, before it in
// what is above the block; for discounts the other way round. Cells where this says something are flagged.

import { Block, BLOCK_BYTES, CUT_PRECISION, LINEAR, PRECISION, Unit, Walk, WALK_BYTES } from '../layouts/line-buckets';
import { elementOf, f64At, i32At } from './line-units';

const FLAG: i32 = 1 << 30;
/** Says in `Walk.steps` that a block is meant: steps are multiples of 8. */
const BLOCK_STEPS: u32 = 1;

@inline function blockOf(unit: Unit, b: i32): Block {
  return changetype<Block>(<usize>unit.blocks + <usize>b * BLOCK_BYTES);
}

@inline function cellOf(unit: Unit, c: i32): usize {
  return <usize>unit.cells + (<usize>c << 2);
}

/** The cell from which a block counts. */
@inline function placeOf(unit: Unit, block: Block): i32 {
  return unit.form == LINEAR ? block.above + block.others : block.above;
}

/** All documents whose place is up to that. */
@inline function upTo(unit: Unit, c: i32): i32 {
  return i32At(unit.cells, c) & ~FLAG;
}

/** Those outside of blocks. */
function singlesUpTo(unit: Unit, c: i32): i32 {
  let singles = upTo(unit, c);
  for (let b = 0; b < <i32>unit.blockCount; b++) {
    const block = blockOf(unit, b);
    if (placeOf(unit, block) <= c) singles -= block.size;
  }
  return singles;
}

/** What document number k counts, at this rank. */
@inline function countsAt(unit: Unit, k: i32, rank: i32): f64 {
  const value = unit.scale * (f64At(unit.discounts, rank) - f64At(unit.discounts, rank - 1));
  return unit.form == LINEAR ? value : value * <f64>k;
}

/** What the k-th document outside of blocks counts, with c partners above it. */
function single(unit: Unit, k: i32, c: i32): f64 {
  let most = k;
  let least = k;
  for (let b = 0; b < <i32>unit.blockCount; b++) {
    const block = blockOf(unit, b);
    if (block.above < c) most += block.size;
    if (block.above + block.others <= c) least += block.size;
  }
  return countsAt(unit, most, c + (unit.form == PRECISION ? most : least));
}

/** How many of them have c partners above. */
@inline function countAt(unit: Unit, c: i32): i32 {
  let singles = upTo(unit, c) - (c > 0 ? upTo(unit, c - 1) : 0);
  if (singles == 0) return 0;
  for (let b = 0; b < <i32>unit.blockCount; b++) {
    const block = blockOf(unit, b);
    if (placeOf(unit, block) == c) singles -= block.size;
  }
  return singles;
}

/** What so many of them, all with c partners above, count. */
function singlesAt(unit: Unit, c: i32, count: i32): f64 {
  let sum: f64 = 0;
  if (count == 0) return sum;
  for (let last = singlesUpTo(unit, c), k = last - count + 1; k <= last; k++) sum += single(unit, k, c);
  return sum;
}

/** Documents that are above a block in any case. */
function leastAbove(unit: Unit, block: Block): i32 {
  if (unit.form == LINEAR) return upTo(unit, block.above);
  let least = singlesUpTo(unit, block.above);
  for (let b = 0; b < <i32>unit.blockCount; b++) {
    const other = blockOf(unit, b);
    if (other.above + other.others <= block.above) least += other.size;
  }
  return least;
}

/**
 * The mean over the orders of a block (src/lines/counted-form.ts) of so many documents and partners, behind `most`
 * documents of the unit, from rank `first` on.
 */
@inline export function meanOf(unit: Unit, documents: u32, partners: u32, most: i32, first: i32): f64 {
  const size = <i32>documents + <i32>partners;
  const discount = f64At(unit.discounts, first + size) - f64At(unit.discounts, first);
  const mean = (unit.scale * <f64>documents) / <f64>size;
  if (unit.form == LINEAR) return mean * discount;
  const moment = f64At(unit.moments, first + size) - f64At(unit.moments, first) - <f64>first * discount;
  return mean * (<f64>(most + 1) * discount + (<f64>(<i32>documents - 1) / <f64>(size - 1)) * moment);
}

/** What a block counts. Keeps it; returns by how much it changed. */
function value(unit: Unit, block: Block): f64 {
  const most = upTo(unit, block.above + block.others - 1) - block.size;
  const first = block.above + (unit.form == PRECISION ? most : leastAbove(unit, block));
  const now = meanOf(unit, block.size, block.others, most, first);
  const change = now - block.value;
  block.value = now;
  return change;
}

@inline function setFlags(unit: Unit, block: Block, flag: i32): void {
  const end = block.above + block.others - 1;
  if (unit.form == CUT_PRECISION) {
    for (let c = block.above; c <= end; c++) store<i32>(cellOf(unit, c), upTo(unit, c) | flag);
    return;
  }
  store<i32>(cellOf(unit, block.above), upTo(unit, block.above) | flag);
  store<i32>(cellOf(unit, end), upTo(unit, end) | flag);
}

function setAllFlags(unit: Unit): void {
  for (let b = 0; b < <i32>unit.blockCount; b++) setFlags(unit, blockOf(unit, b), FLAG);
}

/** By how much a document outside of blocks counts more with as many partners above as a cell than with one more. */
@inline function rise(unit: Unit, cell: i32, by: i32): f64 {
  if (unit.form == CUT_PRECISION) {
    const k = singlesUpTo(unit, cell) + i32(by < 0);
    return single(unit, k, cell) - single(unit, k, cell + 1);
  }
  // Blocks that it is above of with the fewer, below with the more.
  let passed = 0;
  for (let b = 0; b < <i32>unit.blockCount; b++) {
    const block = blockOf(unit, b);
    if (block.above + (unit.form == LINEAR ? block.others - 1 : 0) == cell) passed += block.size;
  }
  const upper = upTo(unit, cell) + i32(by < 0) - (unit.form == LINEAR ? 0 : passed);
  const lower = upper + passed;
  return countsAt(unit, upper, upper + cell) - countsAt(unit, lower, lower + cell + 1);
}

/** A document outside of blocks, next to one: from c partners above to one less, or one more. */
function moveSingle(unit: Unit, walk: Walk, by: i32): f64 {
  const c = <i32>(<usize>walk.cell - <usize>unit.cells) >> 2;
  const cell = by < 0 ? c - 1 : c;
  let change = -<f64>by * rise(unit, cell, by);
  store<i32>(cellOf(unit, cell), i32At(unit.cells, cell) - by);
  walk.cell = cellOf(unit, c + by);
  for (let b = 0; b < <i32>unit.blockCount; b++) {
    const block = blockOf(unit, b);
    const isAbove = unit.form != PRECISION && block.above == cell;
    const isBelow = unit.form != LINEAR && block.above + block.others - 1 == cell;
    if (isAbove || isBelow) change += value(unit, block);
  }
  return change;
}

/** A block, likewise: documents beside it may get above it, or below. */
function moveBlock(unit: Unit, block: Block, by: i32): f64 {
  const others = block.others;
  const low = block.above + min(by, 0);
  const top = low + 1;
  const bottom = low + others;
  const atTop = unit.form == LINEAR && top != bottom ? 0 : countAt(unit, top);
  const atBottom = unit.form == PRECISION || top == bottom ? 0 : countAt(unit, bottom);
  let change = -singlesAt(unit, top, atTop) - singlesAt(unit, bottom, atBottom);
  const cell = cellOf(unit, unit.form == LINEAR ? bottom : low);
  setFlags(unit, block, 0);
  store<i32>(cell, load<i32>(cell) - by * block.size);
  block.above += by;
  setAllFlags(unit);
  change += singlesAt(unit, top, atTop) + singlesAt(unit, bottom, atBottom);
  for (let b = 0; b < <i32>unit.blockCount; b++) {
    const own = blockOf(unit, b);
    const affected = own.above + own.others - 1 == low || own.above == low + others;
    if (affected || changetype<usize>(own) == changetype<usize>(block)) change += value(unit, own);
  }
  return change;
}

function moveBeside(walk: Walk, by: i32): f64 {
  const unit = changetype<Unit>(<usize>walk.unit);
  return walk.steps == BLOCK_STEPS
    ? moveBlock(unit, changetype<Block>(<usize>walk.cell - 4), by)
    : moveSingle(unit, walk, by);
}

@inline function stepOf(precision: bool, walk: Walk, cell: usize, k: i32): f64 {
  const step = load<f64>(<usize>walk.steps + (cell << 1) + (<usize>k << 3));
  return precision ? step * <f64>k : step;
}

/** A partner gets below the element: by how much the sum rises. */
@inline export function overtakes(precision: bool, walks: usize, element: usize): f64 {
  const walk = changetype<Walk>(walks + element * WALK_BYTES);
  const cell = <usize>walk.cell - 4;
  const k = load<i32>(cell) + 1;
  if (k & FLAG) return moveBeside(walk, -1);
  store<i32>(cell, k);
  walk.cell = cell;
  return stepOf(precision, walk, cell, k);
}

/** A partner gets above it: by how much the sum falls. */
@inline export function isOvertaken(precision: bool, walks: usize, element: usize): f64 {
  const walk = changetype<Walk>(walks + element * WALK_BYTES);
  const cell = <usize>walk.cell;
  const k = load<i32>(cell);
  if (k & FLAG) return -moveBeside(walk, 1);
  store<i32>(cell, k - 1);
  walk.cell = cell + 4;
  return stepOf(precision, walk, cell, k);
}

/** Puts an element where so many partners are above it; `block` counts blocks. */
@inline function put(unit: Unit, e: i32, block: i32): i32 {
  const element = elementOf(unit, e);
  const walk = changetype<Walk>(<usize>unit.walks + <usize>e * WALK_BYTES);
  const above = <i32>walk.spare;
  walk.unit = changetype<usize>(unit);
  let cell = cellOf(unit, above);
  let next = block;
  if (element.others == 0) {
    walk.cell = cell;
    walk.steps = <u32>(<usize>unit.steps - (<usize>unit.cells << 1));
  } else {
    const own = blockOf(unit, next++);
    own.before = FLAG;
    own.beside = FLAG;
    own.above = above;
    own.size = element.size;
    own.others = element.others;
    own.value = 0;
    walk.cell = changetype<usize>(own) + 4;
    walk.steps = BLOCK_STEPS;
    cell = cellOf(unit, placeOf(unit, own));
  }
  store<i32>(cell, load<i32>(cell) + <i32>element.size);
  return next;
}

/** Puts all elements where `spare` says. */
export function putElements(unit: Unit): void {
  const cells = <i32>unit.partners + 1;
  memory.fill(unit.cells, 0, <usize>cells << 2);
  for (let e = 0, block = 0; e < <i32>unit.elementCount; e++) block = put(unit, e, block);
  for (let c = 0, sum = 0; c < cells; c++) {
    sum += i32At(unit.cells, c);
    store<i32>(cellOf(unit, c), sum);
  }
  setAllFlags(unit);
  for (let b = 0; b < <i32>unit.blockCount; b++) value(unit, blockOf(unit, b));
}

/** What a unit counts where its elements are. */
export function unitValue(unit: Unit): f64 {
  let sum: f64 = 0;
  for (let b = 0; b < <i32>unit.blockCount; b++) sum += blockOf(unit, b).value;
  for (let c = 0, k = 0; c <= <i32>unit.partners; c++) {
    const last = upTo(unit, c);
    if (k == last) continue;
    if (unit.blockCount > 0) {
      sum += singlesAt(unit, c, countAt(unit, c));
      k = last;
    } else {
      for (; k < last; k++) sum += countsAt(unit, k + 1, k + 1 + c);
    }
  }
  return sum;
}
