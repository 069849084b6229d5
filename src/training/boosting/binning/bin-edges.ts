/**
 * Edges of a feature's bins: near-equal shares of the documents, a value that many documents have in a bin of its own.
 */

/**
 * At most `most - 1` ascending edges from sorted values. A document belongs to the first bin whose edge is not below
 * its value; the last bin has no edge. Edges lie half-way between neighbouring values, so that a value never seen falls
 * to its nearer side.
 */
export function binEdges(sorted: Float32Array, most: number): Float32Array {
  const n = sorted.length;
  const edges: number[] = [];
  if (n === 0) return Float32Array.of();
  let distinct = 1;
  for (let i = 1; i < n && distinct <= most; i++) if (sorted[i] !== sorted[i - 1]) distinct++;
  if (distinct <= most) {
    for (let i = 1; i < n; i++) if (sorted[i] !== sorted[i - 1]) edges.push(between(sorted[i - 1]!, sorted[i]!));
    return Float32Array.from(edges);
  }
  let left = n; // documents not yet in a bin
  let bins = most; // bins not yet closed
  let inBin = 0;
  for (let i = 0; i < n && bins > 1; ) {
    let j = i + 1;
    while (j < n && sorted[j] === sorted[i]) j++;
    inBin += j - i;
    // The share each open bin should have; a value with more than that ends its bin at once.
    if (inBin >= left / bins && j < n) {
      edges.push(between(sorted[j - 1]!, sorted[j]!));
      left -= inBin;
      bins--;
      inBin = 0;
    }
    i = j;
  }
  return Float32Array.from(edges);
}

/** A float32 at least a and below b, near the middle. */
function between(a: number, b: number): number {
  const middle = Math.fround(a / 2 + b / 2);
  return middle >= a && middle < b ? middle : a;
}
