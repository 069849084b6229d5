/** Regions of the memory of the pair kernel, one after the other and all of the same length. */

/** Filled or read by the caller; float64, so that nobody converts. */
export const WIDE_REGION = [
  // By document.
  'scores',
  'labels',
  'gain',
  'lambda',
  'hessian',
  // By rank.
  'upper',
  'slope',
  'lower',
] as const;

export const REGION = [
  ...WIDE_REGION,
  // Float32, by document.
  'tiers',
  // 32-bit, by rank: the document there.
  'order',
  // From here on the caller looks at nothing. By document: 32-bit.
  'score',
  'label',
  'rank',
  'scratch',
  // By position: 32-bit. Padded by four entries.
  'place',
  'end',
  'at',
  'ownScore',
  'ownLabel',
  'ownTier',
  'ownGain',
  'ownUpper',
  'ownSlope',
  'ownLower',
  'power',
  'ownLambda',
  'ownHessian',
] as const;
