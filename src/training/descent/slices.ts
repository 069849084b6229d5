/**
 * Cuts an order of queries into batches (one update each) and batches into slices. Slices depend on the data and the
 * batch alone, never on the number of threads; each has a gradient of its own, and gradients are added in the order of
 * the slices, so any number of threads gives the same model.
 */

/** A slice has at least this many documents, so that handing it to a thread pays. */
const SLICE_DOCUMENTS = 256;
export const MOST_SLICES = 64;

export interface Batches {
  /** Slice s is queries ends[s - 1] to ends[s] of the order (from 0 for s = 0). */
  readonly ends: Uint32Array;
  /** Batch b is slices batches[b - 1] to batches[b]. */
  readonly batches: number[];
}

/** `ends` is filled where it is given; it must hold one entry a query. */
export function cutBatches(order: Uint32Array, offsets: Uint32Array, batch: number, ends: Uint32Array): Batches {
  const batches: number[] = [];
  const documents = (i: number) => offsets[order[i]! + 1]! - offsets[order[i]!]!;
  let slices = 0;
  for (let start = 0; start < order.length; start += batch) {
    const end = Math.min(start + batch, order.length);
    let total = 0;
    for (let i = start; i < end; i++) total += documents(i);
    const target = Math.max(SLICE_DOCUMENTS, Math.ceil(total / MOST_SLICES));
    let held = 0;
    for (let i = start; i < end; i++) {
      held += documents(i);
      if (held < target && i < end - 1) continue;
      ends[slices++] = i + 1;
      held = 0;
    }
    batches.push(slices);
  }
  return { ends, batches };
}
