/** The rows that bin edges are taken from: those of all ranks, so that edges are the same for any number of them. */
import { type Dataset, type FeatureBlock, sharedFloat32 } from '../../../data/dataset.js';
import { shareOf } from '../../../data/share.js';
import { gatherNumbers } from '../../../ranks/gathered.js';
import type { Transport } from '../../../ranks/transport.js';
import { rowsForEdges } from './sampling.js';

export interface EdgeSample {
  readonly blocks: readonly FeatureBlock[];
  /** The feature that they begin with. */
  readonly firstFeature: number;
  /** Rows of these blocks, ascending. */
  readonly rows: Uint32Array;
}

/** Bytes that a rank hands over at a time. */
const BYTES = 2 ** 24;

/** The features whose edges a rank finds: from one to before another. */
export function featuresOfRank(features: number, rank: number, size: number): [number, number] {
  return [Math.floor((rank * features) / size), Math.floor(((rank + 1) * features) / size)];
}

/** Of all features, or of those whose edges this rank finds for all. */
export function edgeSample(data: Dataset, seed: number, ranks: Transport, of: 'all' | 'own'): EdgeSample {
  const rows = rowsForEdges(data.rows, seed, shareOf(data));
  if (ranks.size === 1) return { blocks: data.blocks, firstFeature: 0, rows };
  const counts = gatherNumbers(ranks, Float64Array.of(rows.length));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  const atOnce = Math.max(1, Math.floor(BYTES / (4 * most)));
  const pieceOf = (rank: number) =>
    of === 'own' ? featuresOfRank(data.features, rank, ranks.size) : ([0, data.features] as const);
  const [firstFeature, lastFeature] = pieceOf(ranks.rank);
  const all = sharedFloat32(total * (lastFeature - firstFeature));
  for (let to = 0; to < (of === 'own' ? ranks.size : 1); to++) {
    const [from, end] = pieceOf(to);
    for (let first = from; first < end; first += atOnce) {
      const last = Math.min(first + atOnce, end);
      const sent = new Uint8Array(sampleOf(data, rows, first, last).buffer);
      let before = 0;
      const received = of === 'own' ? ranks.gatherAt(to, sent) : ranks.gather(sent);
      for (const [r, bytes] of received.entries()) {
        const part = new Float32Array(bytes.buffer);
        const n = counts[r]!;
        for (let f = first; f < last; f++)
          all.set(part.subarray((f - first) * n, (f - first + 1) * n), (f - firstFeature) * total + before);
        before += n;
      }
    }
  }
  return {
    blocks: [{ start: 0, rows: total, stride: total, data: all }],
    firstFeature,
    rows: Uint32Array.from({ length: total }, (_, i) => i),
  };
}

/** The values of a feature that are not missing; returns how many. */
export function sampledValues({ blocks, firstFeature, rows }: EdgeSample, feature: number, out: Float32Array): number {
  let n = 0;
  let next = 0;
  for (const block of blocks) {
    const from = (feature - firstFeature) * block.stride - block.start;
    const end = block.start + block.rows;
    for (; next < rows.length && rows[next]! < end; next++) {
      const value = block.data[from + rows[next]!]!;
      if (!Number.isNaN(value)) out[n++] = value;
    }
  }
  return n;
}

/** Some features of some rows, feature by feature. */
function sampleOf(data: Dataset, rows: Uint32Array, first: number, last: number): Float32Array<ArrayBuffer> {
  const out = new Float32Array((last - first) * rows.length);
  let next = 0;
  for (const block of data.blocks) {
    const end = block.start + block.rows;
    const from = next;
    while (next < rows.length && rows[next]! < end) next++;
    for (let f = first; f < last; f++) {
      const at = f * block.stride - block.start;
      const to = (f - first) * rows.length;
      for (let i = from; i < next; i++) out[to + i] = block.data[at + rows[i]!]!;
    }
  }
  return out;
}
