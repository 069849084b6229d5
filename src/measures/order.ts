/** Ranks one query's documents by score. */

const RUN = 8;

/**
 * Fills order[0..n) with the documents 0..n-1 by descending score; equal scores keep their order. A merge sort over
 * runs made by insertion: stable, and without a comparison callback. `scratch` is as long as `order`.
 */
export function orderByScore(scores: Float64Array, n: number, order: Uint32Array, scratch: Uint32Array): void {
  for (let start = 0; start < n; start += RUN) {
    const end = Math.min(start + RUN, n);
    for (let i = start; i < end; i++) {
      const score = scores[i]!;
      let j = i;
      for (; j > start && scores[order[j - 1]!]! < score; j--) order[j] = order[j - 1]!;
      order[j] = i;
    }
  }
  let from = order;
  let to = scratch;
  for (let width = RUN; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) merge(scores, from, to, start, width, n);
    [from, to] = [to, from];
  }
  if (from !== order) order.set(from.subarray(0, n));
}

/** Moves of one document by one place, for each document, after which sorting anew is the faster way. */
const MOST_MOVES = 4;

/**
 * The same from an order of the same documents by other scores, where it is nearly right: by insertion, which takes a
 * step for each pair that has to trade places. False where there are too many of them; `order` then is some order of
 * the documents.
 */
export function reorderByScore(scores: Float64Array, n: number, order: Uint32Array): boolean {
  let moves = MOST_MOVES * n;
  for (let i = 1; i < n; i++) {
    const document = order[i]!;
    const score = scores[document]!;
    let j = i;
    for (; j > 0; j--) {
      const above = order[j - 1]!;
      const other = scores[above]!;
      if (other > score || (other === score && above < document)) break;
      order[j] = above;
    }
    order[j] = document;
    moves -= i - j;
    if (moves < 0) return false;
  }
  return true;
}

function merge(
  scores: Float64Array,
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  width: number,
  n: number,
): void {
  const middle = Math.min(start + width, n);
  const end = Math.min(start + 2 * width, n);
  let i = start;
  let j = middle;
  let k = start;
  while (i < middle && j < end) {
    const a = from[i]!;
    const b = from[j]!;
    if (scores[a]! >= scores[b]!) {
      to[k++] = a;
      i++;
    } else {
      to[k++] = b;
      j++;
    }
  }
  while (i < middle) to[k++] = from[i++]!;
  while (j < end) to[k++] = from[j++]!;
}

/** Puts documents of equal score in descending order of id, compared by bytes as strcmp does: trec_eval's rule. */
export function breakTiesByDocument(
  scores: Float64Array,
  n: number,
  order: Uint32Array,
  idOf: (document: number) => string,
): void {
  for (let start = 0; start < n; ) {
    let end = start + 1;
    while (end < n && scores[order[end]!] === scores[order[start]!]) end++;
    if (end - start > 1) {
      const tied = Array.from(order.subarray(start, end), document => ({ document, id: Buffer.from(idOf(document)) }));
      tied.sort((a, b) => Buffer.compare(b.id, a.id) || a.document - b.document);
      for (let i = 0; i < tied.length; i++) order[start + i] = tied[i]!.document;
    }
    start = end;
  }
}
