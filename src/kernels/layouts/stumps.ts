/** What the kernel of RankBoost and its callers agree on. Addresses are in bytes. */
import { defineRecord } from '../record.js';

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
