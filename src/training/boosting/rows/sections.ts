/**
 * Sections of the rows. All work on a row, from its lambda to its score, is of its section, in the index, too: rows of
 * a leaf lie side by side within each. A thread does the same sections first in every round, so that what it reads was
 * mostly written by itself: to fetch what another processor has just changed takes longer than to compute it. There are
 * several a thread, so that one that is held up gets help.
 */
import type { Part } from '../../../data/parts.js';

const SECTIONS_A_THREAD = 4;

export type Section = Pick<Part, 'firstRow' | 'lastRow'>;

export function sectionsFor(threads: number): number {
  return threads === 1 ? 1 : SECTIONS_A_THREAD * threads;
}

/** Consecutive parts, as many to each section as can be. */
export function sectionsOf(parts: readonly Part[], count: number): Section[] {
  const firstRow = (section: number) =>
    parts[Math.floor((section * parts.length) / count)]?.firstRow ?? parts.at(-1)?.lastRow ?? 0;
  return Array.from({ length: count }, (_, section) => ({
    firstRow: firstRow(section),
    lastRow: firstRow(section + 1),
  }));
}

/** Where the rows of each section begin and end in a rising list of rows. */
export function spansOf(sections: readonly Section[], rows: Uint32Array): [start: number, count: number][] {
  let at = 0;
  return sections.map(({ lastRow }) => {
    const start = at;
    while (at < rows.length && rows[at]! < lastRow) at++;
    return [start, at - start];
  });
}
