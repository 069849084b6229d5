/**
 * Deals the data of a run to its ranks. Rows and queries are numbered over all data, and parts of the data (see
 * parts.ts) are cut over all of it, so that sums over parts do not depend on the number of ranks: what begins on one
 * rank and ends on the next one goes to the first. Of little data a rank may have nothing.
 */
import { concatenate } from '../data/concatenate.js';
import type { Dataset } from '../data/dataset.js';
import { fingerprintWith, hashRows } from '../data/fingerprint.js';
import { blocksOf, partsOf, smallPartsOf } from '../data/parts.js';
import { type Share, shareOf } from '../data/share.js';
import { selectQueries, splitByQuery, splitQueryNumbers } from '../data/split.js';
import { fromMessage, toMessage } from './dataset-message.js';
import { gatherNumbers, gatherValues } from './gathered.js';
import type { Transport } from './transport.js';

/** Parts that go to one rank as a whole. */
const CUTS = { parts: partsOf, blocks: blocksOf, small: smallPartsOf };

type Whole = keyof typeof CUTS;

/** What this rank has of data that lies on all ranks, in their order. */
export function deal(ranks: Transport, given: Dataset, whole: Whole = 'parts'): Dataset {
  if (ranks.size === 1) return given;
  const { firsts, offsets } = queriesOf(ranks, given);
  // With the first part that begins on it: only what reaches over to the next rank moves.
  const begins = beginsOf(offsets, whole, firsts);
  return handedOver(ranks, [{ data: given, first: firsts[ranks.rank]! }], begins, offsets);
}

/** The same of data sets one after another, as `concatenate` has them, in shares of about as many rows. */
export function dealJoined(ranks: Transport, given: readonly Dataset[], whole: Whole = 'parts'): Dataset {
  if (ranks.size === 1) return concatenate(given);
  const lengths: number[] = [];
  const pieces = given.map(data => {
    const { firsts, offsets } = queriesOf(ranks, data);
    const first = lengths.length + firsts[ranks.rank]!;
    for (let q = 1; q < offsets.length; q++) lengths.push(offsets[q]! - offsets[q - 1]!);
    return { data, first };
  });
  const offsets = offsetsFrom(lengths);
  const even = Array.from({ length: ranks.size }, (_, r) =>
    offsets.findIndex(offset => offset >= (r * offsets.at(-1)!) / ranks.size),
  );
  return handedOver(ranks, pieces, beginsOf(offsets, whole, even), offsets);
}

/** Where each rank begins, and where the last one ends: with the first part that begins at a query or later. */
function beginsOf(offsets: Uint32Array, whole: Whole, firsts: readonly number[]): number[] {
  const queries = offsets.length - 1;
  const parts = CUTS[whole]({ queries, offsets });
  return [...firsts.map(first => parts.find(part => part.firstQuery >= first)?.firstQuery ?? queries), queries];
}

/** Pieces of the data, each with the number of its first query, become the shares that begin there. */
function handedOver(
  ranks: Transport,
  pieces: readonly { readonly data: Dataset; readonly first: number }[],
  begins: readonly number[],
  offsets: Uint32Array,
): Dataset {
  const { rank, size } = ranks;
  const kept: Dataset[] = [];
  for (const { data, first } of pieces) {
    // To one rank after another, so that nobody has room for what others are sent.
    for (let to = 0; to < size; to++) {
      const clamp = (query: number) => Math.min(Math.max(query - first, 0), data.queries);
      const own = selectQueries(data, range(clamp(begins[to]!), clamp(begins[to + 1]!)));
      const sent = to === rank || own.queries === 0 ? new Uint8Array(0) : toMessage(own);
      ranks.gatherAt(to, sent).forEach((message, from) => {
        if (from === rank) kept.push(own);
        else if (message.length > 0) kept.push(fromMessage(message));
      });
    }
  }
  const some = kept.filter(({ queries }) => queries > 0);
  const data = concatenate(some.length > 0 ? some : kept.slice(0, 1));
  const queries = offsets.length - 1;
  const firstQuery = begins[rank]!;
  const share: Share = {
    firstQuery,
    firstRow: offsets[firstQuery]!,
    queries,
    rows: offsets[queries]!,
    positions: positionsOf(ranks, data),
  };
  return data.with({ share, description: pieces[0]!.data.description });
}

/** Where the queries of all ranks begin. */
export function offsetsOfAll(ranks: Transport, { queries, offsets }: Dataset): Uint32Array {
  if (ranks.size === 1) return offsets;
  return offsetsFrom(
    gatherNumbers(
      ranks,
      Float64Array.from({ length: queries }, (_, q) => offsets[q + 1]! - offsets[q]!),
    ),
  );
}

function offsetsFrom(lengths: ArrayLike<number>): Uint32Array {
  const all = new Uint32Array(lengths.length + 1);
  for (let q = 0; q < lengths.length; q++) all[q + 1] = all[q]! + lengths[q]!;
  return all;
}

/** The first query of each rank, and where all queries begin. */
function queriesOf(ranks: Transport, given: Dataset): { firsts: number[]; offsets: Uint32Array } {
  const all = offsetsOfAll(ranks, given);
  const { queries } = given;
  const counts = gatherNumbers(ranks, Float64Array.of(queries));
  const firsts = Array.from(counts, (_, r) => counts.subarray(0, r).reduce((sum, count) => sum + count, 0));
  return { firsts, offsets: all };
}

function positionsOf(ranks: Transport, { positions }: Dataset): number[] | undefined {
  const found = gatherValues(ranks, positions && [...new Set(positions)]);
  if (found.every(own => own === undefined)) return undefined;
  return [...new Set(found.flatMap(own => own ?? []))].sort((a, b) => a - b);
}

/** As `splitByQuery`, over the queries of all ranks. */
export function splitOverRanks(ranks: Transport, data: Dataset, shares: readonly number[], seed: number): Dataset[] {
  if (ranks.size === 1) return splitByQuery(data, shares, seed);
  const ids = gatherValues(ranks, data.queryIds);
  const first = ids.slice(0, ranks.rank).reduce((sum, { length }) => sum + length, 0);
  return splitQueryNumbers(ids.flat(), shares, seed).map(numbers =>
    selectQueries(
      data,
      numbers.map(number => number - first).filter(q => q >= 0 && q < data.queries),
    ),
  );
}

/** Labels, positions and ids of all ranks. */
export function withoutFeatures(data: Dataset, ranks: Transport): Dataset {
  if (ranks.size === 1) return data;
  const parts = ranks.gather(toMessage(data.with({ share: undefined }), { features: false })).map(fromMessage);
  return concatenate(parts.filter(({ rows }) => rows > 0));
}

/** As one process has it, which `fingerprint` then says. */
export function withFingerprint(ranks: Transport, data: Dataset): Dataset {
  if (ranks.size === 1) return data;
  const all = withoutFeatures(data, ranks);
  const own = Float64Array.from(hashRows(data));
  const rowHashes = Int32Array.from(gatherNumbers(ranks, own));
  return data.with({ share: { ...shareOf(data), fingerprint: fingerprintWith(all, rowHashes) } });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
