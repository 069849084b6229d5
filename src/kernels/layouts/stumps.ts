/** What the kernel of RankBoost and its callers agree on. Addresses are in bytes. */
import { defineRecord } from '../record.js';
import { BINS } from './boosting.js';

/**
 * From the sums of a feature to those of the next. Not a power of 2: the same bin of eight features would be at the
 * same place of a page, and sums would wait for each other.
 */
export const FEATURE_SUMS = BINS + 8;

export const PLAN = defineRecord({
  /** By query: its first document, and the end; the weight of a pair at the start; the weight of all its pairs. */
  offsets: 'u32',
  weights: 'u32',
  totals: 'u32',
  /** By document, low labels first: e to the score, but for a factor a query. */
  labels: 'u32',
  factors: 'u32',
  potentials: 'u32',
  /** By bin: what a stump multiplies factors by. */
  multipliers: 'u32',
});
