/** What the last tree of a run was grown from, for the reference. */
import { binInByte } from '#listwise/training/boosting/binning/columns.js';
import type { TreeThreads } from '#listwise/training/boosting/tree-threads.js';
import type { QuantisedRows } from './kernel-work.reference.js';

export function quantisedRows({ memory, thread }: TreeThreads, features: QuantisedRows['features']): QuantisedRows {
  const { arrays, layout, tree } = memory;
  const { columns } = thread;
  const { rows } = layout;
  const apart = columns.recordBytes / 4;
  const column = (f: number) => {
    const first = columns.column[f]! * rows;
    return Uint8Array.from({ length: rows }, (_, row) => binInByte(columns, f, arrays.columns[first + row]!));
  };
  return {
    bins: Array.from({ length: layout.features }, (_, f) => {
      const wide = thread.category(f)?.wide;
      return wide === undefined ? column(f) : arrays.wide.slice(rows * wide, rows * (wide + 1));
    }),
    binCounts: Array.from(arrays.bins, (count, f) => thread.category(f)?.codes.length ?? count),
    categories: Array.from({ length: layout.features }, (_, f) => thread.category(f) !== undefined),
    monotone: thread.job.monotone,
    leastLevel: tree.leastLevel,
    levelSmoothing: tree.levelSmoothing,
    oneHotLevels: tree.oneHotLevels,
    lambda: Int32Array.from({ length: rows }, (_, row) => arrays.records[apart * row]!),
    hessian: Int32Array.from({ length: rows }, (_, row) => arrays.records[apart * row + 1]!),
    rows: arrays.index.slice(0, tree.rows).sort(),
    features,
    randomThresholds: tree.randomThresholds === 1,
    lambdaUnit: 1 / tree.lambdaScale,
    hessianUnit: 1 / tree.hessianScale,
    l1: tree.l1,
    l2: tree.l2,
    maxStep: tree.maxStep,
    pathSmoothing: tree.pathSmoothing,
    squares: tree.squares === 1,
    leastDocuments: tree.leastDocuments,
    leastHessian: tree.leastHessian,
    leastGain: tree.leastGain,
  };
}
