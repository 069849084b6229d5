/** Discounts: what a rank is worth to measures of the DCG family. */
import { choiceParameter } from '../parameters.js';

export const discountParameter = choiceParameter({
  choices: ['log2', 'letor'],
  default: 'log2',
  description: 'The worth of rank r: log2 is 1/log2(1 + r); letor is 1 at ranks 1 and 2, then 1/log2(r).',
});

type Discount = 'log2' | 'letor';

const cache: Record<Discount, Float64Array> = { log2: new Float64Array(0), letor: new Float64Array(0) };

/** Discounts of ranks 1..n at indices 0..n-1; shared between calls and possibly longer than n. */
export function discounts(kind: Discount, n: number): Float64Array {
  if (cache[kind].length < n) {
    const length = Math.max(n, 2 * cache[kind].length, 128);
    cache[kind] = Float64Array.from({ length }, (_, r) =>
      kind === 'log2' ? 1 / Math.log2(r + 2) : r < 2 ? 1 : 1 / Math.log2(r + 1),
    );
  }
  return cache[kind];
}
