/** What the kernel of measures by counting and its caller agree on. */

/** Regions of its memory, one after the other and all of the same length; float64. */
export const COUNTED_REGION = [
  // By document; filled by the caller.
  'scores',
  'gain',
  // Sums of discounts, and of rank times discount, over the ranks above; those of query q begin at its first document
  // and q, and are one more than its documents.
  'discounts',
  'moments',
  // By query: its first document (one more for the end), and its norm.
  'first',
  'norm',
  // By query: results.
  'value',
  // From here on the caller looks at nothing. By document of one query.
  'own',
  'ownGain',
] as const;
