/** What the kernel of RankBoost and its callers agree on. Addresses are in bytes. */
import { defineRecord } from '../record.js';
import { BINS } from './boosting.js';

/**
 * From the sums of a feature to those of the next. Not a power of 2: the same bin of eight features would be at the
 * same place of a page, and sums would wait for each other.
 */
export const FEATURE_SUMS = BINS + 8;

export const PLAN = defineRecord({
  /** By query: the first of its grades, and the end; the weight of a pair at the start; the weight of all its pairs. */
  grades: 'u32',
  weights: 'u32',
  totals: 'u32',
  /** By grade of a query, lowest first: its first document, and the end. */
  starts: 'u32',
  /** By document: e to the score, but for a factor a query. */
  factors: 'u32',
  potentials: 'u32',
  /** By bin: what a stump multiplies factors by. */
  multipliers: 'u32',
});

/** The best weak ranker of a feature: documents with a bin up to this are 0, others 1. */
export const THRESHOLD = defineRecord({
  /** Sum over documents of potential times output: between -1 and 1 where potentials are of a distribution. */
  r: 'f64',
  bin: 'u32',
  missingLeft: 'u32',
  /** Of the feature, but for that of missing values: what the kernel is told. */
  bins: 'u32',
});
