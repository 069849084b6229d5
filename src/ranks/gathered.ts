/** Numbers and plain values of all ranks, in the order of ranks. */
import { hostname } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import type { Transport } from './transport.js';

/** The numbers of all ranks one after the other; those of one process are not copied. */
export function gatherNumbers(ranks: Transport, part: Float64Array): Float64Array {
  if (ranks.size === 1) return part;
  const parts = ranks.gather(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  const all = new Uint8Array(parts.reduce((bytes, { length }) => bytes + length, 0));
  let at = 0;
  for (const bytes of parts) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return new Float64Array(all.buffer);
}

/** A plain value of every rank: what `structuredClone` takes, shared memory apart. */
export function gatherValues<T>(ranks: Transport, value: T): T[] {
  if (ranks.size === 1) return [value];
  return ranks.gather(serialize(value)).map(bytes => deserialize(bytes) as T); // every rank is of one version
}

/** How many ranks are on the machine, or in the container, of this one. */
export function ranksHere(ranks: Transport): number {
  return gatherValues(ranks, hostname()).filter(host => host === hostname()).length;
}

/** The sum of a whole number of every rank. */
export function sumOf(ranks: Transport, value: number): number {
  const sum = BigInt64Array.of(BigInt(value));
  ranks.sum(sum);
  return Number(sum[0]);
}

/**
 * Work on numbers by one rank after another, each from where the one before left them: sums of floats over all data in
 * its order. For work that is done once, or is little: ranks wait for each other.
 */
export function inOrder(ranks: Transport, numbers: Float64Array, work: () => void): void {
  for (let rank = 0; rank < ranks.size; rank++) {
    if (rank === ranks.rank) work();
    if (ranks.size === 1) return;
    const own = rank === ranks.rank ? numbers : new Float64Array(0);
    numbers.set(gatherNumbers(ranks, own));
  }
}
