/** Sets of levels of a category: bit c & 31 of word c >> 5 is 1 where the level of code c is in the set. */

/** Codes are below this: whole numbers up to here have a float32 each. */
export const MOST_LEVELS = 1 << 24;

export type LevelSet = Uint32Array;

export function levelSet(codes: readonly number[]): LevelSet {
  const most = codes.reduce((a, b) => Math.max(a, b), -1);
  const set = new Uint32Array((most >> 5) + 1);
  for (const code of codes) set[code >> 5]! |= 1 << (code & 31);
  return set;
}

/** Whether the level of a value is in the set; digits after the point do not count, a value below 0 is no level. */
export function hasLevel(set: LevelSet, value: number): boolean {
  if (!(value >= 0 && value < 32 * set.length)) return false;
  return ((set[value >>> 5]! >>> (value & 31)) & 1) === 1;
}

/** The codes in the set, ascending. */
export function levelsOf(set: LevelSet): number[] {
  const codes: number[] = [];
  for (let code = 0; code < 32 * set.length; code++) if (hasLevel(set, code)) codes.push(code);
  return codes;
}
