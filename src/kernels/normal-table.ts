/**
 * The normal distribution as kernels read it: the first terms of its Taylor series around each entry of a table, in
 * units of the distance between two entries, less a half. Good to 1e-15, its derivative to 1e-13. The last entry is
 * where it is 1, and nothing moves.
 */
import { density, normal } from '../numeric/normal.js';
import { NORMAL_ENTRIES, NORMAL_LAST, NORMAL_TERMS } from './layouts/smooth-ranks.js';

export const normalTable = new Float64Array(NORMAL_TERMS * (NORMAL_LAST + 1));

for (let i = 0; i <= NORMAL_LAST; i++) {
  const z = i / NORMAL_ENTRIES;
  // Derivatives of the density are the density times Hermite polynomials of z, with changing signs.
  const hermite = [1, z, z ** 2 - 1, z ** 3 - 3 * z, z ** 4 - 6 * z ** 2 + 3];
  normalTable[NORMAL_TERMS * i] = normal(z) - 0.5;
  let factor = i < NORMAL_LAST ? density(z) : 0;
  for (const [k, value] of hermite.entries()) {
    factor /= (k + 1) * NORMAL_ENTRIES;
    normalTable[NORMAL_TERMS * i + k + 1] = factor * value;
    factor = -factor;
  }
}
