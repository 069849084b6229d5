/** Rows in the order of the input, for output that goes line by line beside it. */
import type { Dataset } from './dataset.js';

/** The rows in the order in which the input gave them; undefined where that is the order they are in. */
export function inputOrder(data: Dataset): Uint32Array | undefined {
  const { inputRows } = data;
  if (inputRows === undefined || inputRows.every((row, i) => i === 0 || row > inputRows[i - 1]!)) return undefined;
  return Uint32Array.from(inputRows.keys()).sort((a, b) => inputRows[a]! - inputRows[b]!);
}
