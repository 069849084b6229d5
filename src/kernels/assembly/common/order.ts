// Ranking: documents by falling score, equal scores in input order.

import { at, countOf } from './float4';

/** Above this many documents, merging beats counting. */
export const COUNTING_LIMIT: i32 = 800;

/** order[r] = document at rank r, by merging runs, for long lists; `scratch` is as long as `order`. */
export function orderByMerging(scores: usize, n: i32, order: usize, scratch: usize): void {
  for (let i = 0; i < n; i++) store<i32>(at(order, i), i);
  sortByMerging(scores, order, n, scratch);
}

/** Sorts a list of documents by falling key, equal keys as they were; `scratch` is as long as the list. */
export function sortByMerging(keys: usize, list: usize, n: i32, scratch: usize): void {
  let from = list;
  let to = scratch;
  for (let width = 1; width < n; width <<= 1) {
    for (let start = 0; start < n; start += width << 1) mergeRuns(keys, from, to, start, min(start + width, n), min(start + (width << 1), n));
    const kept = from;
    from = to;
    to = kept;
  }
  if (from != list) memory.copy(list, from, <usize>n << 2);
}

function mergeRuns(keys: usize, from: usize, to: usize, start: i32, middle: i32, end: i32): void {
  let i = start;
  let j = middle;
  for (let k = start; k < end; k++) {
    const left = i < middle && (j >= end || load<f32>(at(keys, load<i32>(at(from, i)))) >= load<f32>(at(keys, load<i32>(at(from, j)))));
    store<i32>(at(to, k), load<i32>(left ? at(from, i) : at(from, j)));
    i += i32(left);
    j += i32(!left);
  }
}

/**
 * Of four documents i.. against those of the block j: they are above where their score is higher, or equal and they
 * come before.
 */
@inline function mixedBlock(above: v128, mixed: v128, own: v128, lane: i32): v128 {
  const before = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(lane));
  return i32x4.sub(above, v128.or(f32x4.gt(mixed, own), v128.and(f32x4.eq(mixed, own), before)));
}

/** Ranks of the documents i..i + 3, i a multiple of four: how many are above, and of their equals those before. */
function rankFour(scores: usize, n: i32, i: i32, ranks: usize): void {
  const own0 = v128.load32_splat(at(scores, i));
  const own1 = v128.load32_splat(at(scores, i + 1));
  const own2 = v128.load32_splat(at(scores, i + 2));
  const own3 = v128.load32_splat(at(scores, i + 3));
  let above0 = i32x4.splat(0);
  let above1 = above0;
  let above2 = above0;
  let above3 = above0;
  for (let j = scores, end = at(scores, i); j < end; j += 16) {
    const others = v128.load(j);
    above0 = i32x4.sub(above0, f32x4.ge(others, own0));
    above1 = i32x4.sub(above1, f32x4.ge(others, own1));
    above2 = i32x4.sub(above2, f32x4.ge(others, own2));
    above3 = i32x4.sub(above3, f32x4.ge(others, own3));
  }
  const mixed = v128.load(at(scores, i));
  above0 = mixedBlock(above0, mixed, own0, 0);
  above1 = mixedBlock(above1, mixed, own1, 1);
  above2 = mixedBlock(above2, mixed, own2, 2);
  above3 = mixedBlock(above3, mixed, own3, 3);
  for (let j = at(scores, i + 4), end = at(scores, n); j < end; j += 16) {
    const others = v128.load(j);
    above0 = i32x4.sub(above0, f32x4.gt(others, own0));
    above1 = i32x4.sub(above1, f32x4.gt(others, own1));
    above2 = i32x4.sub(above2, f32x4.gt(others, own2));
    above3 = i32x4.sub(above3, f32x4.gt(others, own3));
  }
  store<i32>(at(ranks, i), countOf(above0));
  store<i32>(at(ranks, i + 1), countOf(above1));
  store<i32>(at(ranks, i + 2), countOf(above2));
  store<i32>(at(ranks, i + 3), countOf(above3));
}

/**
 * The rank of every document by counting, quickest up to a few hundred documents; equal scores in their order. Both
 * arrays are padded to a multiple of four, `scores` with -infinity.
 */
export function rankByCounting(scores: usize, n: i32, ranks: usize): void {
  for (let i = 0; i < n; i += 4) rankFour(scores, n, i, ranks);
}
