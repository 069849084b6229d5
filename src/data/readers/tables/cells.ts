/** The fields of some records, as spans of a window's bytes; nothing is copied. */

export class Cells {
  rows = 0;
  /** Fields in a record. */
  width = 0;
  /**
   * Start and end of field c of record r at 2 * (r * width + c). An end below 0 is the complement of the end of a field
   * that does not stand in the text as it is: with escapes in it, or nested.
   */
  spans = new Int32Array(1 << 12);

  /** Makes room for another record. */
  reserve(): void {
    const needed = 2 * (this.rows + 1) * this.width;
    if (needed <= this.spans.length) return;
    const grown = new Int32Array(2 * needed);
    grown.set(this.spans);
    this.spans = grown;
  }

  /** Makes room for another field in every record, which has it as an empty one at `absent(row)`. */
  widen(absent: (row: number) => number): void {
    const { rows, width, spans } = this;
    const wider = new Int32Array(2 * (rows + 1) * (width + 1) + spans.length);
    for (let row = 0; row <= rows; row++) {
      const to = 2 * row * (width + 1);
      wider.set(spans.subarray(2 * row * width, 2 * (row + 1) * width), to);
      wider.fill(absent(row), to + 2 * width, to + 2 * width + 2);
    }
    this.width = width + 1;
    this.spans = wider;
  }
}
