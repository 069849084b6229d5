/**
 * Cuts an order of queries into batches (one update each) and batches into slices, block by block of the data. Slices
 * depend on the data and the batch alone, never on the number of threads or ranks; each has a gradient of its own, and
 * gradients are added in the order of the slices, so any number of threads and ranks gives the same model.
 */
import type { Part } from '../../data/parts.js';

/** A slice has at least this many documents, unless its block has fewer in the batch. */
const SLICE_DOCUMENTS = 256;
const MOST_SLICES = 64;

/** Slices of a batch, at most. */
export function mostSlices(batch: number, blocks: number): number {
  return Math.min(batch, MOST_SLICES + blocks);
}

export interface Batches {
  /** Batch b is slices batches[b - 1] to batches[b]. */
  readonly batches: number[];
  /** Of each slice: the block that its queries are of. */
  readonly blocks: readonly number[];
}

/** All queries, and the blocks that they are of. */
export interface BlockedQueries {
  readonly offsets: Uint32Array;
  /** By query. */
  readonly blockOf: Uint8Array;
}

export function blockedQueries(offsets: Uint32Array, blocks: readonly Part[]): BlockedQueries {
  const blockOf = new Uint8Array(offsets.length - 1);
  for (const [b, { firstQuery, lastQuery }] of blocks.entries()) blockOf.fill(b, firstQuery, lastQuery);
  return { offsets, blockOf };
}

/**
 * Puts the queries of each batch of the order block by block. Slice s is then queries ends[s - 1] to ends[s] of it
 * (from 0 for s = 0); `ends` must hold one entry a query.
 */
export function cutBatches(
  order: Uint32Array,
  { offsets, blockOf }: BlockedQueries,
  batch: number,
  ends: Uint32Array,
): Batches {
  const batches: number[] = [];
  const blocks: number[] = [];
  const documents = (i: number) => offsets[order[i]! + 1]! - offsets[order[i]!]!;
  let slices = 0;
  for (let start = 0; start < order.length; start += batch) {
    const end = Math.min(start + batch, order.length);
    byBlock(order.subarray(start, end), blockOf);
    let total = 0;
    for (let i = start; i < end; i++) total += documents(i);
    const target = Math.max(SLICE_DOCUMENTS, Math.ceil(total / MOST_SLICES));
    let held = 0;
    for (let i = start; i < end; i++) {
      held += documents(i);
      const block = blockOf[order[i]!]!;
      if (held < target && i < end - 1 && blockOf[order[i + 1]!] === block) continue;
      ends[slices++] = i + 1;
      blocks.push(block);
      held = 0;
    }
    batches.push(slices);
  }
  return { batches, blocks };
}

/** Those of a block stay in their order. */
function byBlock(queries: Uint32Array, blockOf: Uint8Array): void {
  if (queries.length === 1) return;
  const starts = new Uint32Array(257);
  for (const q of queries) starts[blockOf[q]! + 1]!++;
  for (let b = 0; b < 256; b++) starts[b + 1]! += starts[b]!;
  for (const q of queries.slice()) queries[starts[blockOf[q]!]!++] = q;
}
