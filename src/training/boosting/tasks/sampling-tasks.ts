/** Tasks of one-side sampling. Until rows are partitioned, `scratch` has what each of them has to say. */
import { shareOf } from '../../../data/share.js';
import { oneSideFactor } from '../rows/one-side.js';
import type { TaskThread } from './task-thread.js';

export function samplingTasks({ job, memory, kernels }: TaskThread) {
  // Of all ranks: what is drawn for a row is drawn by its number in all data.
  const { firstRow: before } = shareOf(job.seen);
  const { at, arrays, oneSide, layout } = memory;
  const { lambdas } = arrays;
  const magnitudes = new Float32Array(memory.memory.buffer, at.scratch, layout.rows);

  return {
    /** What documents of a part have to say. */
    magnitudes(part: number): void {
      const { firstRow, lastRow } = job.parts[part]!;
      for (let row = firstRow; row < lastRow; row++) {
        magnitudes[row] = Math.abs(lambdas[2 * row]! * lambdas[2 * row + 1]!);
      }
    },

    /** Scales the lambdas of a part's documents; those that are left out have none. */
    oneSide(part: number): void {
      const { firstRow, lastRow } = job.parts[part]!;
      const how = oneSide.read();
      for (let row = firstRow; row < lastRow; row++) {
        const factor = oneSideFactor(how, before + row, magnitudes[row]!);
        magnitudes[row] = factor;
        if (factor === 1) continue;
        lambdas[2 * row]! *= factor;
        lambdas[2 * row + 1]! *= factor;
      }
      kernels.gradients.sumMagnitudes(at.lambdas, firstRow, lastRow, at.sums + 16 * part);
    },
  };
}
