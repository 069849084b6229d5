/**
 * A short name for the contents of a data set: equal for equal data, however many threads read it and into whatever
 * blocks. It covers features, labels, weights, positions, initial scores, names and queries; not where the data came
 * from.
 */
import { createHash } from 'node:crypto';
import type { Dataset } from './dataset.js';

const DIGITS = 16;

/**
 * A digest of what a data set holds, whatever it was read from.
 *
 * @example
 * import { fingerprint } from 'listwise/data';
 *
 * console.log(fingerprint(data) === fingerprint(test)); // the same features, labels and ids, whatever the file
 */
export function fingerprint(data: Dataset): string {
  return data.share?.fingerprint ?? fingerprintWith(data, hashRows(data));
}

/** Of data whose rows have these hashes of their features. */
export function fingerprintWith(data: Dataset, rowHashes: Int32Array): string {
  const hash = createHash('sha256');
  const text = (parts: readonly string[]) => hash.update(JSON.stringify(parts));
  const numbers = (values: Float64Array | Uint32Array | Int32Array | undefined) => {
    if (values !== undefined) hash.update(values);
    hash.update('|');
  };
  text(data.featureNames);
  text(data.queryIds);
  numbers(data.offsets);
  for (const [name, values] of [...data.labels].sort(([a], [b]) => (a < b ? -1 : 1))) {
    text([name]);
    numbers(values);
    numbers(data.unranked?.get(name)?.offsets);
    numbers(data.unranked?.get(name)?.values);
  }
  for (const values of [data.rowWeights, data.queryWeights, data.positions, data.initialScores]) numbers(values);
  if (data.documentIds !== undefined) text(Array.from({ length: data.rows }, (_, row) => data.documentId(row)));
  hash.update(rowHashes);
  return hash.digest('hex').slice(0, DIGITS);
}

/** A 32-bit hash of each row's features: one a row, so that it does not matter where blocks are cut. */
export function hashRows({ rows, blocks, features }: Dataset): Int32Array {
  const hashes = new Int32Array(rows).fill(0x811c9dc5);
  for (const { start, rows: own, stride, data } of blocks) {
    const bits = new Int32Array(data.buffer, data.byteOffset, data.length);
    for (let f = 0; f < features; f++) hashColumn(hashes.subarray(start, start + own), bits, f * stride);
  }
  return hashes;
}

/** All NaN are one missing value, whatever their bits. */
const NAN_BITS = 0x7fc00000;
const INFINITY_BITS = 0x7f800000;

function hashColumn(hashes: Int32Array, bits: Int32Array, from: number): void {
  for (let i = 0; i < hashes.length; i++) {
    const cell = bits[from + i]!;
    const value = (cell & 0x7fffffff) > INFINITY_BITS ? NAN_BITS : cell;
    const h = Math.imul(hashes[i]! ^ value, 0x85ebca6b);
    hashes[i] = h ^ (h >>> 15);
  }
}
