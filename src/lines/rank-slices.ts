/** What slices of queries say of a line, on every rank of those of all: decisions are the same whoever makes them. */
import { PLACES } from '../kernels/layouts/line-buckets.js';
import type { LineCuts } from '../kernels/line-bucket-memory.js';
import { gatherNumbers, gatherValues } from '../ranks/gathered.js';
import type { Transport } from '../ranks/transport.js';
import type { SliceOutput } from './line-peak.js';
import { FINE, SECTIONS } from './line-slices.js';

/** What the kernel wrote; with several ranks, for the slices of all of them once these were brought together. */
export interface RankSlices {
  readonly slices: readonly SliceOutput[];
  /** Changes of each slice; -1 where there was no room for them. */
  readonly counts: Int32Array;
  /** After a kind of work, on places from one to another where it is not on all. */
  bringTogether(kind: number, run: readonly number[]): void;
}

type Writable = { -readonly [Key in keyof SliceOutput]: SliceOutput[Key] };

export function rankSlices(
  own: readonly SliceOutput[],
  counts: Int32Array,
  ranks: Transport,
  { buckets, sections }: LineCuts,
): RankSlices {
  if (ranks.size === 1) return { slices: own, counts, bringTogether() {} };
  const all = gatherValues(ranks, own.length).reduce((sum, slices) => sum + slices, 0);
  const slices = Array.from(
    { length: all },
    (): Writable => ({
      sections: new Float64Array(sections),
      values: new Float64Array(buckets + 1),
      most: new Float64Array(buckets),
      at: new Float64Array(0),
      changes: new Float64Array(0),
    }),
  );
  const allCounts = new Int32Array(all);
  /** Numbers of every slice, one after the other; `take` reads those of one. */
  const gather = (
    numbers: readonly Float64Array[],
    take: (next: (n: number) => Float64Array, slice: number) => void,
  ) => {
    const length = numbers.reduce((sum, part) => sum + part.length, 0);
    const sent = new Float64Array(length);
    let at = 0;
    for (const part of numbers) {
      sent.set(part, at);
      at += part.length;
    }
    const received = gatherNumbers(ranks, sent);
    let next = 0;
    for (let slice = 0; slice < all; slice++) {
      take(n => received.subarray(next, (next += n)), slice);
    }
  };
  return {
    slices,
    counts: allCounts,
    bringTogether(kind, run) {
      if (kind === SECTIONS) {
        const bounds = own.map(({ sections: bound }) => bound);
        gather(bounds, (next, slice) => slices[slice]!.sections.set(next(sections)));
        return;
      }
      if (kind === FINE) {
        const listed = own.flatMap(({ at, changes }, s) => {
          const count = Math.max(0, counts[s]!);
          return [Float64Array.of(counts[s]!), at.subarray(0, count), changes.subarray(0, count)];
        });
        gather(listed, (next, slice) => {
          allCounts[slice] = next(1)[0]!;
          const count = Math.max(0, allCounts[slice]!);
          slices[slice]!.at = next(count);
          slices[slice]!.changes = next(count);
        });
        return;
      }
      const [low, high] = run.map(place => (place * buckets) / PLACES) as [number, number];
      gather(
        own.flatMap(({ values, most }) => [values.subarray(low, high + 1), most.subarray(low, high)]),
        (next, slice) => {
          slices[slice]!.values.set(next(high + 1 - low), low);
          slices[slice]!.most.set(next(high - low), low);
        },
      );
    },
  };
}
