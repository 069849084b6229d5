/** Sections of the rows that a thread does first. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeByLeaf, sectionsFor, sectionsOf, spansOf } from '#listwise/training/boosting/rows/sections.js';

const partsOf = (lengths: readonly number[]) => {
  let firstRow = 0;
  return lengths.map((rows, q) => {
    const part = { firstQuery: q, lastQuery: q + 1, firstRow, lastRow: firstRow + rows };
    firstRow += rows;
    return part;
  });
};

it('sections hold every row once, those of a thread side by side, and fit the ranges that parts are dealt into', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 6 }),
      (lengths, threads) => {
        const parts = partsOf(lengths);
        const count = sectionsFor(threads);
        const sections = sectionsOf(parts, count);
        expect(sections[0]!.firstRow).toBe(0);
        expect(sections.at(-1)!.lastRow).toBe(parts.at(-1)!.lastRow);
        for (let s = 1; s < count; s++) expect(sections[s]!.firstRow).toBe(sections[s - 1]!.lastRow);
        const end = parts.at(-1)!.lastRow;
        const firstOf = (thread: number) => parts[Math.floor((thread * parts.length) / threads)]?.firstRow ?? end;
        for (let thread = 0; thread < threads; thread++) {
          expect(sections[(thread * count) / threads]!.firstRow).toBe(firstOf(thread));
        }
        const stretches = Array.from({ length: threads }, (_, thread) => ({
          firstRow: firstOf(thread),
          lastRow: firstOf(thread + 1),
        }));
        expect(sectionsOf(parts, threads)).toEqual(stretches);
      },
    ),
  );
});

it('spans are where the rows of sections lie in a rising list', () => {
  const sections = sectionsOf(partsOf([4, 3, 5, 2]), 4);
  expect(spansOf(sections, Uint32Array.of(1, 3, 4, 12, 13))).toEqual([
    [0, 2],
    [2, 1],
    [3, 0],
    [3, 2],
  ]);
});

it('rows lie by leaf within each section', () => {
  const sections = sectionsOf(partsOf([3, 4]), 2);
  const arrays = { index: new Uint32Array(7), spans: new Uint32Array(12) };
  const leaves = [2, 0, 2, 1, 0, 1, 2];
  expect([...placeByLeaf(sections, row => leaves[row]!, 3, arrays)]).toEqual([2, 2, 3]);
  expect([...arrays.index]).toEqual([1, 0, 2, 4, 3, 5, 6]);
  // By leaf, then section: start and count.
  expect([...arrays.spans]).toEqual([0, 1, 3, 1, 1, 0, 4, 2, 1, 2, 6, 1]);
});
