/** Versions as engines have them: 3, 3.8, 9.0.1. */
import { ListwiseError, quote } from '../../errors.js';

/** The number of a version for comparison; parts that are left out are 0. */
function partsOf(version: string): number[] {
  return version.split('.').map(Number);
}

/** Negative where a is before b. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `NAME@VERSION` in two. */
export function splitEngine(text: string): { engine: string; version: string } {
  const [, engine, version] = /^([^@]+)@v?(\d+(?:\.\d+)*)$/.exec(text) ?? [];
  if (engine !== undefined && version !== undefined) return { engine, version };
  throw new ListwiseError(
    'option-invalid',
    `\`engine\` must be NAME@VERSION, such as opensearch@3.8, found ${quote(text)}`,
  );
}
