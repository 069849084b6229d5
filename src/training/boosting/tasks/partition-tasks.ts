/** Tasks that take the rows of a leaf to its two children, section by section. */
import { spanAt } from '../rows/sections.js';
import type { TaskThread } from './task-thread.js';

export function partitionTasks(thread: TaskThread) {
  const { kernels, memory } = thread;
  const { at, division, children, arrays, layout } = memory;
  const { spans } = arrays;

  /** Rows of a section to the leaves that they go to; returns how many go left. */
  const divide = (start: number, n: number) => {
    const { bins, binsShift, wide } = division;
    const { partitionRows, partitionWide, placeRows } = kernels.partition;
    const [index, out] = [at.index + 4 * start, at.scratch + 4 * start];
    const lefts = wide
      ? partitionWide(bins, at.goesLeft, index, n, out)
      : partitionRows(bins, binsShift, at.goesLeft, index, n, out);
    placeRows(out, n, lefts, index, index + 4 * lefts);
    return lefts;
  };

  return {
    /** Rows of a section to their leaves, and those of the smaller child to the thread's cells. */
    divide(section: number): void {
      const left = spanAt(division.leaf, section, layout.sections);
      const right = spanAt(division.newLeaf, section, layout.sections);
      const start = spans[left]!;
      const rows = spans[left + 1]!;
      const lefts = divide(start, rows);
      spans[left + 1] = lefts;
      spans[right] = start + lefts;
      spans[right + 1] = rows - lefts;
      if (children.leaf >= 0) thread.addRows(children.leaf, section);
    },

    /** Rows of a section and leaf to the thread's cells. */
    leafRows(section: number): void {
      thread.addRows(children.leaf, section);
    },
  };
}
