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

/**
 * Consecutive parts, as many to each section as can be. With as many sections as threads, each is a stretch: those that
 * a thread does first, as one.
 */
export function sectionsOf(parts: readonly Part[], count: number): Section[] {
  const firstRow = (section: number) =>
    parts[Math.floor((section * parts.length) / count)]?.firstRow ?? parts.at(-1)?.lastRow ?? 0;
  return Array.from({ length: count }, (_, section) => ({
    firstRow: firstRow(section),
    lastRow: firstRow(section + 1),
  }));
}

/** Rows side by side in the index. */
export type Span = [start: number, count: number];

/** Where the span of a leaf and section is among those of a run: its start, and behind it the count. */
export function spanAt(leaf: number, section: number, sections: number): number {
  return 2 * (leaf * sections + section);
}

/** All rows of a section. */
export function spanOf({ firstRow, lastRow }: Section): Span {
  return [firstRow, lastRow - firstRow];
}

/** Where the rows of each section begin, and how many there are, in a rising list of rows. */
export function spansOf(sections: readonly Section[], rows: Uint32Array): Span[] {
  let at = 0;
  return sections.map(({ lastRow }) => {
    const start = at;
    while (at < rows.length && rows[at]! < lastRow) at++;
    return [start, at - start];
  });
}

/** Puts all rows in the index by section and leaf, with their spans; returns the documents of each leaf. */
export function placeByLeaf(
  sections: readonly Section[],
  leafOf: (row: number) => number,
  leaves: number,
  { index, spans }: { readonly index: Uint32Array; readonly spans: Uint32Array },
): Uint32Array {
  const documents = new Uint32Array(leaves);
  sections.forEach(({ firstRow, lastRow }, section) => {
    const own = new Uint32Array(leaves);
    for (let row = firstRow; row < lastRow; row++) own[leafOf(row)]!++;
    const next = new Uint32Array(leaves);
    for (let leaf = 0, start = firstRow; leaf < leaves; start += own[leaf++]!) {
      next[leaf] = start;
      spans.set([start, own[leaf]!], spanAt(leaf, section, sections.length));
      documents[leaf]! += own[leaf]!;
    }
    for (let row = firstRow; row < lastRow; row++) index[next[leafOf(row)]!++] = row;
  });
  return documents;
}
