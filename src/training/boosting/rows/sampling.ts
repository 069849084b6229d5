/** Which rows and features count: hashes of the seed and their numbers decide, so it is the same whoever asks. */
import type { Dataset } from '../../../data/dataset.js';
import { type Share, shareOf } from '../../../data/share.js';
import { hash32 } from '../../../numeric/random.js';
import { sumOf } from '../../../ranks/gathered.js';
import { alone, type Transport } from '../../../ranks/transport.js';

/** Rows that bin edges are taken from, at most. */
const SAMPLE = 200_000;

/** All rows of this process, or those among about SAMPLE of all data, in memory that threads share. */
export function rowsForEdges(rows: number, seed: number, share: Pick<Share, 'firstRow' | 'rows'>): Uint32Array {
  const most = SAMPLE < share.rows ? (2 ** 32 * SAMPLE) / share.rows : 2 ** 32;
  const picked = new Uint32Array(rows);
  let n = 0;
  for (let row = 0; row < rows; row++) if (hash32(seed, share.firstRow + row) < most) picked[n++] = row;
  const shared = new Uint32Array(new SharedArrayBuffer(4 * n));
  shared.set(picked.subarray(0, n));
  return shared;
}

/** What each tree draws from: the numbers of queries and of features must not decide alike. */
const STREAMS = { features: 0, queries: 1 };

function inShare(
  stream: keyof typeof STREAMS,
  share: number,
  seed: number,
  iteration: number,
): (item: number) => boolean {
  const own = hash32(seed, STREAMS[stream] + 2 * iteration);
  return item => share >= 1 || hash32(own, item) < share * 2 ** 32;
}

/** mask[f] = 1 for the features that the tree of an iteration may use; at least one. */
export function chooseFeatures(mask: Uint8Array, share: number, seed: number, iteration: number): void {
  const chosen = inShare('features', share, seed, iteration);
  for (let f = 0; f < mask.length; f++) mask[f] = Number(chosen(f));
  if (!mask.includes(1)) mask[hash32(seed, iteration) % mask.length] = 1;
}

/** Writes the rows of an iteration's queries to `index`, of all ranks at least one query; returns how many. */
export function chooseRows(
  index: Uint32Array,
  data: Dataset,
  share: number,
  seed: number,
  iteration: number,
  ranks: Transport = alone,
): number {
  const chosen = inShare('queries', share, seed, iteration);
  const { offsets, queries } = data;
  const { firstQuery, queries: all } = shareOf(data);
  let n = 0;
  const add = (q: number) => {
    for (let row = offsets[q]!; row < offsets[q + 1]!; row++) index[n++] = row;
  };
  for (let q = 0; q < queries; q++) if (chosen(firstQuery + q)) add(q);
  if (sumOf(ranks, n) === 0) {
    const only = (hash32(seed, iteration) % all) - firstQuery;
    if (only >= 0 && only < queries) add(only);
  }
  return n;
}
