/** Columns and their features as the kernel that looks for splits reads them. */
import { MISSING_BIN } from '../../../kernels/layouts/boosting.js';
import type { TreeThreads } from '../tree-threads.js';

/** Once every feature has its bins. */
export function writeColumns({ memory, thread }: TreeThreads): void {
  const { at, arrays, columnFeatures, features } = memory;
  const { columns, job } = thread;
  let next = 0;
  columns.features.forEach((own, column) => {
    const cells = own.length === 1 ? arrays.bins[own[0]!]! : MISSING_BIN;
    columnFeatures.at(column).write({ cells, first: next, count: own.length });
    for (const number of own) {
      const category = thread.category(number);
      features.at(next++).write({
        number,
        bins: arrays.bins[number]!,
        step: columns.step[number]!,
        states: columns.states[number]!,
        direction: job.monotone?.[number] ?? 0,
        levels: category?.codes.length ?? 0,
        sets: category === undefined ? 0 : at.sets + 4 * category.set,
        setBytes: category === undefined ? 0 : 4 * category.words,
      });
    }
  });
}
