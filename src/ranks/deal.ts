/**
 * Deals the data of a run to its ranks. Rows and queries are numbered over all data, and parts of the data (see
 * parts.ts) are cut over all of it, so that sums over parts do not depend on the number of ranks: what begins on one
 * rank and ends on the next one goes to the first.
 */
import { concatenate } from '../data/concatenate.js';
import type { Dataset } from '../data/dataset.js';
import { fingerprintWith, hashRows } from '../data/fingerprint.js';
import { blocksOf, partsOf, smallPartsOf } from '../data/parts.js';
import { type Share, shareOf } from '../data/share.js';
import { selectQueries, splitByQuery, splitQueryNumbers } from '../data/split.js';
import { ListwiseError, plural } from '../errors.js';
import { fromMessage, toMessage } from './dataset-message.js';
import { gatherNumbers, gatherValues } from './gathered.js';
import type { Transport } from './transport.js';

/** Parts that go to one rank as a whole. */
const CUTS = { parts: partsOf, blocks: blocksOf, small: smallPartsOf };

/** What this rank has of data that lies on all ranks, in their order. */
export function deal(ranks: Transport, given: Dataset, whole: keyof typeof CUTS = 'parts'): Dataset {
  if (ranks.size === 1) return given;
  const { rank } = ranks;
  const { firsts, offsets } = queriesOf(ranks, given);
  const queries = offsets.length - 1;
  const parts = CUTS[whole]({ queries, offsets });
  /** Where each rank begins: with the first part that begins on it. */
  const begins = firsts.map(first => parts.find(({ firstQuery }) => firstQuery >= first)?.firstQuery ?? queries);
  begins.push(queries);
  refuseEmpty(ranks, begins, offsets[queries]!);
  const own = begins[rank]! - firsts[rank]!;
  const kept = selectQueries(given, range(own, given.queries));
  let data = kept;
  // One rank after another, so that nobody holds what all of them move.
  for (let from = 1; from < ranks.size; from++) {
    const moved = from === rank ? toMessage(selectQueries(given, range(0, own))) : new Uint8Array(0);
    const message = ranks.gather(moved)[from]!;
    if (from === rank + 1 && begins[from]! > firsts[from]!) data = concatenate([kept, fromMessage(message)]);
  }
  const firstQuery = begins[rank]!;
  const share: Share = {
    firstQuery,
    firstRow: offsets[firstQuery]!,
    queries,
    rows: offsets[queries]!,
    positions: positionsOf(ranks, data),
  };
  return data.with({ share, description: given.description });
}

/** Where the queries of all ranks begin. */
export function offsetsOfAll(ranks: Transport, { queries, offsets }: Dataset): Uint32Array {
  if (ranks.size === 1) return offsets;
  const own = Float64Array.from({ length: queries }, (_, q) => offsets[q + 1]! - offsets[q]!);
  const lengths = gatherNumbers(ranks, own);
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

function refuseEmpty({ size }: Transport, begins: readonly number[], rows: number): void {
  const empty = begins.findIndex((begin, r) => r < size && begin === begins[r + 1]);
  if (empty < 0) return;
  throw new ListwiseError(
    'data-empty',
    `rank ${empty} would have nothing to do: ${plural(rows, 'document')} ${rows === 1 ? 'is' : 'are'} too few for ${size} ranks; start fewer`,
  );
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
