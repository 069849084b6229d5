/** Tasks of wide categories, whose bins are 16-bit numbers: histograms and best splits of a node, by category. */
import { CELL, SPLIT } from '../../../kernels/layouts/boosting.js';
import { MISSING_WIDE } from '../binning/level-bins.js';
import type { NodeSums } from '../growth/grower.js';
import { rootSums } from './histogram-tasks.js';
import type { TaskThread } from './task-thread.js';

export function levelTasks(thread: TaskThread) {
  const { memory, scratch, kernels } = thread;
  const { at, layout, tree, children, splits, arrays } = memory;
  const wide = thread.job.categories.filter(category => category.wide !== undefined);

  /** Best split of some rows, from their start in the index, to side 0 or 1 of the splits. */
  const split = (number: number, side: number, start: number, sums: NodeSums) => {
    const category = wide[number]!;
    const record = side * layout.features + category.feature;
    if (arrays.mask[record] === 0 || sums.documents < 2 * tree.leastDocuments) {
      splits.at(record).gain = 0;
      return;
    }
    thread.beginSplits();
    thread.setUnits();
    const cells = category.codes.length;
    const bins = at.wide + 2 * layout.rows * number;
    kernels.histogram.addCodes(bins, at.index + 4 * start, sums.documents, at.records, cells, MISSING_WIDE, scratch);
    thread.bestLevels(
      category,
      side,
      sums,
      scratch,
      scratch + CELL.bytes * (cells + 1),
      at.splits + record * SPLIT.bytes,
    );
  };

  return {
    /** All rows of the tree. */
    wideRoot(number: number): void {
      kernels.splitter.setBounds(-Infinity, Infinity);
      const sums = rootSums(thread, 0);
      split(number, 0, 0, { ...sums, step: thread.stepOf(sums, undefined), key: children.key });
    },

    /** Both children: first the smaller one by category, then the larger one. */
    wideChildren(task: number): void {
      const { lambda, hessian, documents, step, key, largeLambda, largeHessian, largeDocuments, largeStep } = children;
      const side = Math.floor(task / wide.length);
      const { least, most, largeLeast, largeMost } = children;
      if (side === 0) kernels.splitter.setBounds(least, most);
      else kernels.splitter.setBounds(largeLeast, largeMost);
      const sums =
        side === 0
          ? { lambda, hessian, documents, step, key }
          : {
              lambda: largeLambda,
              hessian: largeHessian,
              documents: largeDocuments,
              step: largeStep,
              key: children.largeKey,
            };
      split(task % wide.length, side, side === 0 ? children.start : children.largeStart, sums);
    },
  };
}
