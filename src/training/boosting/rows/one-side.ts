/**
 * Gradient-based one-side sampling (Ke et al. 2017): a tree is grown from the documents that have the most to say and a
 * share of the others, whose lambdas and hessians are scaled up so that they stand for all of them. What a document has
 * to say is |lambda * hessian|, as LightGBM has it.
 */
import { hash32 } from '../../../numeric/random.js';
import { sumOf } from '../../../ranks/gathered.js';
import { alone, type Transport } from '../../../ranks/transport.js';

export interface OneSide {
  /** Documents of at least this are kept; 0 is never enough. */
  readonly threshold: number;
  /** The chance that another is. */
  readonly chance: number;
  /** What decides on each row. */
  readonly key: number;
}

interface Shares {
  readonly topShare: number;
  readonly otherShare: number;
  readonly rate: number;
}

/** Whether the tree of an iteration is sampled: the first 1 / rate are grown from all documents. */
export function isOneSided({ topShare, rate }: Shares, iteration: number): boolean {
  return topShare < 1 && iteration > Math.floor(1 / rate);
}

/** From what each document has to say. */
export function oneSideOf(
  { topShare, otherShare }: Shares,
  magnitudes: Float32Array,
  seed: number,
  iteration: number,
  ranks: Transport = alone,
): OneSide {
  const documents = sumOf(ranks, magnitudes.length);
  const threshold = largest(magnitudes, Math.max(1, Math.floor(topShare * documents)), ranks);
  return { threshold, chance: otherShare / (1 - topShare), key: hash32(hash32(seed, iteration), 1) };
}

/** What a row's lambda and hessian are multiplied by: 1 of one that is kept, 0 of one that is left out. */
export function oneSideFactor({ threshold, chance, key }: OneSide, row: number, magnitude: number): number {
  if (magnitude > 0 && magnitude >= threshold) return 1;
  return hash32(key, row) < chance * 2 ** 32 ? Math.fround(1 / chance) : 0;
}

/**
 * The k-th largest of the magnitudes of all ranks: counted by their upper bits, then by the lower ones, whatever their
 * order.
 */
function largest(magnitudes: Float32Array, k: number, ranks: Transport): number {
  // Floats that are not negative are in the order of their bits.
  const bits = new Uint32Array(magnitudes.buffer, magnitudes.byteOffset, magnitudes.length);
  const counts = new Uint32Array(2 ** 16);
  const find = (before: number): [value: number, above: number] => {
    ranks.sum(new Int32Array(counts.buffer));
    let above = before;
    let value = counts.length - 1;
    while (above + counts[value]! < k) above += counts[value--]!;
    return [value, above];
  };
  for (let i = 0; i < bits.length; i++) counts[bits[i]! >>> 16]!++;
  const [upper, above] = find(0);
  counts.fill(0);
  for (let i = 0; i < bits.length; i++) if (bits[i]! >>> 16 === upper) counts[bits[i]! & 0xffff]!++;
  const [lower] = find(above);
  return new Float32Array(Uint32Array.of(upper * 2 ** 16 + lower).buffer)[0]!;
}
