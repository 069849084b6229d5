/** A space over a function that is known, for tests of search methods. */
import type { SearchSpace, Values } from '#listwise/tuning/space.js';

export const space: SearchSpace = {
  model: 'trees',
  search: {
    rate: { from: 0.001, to: 1, scale: 'log', whole: false },
    leaves: { from: 2, to: 64, scale: 'log', whole: true },
    featureShare: { from: 0.1, to: 1, scale: 'linear', whole: false },
    step: { choices: ['auto', 'newton', 'gradient'] },
  },
};

/** Largest, 0, at rate 0.05, leaves 10, featureShare 0.7, step newton. */
export function quality(values: Values): number {
  const { rate, leaves, featureShare, step } = values as {
    rate: number;
    leaves: number;
    featureShare: number;
    step: string;
  };
  return -(
    (Math.log10(rate) - Math.log10(0.05)) ** 2 +
    (Math.log10(leaves) - 1) ** 2 +
    2 * (featureShare - 0.7) ** 2 +
    (step === 'newton' ? 0 : 0.3)
  );
}
