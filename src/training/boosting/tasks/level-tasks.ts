/** Tasks of wide categories, whose bins are 16-bit numbers: histograms and best splits of nodes, by category. */
import { CELL, SIDE, SPLIT } from '../../../kernels/layouts/boosting.js';
import { MISSING_WIDE } from '../binning/level-bins.js';
import { spanAt } from '../rows/sections.js';
import type { TaskThread } from './task-thread.js';

export function levelTasks(thread: TaskThread) {
  const { memory, scratch, kernels } = thread;
  const { at, layout, tree, sides, splits, arrays } = memory;
  const wide = thread.job.categories.filter(category => category.wide !== undefined);

  /** Tasks are first of one side, by category, then of the other; both find the cells of a task here. */
  const cellsAt = (task: number) => at.wideCells + task * layout.wideCells * CELL.bytes;

  /** What a task is about; undefined where no split is wanted. */
  const workOf = (task: number) => {
    const side = Math.floor(task / wide.length);
    const number = task % wide.length;
    const category = wide[number]!;
    const record = side * layout.features + category.feature;
    const node = sides.at(side);
    const wanted = arrays.mask[record] === 1 && node.documents >= 2 * tree.leastDocuments;
    return { side, number, category, record, node, wanted };
  };

  return {
    /** Histogram of a node's rows. */
    wideCells(task: number): void {
      const { number, category, node, wanted } = workOf(task);
      if (!wanted) return;
      const bins = at.wide + 2 * layout.rows * number;
      const cells = category.codes.length;
      const { recordBytes } = thread.columns;
      const { clearCells, addCodes } = kernels.histogram;
      clearCells(cellsAt(task), cells + 1);
      for (let section = 0; section < layout.sections; section++) {
        const span = spanAt(node.leaf, section, layout.sections);
        const [index, n] = [at.index + 4 * arrays.spans[span]!, arrays.spans[span + 1]!];
        addCodes(bins, index, n, at.records, recordBytes, cells, MISSING_WIDE, cellsAt(task));
      }
    },

    /** Best split from that. */
    wideSplits(task: number): void {
      const { side, category, record, node, wanted } = workOf(task);
      if (!wanted) {
        splits.at(record).gain = 0;
        return;
      }
      kernels.splitter.setBounds(node.least, node.most);
      thread.beginSplits();
      kernels.splitter.splitLevels(
        at.sides + side * SIDE.bytes,
        cellsAt(task),
        category.codes.length,
        at.splits + record * SPLIT.bytes,
        at.sets + 4 * (category.set + side * category.words),
        scratch,
      );
    },
  };
}
