/** The documents that RankBoost looks at: those in some pair, query by query, low labels first. */
import { type Dataset, sharedFloat64 } from '../../data/dataset.js';

/** By place, in memory that threads share. */
export interface Places {
  readonly queries: number;
  /** The first place of each query, and the end; a query without a pair has none. */
  readonly offsets: Uint32Array;
  readonly rows: Uint32Array;
  readonly labels: Float64Array;
}

export function placesOf({ queries, offsets, rows: most }: Dataset, labels: Float64Array): Places {
  const rows = new Uint32Array(new SharedArrayBuffer(4 * most));
  const starts = new Uint32Array(queries + 1);
  let end = 0;
  for (let q = 0; q < queries; q++) {
    starts[q] = end;
    const judged: number[] = [];
    for (let row = offsets[q]!; row < offsets[q + 1]!; row++) if (!Number.isNaN(labels[row])) judged.push(row);
    judged.sort((a, b) => labels[a]! - labels[b]! || a - b);
    if (judged.length === 0 || labels[judged[0]!] === labels[judged.at(-1)!]) continue;
    rows.set(judged, end);
    end += judged.length;
  }
  starts[queries] = end;
  const own = sharedFloat64(end);
  for (let place = 0; place < end; place++) own[place] = labels[rows[place]!]!;
  return { queries, offsets: starts, rows: rows.subarray(0, end), labels: own };
}

/** Pairs of different labels of a query. */
export function pairsOf({ offsets, labels }: Places, query: number): number {
  let pairs = 0;
  let lower = 0;
  for (let place = offsets[query]! + 1; place < offsets[query + 1]!; place++) {
    if (labels[place] !== labels[place - 1]) lower = place - offsets[query]!;
    pairs += lower;
  }
  return pairs;
}
