// Ranking: documents by falling score, equal scores in input order.

import { at } from './float4';

/** order[r] = document at rank r, by merging runs, for long lists; `scratch` is as long as `order`. */
export function orderByMerging(scores: usize, n: i32, order: usize, scratch: usize): void {
  for (let i = 0; i < n; i++) store<i32>(at(order, i), i);
  let from = order;
  let to = scratch;
  for (let width = 1; width < n; width <<= 1) {
    for (let start = 0; start < n; start += width << 1) mergeRuns(scores, from, to, start, min(start + width, n), min(start + (width << 1), n));
    const kept = from;
    from = to;
    to = kept;
  }
  if (from != order) memory.copy(order, from, <usize>n << 2);
}

function mergeRuns(scores: usize, from: usize, to: usize, start: i32, middle: i32, end: i32): void {
  let i = start;
  let j = middle;
  for (let k = start; k < end; k++) {
    const left = i < middle && (j >= end || load<f32>(at(scores, load<i32>(at(from, i)))) >= load<f32>(at(scores, load<i32>(at(from, j)))));
    store<i32>(at(to, k), load<i32>(left ? at(from, i) : at(from, j)));
    i += i32(left);
    j += i32(!left);
  }
}
