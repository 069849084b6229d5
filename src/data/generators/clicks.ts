/**
 * Click labels in [0, 1] beside the grades, as in Svore et al. (2011): mostly zero, higher for better grades, and differing
 * between documents of one grade in a way that the features can partly tell.
 */
import type { Random } from '../../random.js';

/** The click label of a document, a multiple of 0.001. */
export function clickLabel(random: Random, grade: number, appeal: number): number {
  const pull = 0.8 * grade + 0.8 * appeal;
  // Two draws whatever comes out, so that documents do not shift each other's.
  const seen = random.uniform() < logistic(pull - 2.2);
  const strength = random.uniform();
  if (!seen) return 0;
  // u^(1/m - 1) has mean m.
  const mean = logistic(pull - 1.5);
  return Math.max(1, Math.round(1000 * strength ** (1 / mean - 1))) / 1000;
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
