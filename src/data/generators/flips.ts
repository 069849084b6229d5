import type { Random } from '../../numeric/random.js';

/** Each grade, with probability `share`, becomes another of 0 to `grades` - 1, all others equally likely. */
export function flipLabels(labels: Float64Array, share: number, grades: number, random: Random): void {
  for (const [i, grade] of labels.entries()) {
    // As many draws whatever comes out, so that a larger share flips the same documents to the same grades, and more.
    const flipped = random.uniform() < share;
    const other = Math.floor(random.uniform() * (grades - 1));
    if (flipped) labels[i] = other < grade ? other : other + 1;
  }
}
