/** What the kernels of smooth ranks and their callers agree on. */

/**
 * The table of the normal distribution: where it lies, constants of the kernel before it; so many entries a unit, the
 * last entry, and numbers an entry.
 */
export const NORMAL_TABLE = 4096;
export const NORMAL_ENTRIES = 64;
export const NORMAL_LAST = 544;
export const NORMAL_TERMS = 6;

/** Regions of the memory of the SoftRank kernel, one after the other and all of the same length; float64. */
export const SOFT_REGION = [
  // By document; filled by the caller.
  'scores',
  'relevant',
  // By document; results are added to it.
  'gradient',
  // By term of the sum of exponentials: 1 - e^-rate and the weight of the term.
  'fall',
  'weight',
  // By rank: what the sum of exponentials leaves of the discounts of the first ranks.
  'head',
  // By rank from the last one on: what it leaves of those of the last ranks.
  'foot',
  // From here on the caller looks at nothing. By document.
  'win',
  'density',
  // By rival: as 32-bit numbers, and again.
  'rival',
  'chance',
  'slope',
  // By term.
  'product',
  // By document: c / (1 - c) and 1 / (1 - c) of the chance c of weak rivals.
  'odds',
  'inverse',
  // By rank: the adjoint and its differences; and by power of the odds.
  'adjoint',
  'step',
  'coefficient',
  // By row of a distribution, two 32-bit numbers: which ranks count.
  'window',
] as const;

/** Regions of the memory of the kernel of smooth positions, one after the other and all of the same length; float64. */
export const SIGMOID_REGION = [
  // By document; filled by the caller.
  'scores',
  // By document; results, and what derivatives are added to.
  'positions',
  'byPosition',
  'gradient',
  // By place in a list of documents: their positions, and what derivatives by them are added to.
  'listed',
  'byListed',
  // From here on the caller looks at nothing. By document.
  'power',
  // By place in a list: the sigmoid, and the density of the normal distribution there.
  'before',
  'density',
] as const;

export const SIGMOID_KIND = ['logistic', 'normal'] as const;
