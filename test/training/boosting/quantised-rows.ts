/** What the last tree of a run was grown from, for the reference. */
import { binInByte } from '#listwise/training/boosting/binning/columns.js';
import { REAL, WHOLE } from '#listwise/training/boosting/memory/task-numbers.js';
import type { TreeThreads } from '#listwise/training/boosting/tree-threads.js';
import type { QuantisedRows } from '../../../src/training/boosting/growth/kernel-work.reference.js';

export function quantisedRows({ memory, layout, numbers, tasks }: TreeThreads): QuantisedRows {
  const { at, features, rows } = layout;
  const { whole, real } = numbers;
  const { columns } = tasks;
  const bytes = new Uint8Array(memory.buffer);
  const records = new Int32Array(memory.buffer, at.records, 2 * rows);
  const column = (f: number) => {
    const base = at.tiles + (columns.column[f]! >> 3) * 8 * rows + (columns.column[f]! & 7);
    return Uint8Array.from({ length: rows }, (_, row) => binInByte(columns, f, bytes[base + 8 * row]!));
  };
  return {
    bins: Array.from({ length: features }, (_, f) => column(f)),
    binCounts: [...new Int32Array(memory.buffer, at.bins, features)],
    lambda: Int32Array.from({ length: rows }, (_, row) => records[2 * row]!),
    hessian: Int32Array.from({ length: rows }, (_, row) => records[2 * row + 1]!),
    rows: Uint32Array.from(new Uint32Array(memory.buffer, at.index, whole[WHOLE.rows]!)).sort(),
    mask: Uint8Array.from(new Uint8Array(memory.buffer, at.mask, features)),
    lambdaUnit: 1 / real[REAL.lambdaScale]!,
    hessianUnit: 1 / real[REAL.hessianScale]!,
    l2: real[REAL.l2]!,
    squares: whole[WHOLE.squares] === 1,
    leastDocuments: whole[WHOLE.leastDocuments]!,
    leastHessian: real[REAL.leastHessian]!,
    leastGain: real[REAL.leastGain]!,
  };
}
