// How far the scores of queries reach, and how fast they grow along a line. The reference is src/lines/span.ts.

import { Plan, Query } from '../layouts/line-buckets';

/** The lowest of n numbers, and the highest: never one that is no number, and infinite where there is none. */
@inline function lowestOf(values: usize, n: i32): f64 {
  let least = f64x2.splat(Infinity);
  let at = values;
  for (const end = values + (<usize>(n - 1) << 3); at < end; at += 16) least = f64x2.pmin(least, v128.load(at));
  if (n & 1) least = f64x2.pmin(least, v128.load64_splat(at));
  const even = f64x2.extract_lane(least, 0);
  const odd = f64x2.extract_lane(least, 1);
  return odd < even ? odd : even;
}

@inline function highestOf(values: usize, n: i32): f64 {
  let most = f64x2.splat(-Infinity);
  let at = values;
  for (const end = values + (<usize>(n - 1) << 3); at < end; at += 16) most = f64x2.pmax(most, v128.load(at));
  if (n & 1) most = f64x2.pmax(most, v128.load64_splat(at));
  const even = f64x2.extract_lane(most, 0);
  const odd = f64x2.extract_lane(most, 1);
  return odd > even ? odd : even;
}

@inline function raise(most: usize, value: f64): void {
  if (value > load<f64>(most)) store<f64>(most, value);
}

@inline function add(sum: usize, value: f64): void {
  store<f64>(sum, load<f64>(sum) + value);
}

/** Adds those of a query to the four numbers of its slice. */
export function addExtents(plan: Plan, query: Query, extents: usize): void {
  const n = <i32>query.rows;
  const first = <usize>query.firstRow << 3;
  const lowest = lowestOf(<usize>plan.start + first, n);
  const highest = highestOf(<usize>plan.start + first, n);
  const slowest = lowestOf(<usize>plan.slope + first, n);
  const fastest = highestOf(<usize>plan.slope + first, n);
  if (!(lowest <= highest && slowest <= fastest)) return;
  raise(extents, -slowest);
  raise(extents, fastest);
  raise(extents + 8, -lowest);
  raise(extents + 8, highest);
  add(extents + 16, (fastest - slowest) * (highest - lowest));
  add(extents + 24, (fastest - slowest) * (fastest - slowest));
}
