/**
 * The paired randomisation test (Fisher): were the two systems the same, each query's difference could as well have had
 * the other sign. p is the share of all sign flips whose mean is at least as far from zero as the one found.
 */
import { Random } from '../../numeric/random.js';
import { refuseNotFinite, type TestResult } from './test-result.js';

/** Up to this many differences all 2^n sign flips are tried. */
const EXACT_UP_TO = 20;
export const RANDOM_FLIPS = 100_000;

/**
 * Fisher's randomisation test of paired differences, over flips of their signs.
 *
 * @example
 * import { randomisationTest } from 'listwise/analysis';
 *
 * const { p } = randomisationTest(Float64Array.of(0.1, 0.2, -0.05, 0.15), { seed: 1 });
 */
export function randomisationTest(
  differences: Float64Array,
  options: { seed?: number; flips?: number } = {},
): TestResult {
  refuseNotFinite(differences);
  const kept = differences.filter(difference => difference !== 0); // a zero stays zero whatever its sign
  const n = kept.length;
  const name = 'paired randomisation test';
  if (differences.length === 0) {
    const note = 'a randomisation test needs at least one query, there are none';
    return { p: Number.NaN, statistic: Number.NaN, n, method: name, note };
  }
  let sum = 0;
  let size = 0;
  for (const difference of kept) {
    sum += difference;
    size += Math.abs(difference);
  }
  const statistic = sum / differences.length;
  // Sums that are equal but for rounding count as equal.
  const bound = Math.abs(sum) - 1e-12 * size;
  if (n <= EXACT_UP_TO) {
    return { p: exact(kept, bound), statistic, n, method: `${name}, all 2^${n} sign flips` };
  }
  const { seed = 1, flips = RANDOM_FLIPS } = options;
  const p = (1 + countFar(kept, bound, flips, new Random(seed, 'randomisation test'))) / (flips + 1);
  return { p, statistic, n, method: `${name}, ${flips} random sign flips` };
}

function exact(differences: Float64Array, bound: number): number {
  const n = differences.length;
  const count = (at: number, sum: number): number => {
    if (at === n) return Math.abs(sum) >= bound ? 1 : 0;
    return count(at + 1, sum + differences[at]!) + count(at + 1, sum - differences[at]!);
  };
  return count(0, 0) / 2 ** n;
}

/** How many of `flips` random sign flips have a sum at least `bound` from zero. */
function countFar(differences: Float64Array, bound: number, flips: number, random: Random): number {
  const tables = byteSums(differences);
  const words = Math.ceil(tables.length / 4 / 256);
  let far = 0;
  for (let flip = 0; flip < flips; flip++) {
    let sum = 0;
    for (let word = 0; word < words; word++) {
      const bits = random.bits();
      const at = word * 1024;
      sum +=
        tables[at + (bits & 255)]! +
        tables[at + 256 + ((bits >>> 8) & 255)]! +
        tables[at + 512 + ((bits >>> 16) & 255)]! +
        tables[at + 768 + (bits >>> 24)]!;
    }
    if (Math.abs(sum) >= bound) far++;
  }
  return far;
}

/** For every 8 differences the 256 sums that their signs can give, padded with zeros to whole 32-bit words. */
function byteSums(differences: Float64Array): Float64Array {
  const bytes = 4 * Math.ceil(differences.length / 32);
  const tables = new Float64Array(256 * bytes);
  for (let byte = 0; byte < bytes; byte++) {
    for (let signs = 0; signs < 256; signs++) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit++) {
        const difference = differences[8 * byte + bit] ?? 0;
        sum += (signs >> bit) & 1 ? difference : -difference;
      }
      tables[256 * byte + signs] = sum;
    }
  }
  return tables;
}
