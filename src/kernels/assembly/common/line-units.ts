// Rows of a query in the order below every crossing of a line, and the units that they come to.

import { Element, ELEMENT_BYTES, Plan, Query, Unit } from '../layouts/line-buckets';

/** Runs of so many documents are sorted by insertion. */
const RUN: i32 = 8;
/** Rows that are nearly sorted move by so much each, at most; beyond, sorting anew is as quick. */
const FAR: i32 = 8;

@inline export function f64At(base: usize, i: i32): f64 {
  return load<f64>(base + (<usize>i << 3));
}

@inline export function i32At(base: usize, i: i32): i32 {
  return load<i32>(base + (<usize>i << 2));
}

/** Whether row x is before row y below every crossing; or, not by slope, where the line starts. */
@inline function before(bySlope: bool, plan: Plan, x: i32, y: i32): bool {
  if (bySlope) {
    const slopeX = f64At(plan.slope, x);
    const slopeY = f64At(plan.slope, y);
    if (slopeX != slopeY) return slopeX < slopeY;
  }
  const startX = f64At(plan.start, x);
  const startY = f64At(plan.start, y);
  if (startX != startY) return startX > startY;
  return f64At(plan.gain, x) < f64At(plan.gain, y);
}

/** Puts row i of a list where it belongs among those from `least` on, which are sorted; returns how far it moved. */
@inline function insert(bySlope: bool, plan: Plan, order: usize, i: i32, least: i32): i32 {
  const row = i32At(order, i);
  let j = i;
  for (; j > least && before(bySlope, plan, row, i32At(order, j - 1)); j--) {
    store<i32>(order + (<usize>j << 2), i32At(order, j - 1));
  }
  store<i32>(order + (<usize>j << 2), row);
  return i - j;
}

/** Sorts n rows at `order`, with room for as many at `scratch`. */
@inline function sortRun(bySlope: bool, plan: Plan, order: usize, scratch: usize, n: i32): void {
  let from = order;
  let to = scratch;
  for (let i = 0; i < n; i++) insert(bySlope, plan, from, i, i - i % RUN);
  for (let width = RUN; width < n; width <<= 1) {
    for (let begin = 0; begin < n; begin += width << 1) {
      const middle = min(begin + width, n);
      const end = min(begin + (width << 1), n);
      if (middle == end || !before(bySlope, plan, i32At(from, middle), i32At(from, middle - 1))) {
        const at = <usize>begin << 2;
        memory.copy(to + at, from + at, <usize>(end - begin) << 2);
        continue;
      }
      let i = begin;
      let j = middle;
      for (let k = begin; k < end; k++) {
        const right = j < end && (i >= middle || before(bySlope, plan, i32At(from, j), i32At(from, i)));
        store<i32>(to + (<usize>k << 2), right ? i32At(from, j) : i32At(from, i));
        j += i32(right);
        i += i32(!right);
      }
    }
    const kept = from;
    from = to;
    to = kept;
  }
  if (from != order) memory.copy(order, from, <usize>n << 2);
}

function sortBySlope(plan: Plan, order: usize, scratch: usize, n: i32): void {
  sortRun(true, plan, order, scratch, n);
}

function sortByStart(plan: Plan, order: usize, scratch: usize, n: i32): void {
  sortRun(false, plan, order, scratch, n);
}

/** The same from an order that is nearly that, as after a short step: by insertion, unless rows are too far away. */
function sortAgain(plan: Plan, order: usize, scratch: usize, n: i32): void {
  let left = FAR * n;
  for (let i = 1; i < n; i++) {
    left -= insert(false, plan, order, i, 0);
    if (left < 0) return sortByStart(plan, order, scratch, n);
  }
}

/** Notes where rows of one slope begin, for each row. */
function findFirsts(plan: Plan, order: usize, firsts: usize, firstRow: i32, n: i32): void {
  let first = 0;
  for (let i = 0; i < n; i++) {
    const row = i32At(order, i);
    if (f64At(plan.slope, row) != f64At(plan.slope, i32At(order, first))) first = i;
    store<i32>(firsts + (<usize>(row - firstRow) << 2), first);
  }
}

/**
 * Rows in the order below every crossing; of equal lines those of small gains first. Of lines along one feature, slopes
 * are the same: where it is known in which places rows of each slope come, they only have to be dealt to these, in the
 * order where the line starts, which is nearly that of the line before, whatever its feature.
 */
export function sortRows(plan: Plan, query: Query): void {
  const n = <i32>query.rows;
  const firstRow = <i32>query.firstRow;
  const own = <usize>firstRow << 2;
  const order = <usize>plan.order + own;
  const firsts = <usize>plan.firsts + own;
  const scratch = <usize>plan.scratch + own;
  if (!plan.knowsFirsts) {
    sortBySlope(plan, order, scratch, n);
    return findFirsts(plan, order, firsts, firstRow, n);
  }
  const byStart = <usize>plan.byStart + own;
  sortAgain(plan, byStart, scratch, n);
  for (let i = 0; i < n; i++) {
    const first = i32At(firsts, i);
    store<i32>(scratch + (<usize>first << 2), first);
  }
  for (let i = 0; i < n; i++) {
    const row = i32At(byStart, i);
    const next = scratch + (<usize>i32At(firsts, row - firstRow) << 2);
    const place = load<i32>(next);
    store<i32>(order + (<usize>place << 2), row);
    store<i32>(next, place + 1);
  }
}

@inline export function elementOf(unit: Unit, e: i32): Element {
  return changetype<Element>(<usize>unit.elements + <usize>e * ELEMENT_BYTES);
}

/** Those from `from` on have the slope of the partners before `partners`. */
function endSlope(unit: Unit, from: i32, partners: i32): void {
  for (let e = from; e < <i32>unit.elementCount; e++) elementOf(unit, e).rises = partners;
}

function addElement(
  unit: Unit, start: f64, slope: f64, falls: i32, above: i32, size: i32, others: i32,
): void {
  const element = elementOf(unit, unit.elementCount++);
  element.start = start;
  element.slope = slope;
  element.falls = falls;
  element.above = above;
  element.size = size;
  element.others = others;
}

/**
 * The elements of a unit, and the lines of its partners, both in the order of rows, which are sorted. Documents of the
 * unit with one line are elements of their own, as their order says nothing, but for blocks.
 */
export function findElements(plan: Plan, query: Query, unit: Unit): void {
  const starts = <usize>unit.partnerStarts;
  const slopes = <usize>unit.partnerSlopes;
  const n = <i32>query.rows;
  const order = <usize>plan.order + (<usize>query.firstRow << 2);
  let partners = 0;
  let falls = 0;
  let ofSlope = 0;
  let last: f64 = NaN;
  unit.elementCount = 0;
  unit.blockCount = 0;
  for (let r = 0; r < n; ) {
    const row = i32At(order, r);
    const start = f64At(plan.start, row);
    const slope = f64At(plan.slope, row);
    const first = r;
    let own = 0;
    do own += i32(f64At(plan.gain, i32At(order, r++)) == unit.gain);
    while (r < n && f64At(plan.start, i32At(order, r)) == start && f64At(plan.slope, i32At(order, r)) == slope);
    if (slope != last) {
      endSlope(unit, ofSlope, partners);
      ofSlope = unit.elementCount;
      falls = partners;
      last = slope;
    }
    const others = r - first - own;
    if (own > 0 && others > 0) {
      addElement(unit, start, slope, falls, partners, own, others);
      unit.blockCount++;
    } else for (let k = 0; k < own; k++) addElement(unit, start, slope, falls, partners, 1, 0);
    for (let k = 0; k < others; k++, partners++) {
      store<f64>(starts + (<usize>partners << 3), start);
      store<f64>(slopes + (<usize>partners << 3), slope);
    }
  }
  endSlope(unit, ofSlope, partners);
}
