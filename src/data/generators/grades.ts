/** From a real-valued target to grades 0 to 4 in the proportions of real web search data (MSLR-WEB10K). */

/** Share of documents of each grade. */
export const GRADE_SHARES = [0.52, 0.32, 0.13, 0.02, 0.01] as const;

/**
 * The target values from which a document has grade 1, 2, 3, 4, read off a sample of targets. With several targets a
 * document (`targets[a][i]`: target a of document i), boundary g is one of target g, boundaries beyond the last one of
 * the last, and a document has grade g where it passes all boundaries up to g.
 */
export function gradeThresholds(targets: readonly Float64Array[]): Float64Array {
  const thresholds = new Float64Array(GRADE_SHARES.length - 1);
  let passed = Array.from(targets[0]!.keys());
  let lower = 0; // the share of documents that an earlier target keeps below
  let below = 0;
  for (const [a, values] of targets.entries()) {
    const sorted = Float64Array.from(passed, i => values[i]!).sort();
    for (let g = a; g < (a === targets.length - 1 ? thresholds.length : a + 1); g++) {
      below += GRADE_SHARES[g]!;
      const at = Math.floor(((below - lower) / (1 - lower)) * sorted.length);
      thresholds[g] = sorted[Math.min(sorted.length - 1, at)]!;
    }
    passed = passed.filter(i => values[i]! >= thresholds[a]!);
    lower = below;
  }
  return thresholds;
}

export function gradeOf(targets: ArrayLike<number>, thresholds: Float64Array): number {
  let grade = 0;
  while (grade < thresholds.length && targets[Math.min(grade, targets.length - 1)]! >= thresholds[grade]!) grade++;
  return grade;
}

/** Whether a grade is below `cut` stays as it was; `level`, 0 to 1, says where it stands among its side. */
export function regrade(grades: Float64Array, cut: number, level: (document: number) => number): void {
  const sides = [GRADE_SHARES.slice(0, cut), GRADE_SHARES.slice(cut)] as const;
  for (const [i, grade] of grades.entries()) {
    const [least, shares] = grade < cut ? [0, sides[0]] : [cut, sides[1]];
    let left = level(i) * shares.reduce((sum, share) => sum + share, 0);
    let above = 0;
    while (above < shares.length - 1 && left >= shares[above]!) left -= shares[above++]!;
    grades[i] = least + above;
  }
}

export interface Moments {
  mean: number;
  deviation: number;
}

export function moments(values: Float64Array): Moments {
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / values.length) };
}
