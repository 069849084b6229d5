/** Scores documents one by one by walking the trees: where the kernel cannot be had. Equal to it to the bit. */
import type { ColumnBlock } from '../../kernels/score-trees.js';

export class PlainTrees {
  readonly #scoreRow: (features: ArrayLike<number>) => number;
  readonly #row: Float32Array;

  constructor(scoreRow: (features: ArrayLike<number>) => number, width: number) {
    this.#scoreRow = scoreRow;
    this.#row = new Float32Array(width);
  }

  scoreBlock(block: ColumnBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    const row = this.#row;
    for (let i = 0; i < block.rows; i++) {
      for (let f = 0; f < row.length; f++) {
        const column = columns[f]!;
        row[f] = column < 0 ? absent : block.data[column * block.stride + i]!;
      }
      out[i] = this.#scoreRow(row);
    }
  }

  scoreRows(rows: Float32Array, n: number, out: Float64Array): void {
    const row = this.#row;
    for (let i = 0; i < n; i++) {
      for (let f = 0; f < row.length; f++) row[f] = rows[i * row.length + f]!;
      out[i] = this.#scoreRow(row);
    }
  }
}
