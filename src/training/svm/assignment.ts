/** The linear assignment problem: rows to columns, one each, of least total cost (Kuhn 1955, n^3 looks). */
import { LOOKS_A_STEP, type Steps } from '../../steps.js';

/** `cost[row * n + column]`; returns the column of each row. */
export function* assignSteps(cost: Float64Array, n: number): Steps<Uint32Array> {
  const rowPrice = new Float64Array(n + 1);
  const columnPrice = new Float64Array(n + 1);
  const rowOf = new Int32Array(n + 1).fill(-1); // by column; the last column is where a row begins
  const before = new Int32Array(n + 1);
  let looks = 0;
  for (let row = 0; row < n; row++) {
    rowOf[n] = row;
    let column = n;
    const least = new Float64Array(n).fill(Infinity);
    const visited = new Uint8Array(n + 1);
    // The shortest path, in prices, from the row to a column that is free.
    while (rowOf[column] !== -1) {
      visited[column] = 1;
      const own = rowOf[column]!;
      let step = Infinity;
      let next = -1;
      for (let j = 0; j < n; j++) {
        if (visited[j] === 1) continue;
        const reduced = cost[own * n + j]! - rowPrice[own]! - columnPrice[j]!;
        if (reduced < least[j]!) {
          least[j] = reduced;
          before[j] = column;
        }
        if (least[j]! < step) {
          step = least[j]!;
          next = j;
        }
      }
      for (let j = 0; j <= n; j++) {
        if (visited[j] === 1) {
          rowPrice[rowOf[j]!]! += step;
          columnPrice[j]! -= step;
        } else if (j < n) least[j]! -= step;
      }
      column = next;
      looks += 2 * n;
      if (looks < LOOKS_A_STEP) continue;
      looks = 0;
      yield row / n;
    }
    while (column !== n) {
      rowOf[column] = rowOf[before[column]!]!;
      column = before[column]!;
    }
    rowOf[n] = -1;
  }
  const columnOf = new Uint32Array(n);
  for (let j = 0; j < n; j++) columnOf[rowOf[j]!] = j;
  return columnOf;
}
