/** The records of a window as rows of a table. */
import type { Piece } from '../../dataset-builder.js';
import { daysOf } from './cell-dates.js';
import { cellNumbers, NO_NUMBER } from './cell-numbers.js';
import type { MissingWords } from './missing-words.js';
import type { Scanner } from './scanner.js';
import type { TableChunk } from './table-chunk.js';
import type { TextWindow } from './text-window.js';

const QUOTE = 0x22;

export class TextChunk implements TableChunk {
  readonly #window: TextWindow;
  readonly #scanner: Scanner;
  readonly #missing: MissingWords;
  #spans = new Uint32Array(0);

  constructor(window: TextWindow, scanner: Scanner, missing: MissingWords) {
    this.#window = window;
    this.#scanner = scanner;
    this.#missing = missing;
  }

  get rows(): number {
    return this.#scanner.cells.rows;
  }

  numbers(column: number, exact: boolean, out: Float64Array): void {
    const { cells, quotedNumbers } = this.#scanner;
    cellNumbers(this.#window.bytes, cells, column, { missing: this.#missing, quotedNumbers, exact }, out);
  }

  dates(column: number, out: Float64Array): void {
    for (let row = 0; row < this.rows; row++) {
      const text = this.text(column, row);
      out[row] = text === undefined || this.#missing.has(text) ? Number.NaN : (daysOf(text) ?? NO_NUMBER);
    }
  }

  text(column: number, row: number): string | undefined {
    const { spans, width } = this.#scanner.cells;
    const at = 2 * (row * width + column);
    return this.#scanner.text(this.#window.bytes, spans[at]!, spans[at + 1]!);
  }

  runs(column: number): { id: string | undefined; rows: number }[] {
    const { bytes } = this.#window;
    const { spans, width, rows } = this.#scanner.cells;
    const runs: { id: string | undefined; rows: number }[] = [];
    let first = 0;
    for (let row = 1; row <= rows; row++) {
      if (row < rows && sameSpan(bytes, spans, 2 * ((row - 1) * width + column), 2 * (row * width + column))) continue;
      const id = this.text(column, first);
      const last = runs.at(-1);
      // One text may be written in two ways.
      if (last !== undefined && last.id === id) last.rows += row - first;
      else runs.push({ id, rows: row - first });
      first = row;
    }
    return runs;
  }

  ids(column: number): Piece['documentIds'] {
    const { bytes } = this.#window;
    const { spans, width, rows } = this.#scanner.cells;
    if (this.#spans.length < 2 * rows) this.#spans = new Uint32Array(4 * rows);
    const found = this.#spans;
    for (let row = 0, at = 2 * column; row < rows; row++, at += 2 * width) {
      const start = spans[at]!;
      const end = spans[at + 1]!;
      // What is not written as it is, or may be the null of JSON, needs a string.
      if (end < 0 || (end - start === 4 && bytes[start] === 0x6e && bytes[start - 1] !== QUOTE)) {
        return Array.from({ length: rows }, (_, r) => this.text(column, r) ?? '');
      }
      found[2 * row] = start;
      found[2 * row + 1] = end - start;
    }
    return { bytes, spans: found };
  }

  place(column: number, row: number) {
    const { bytes } = this.#window;
    const { spans, width } = this.#scanner.cells;
    const at = 2 * (row * width + column);
    const start = spans[at]!;
    const quoted = bytes[start - 1] === QUOTE && (spans[at + 1] !== start || bytes[start] === QUOTE);
    return { place: this.#window.place(quoted ? start - 1 : start), where: '' };
  }
}

function sameSpan(bytes: Buffer, spans: Int32Array, a: number, b: number): boolean {
  const startA = spans[a]!;
  const startB = spans[b]!;
  const length = spans[a + 1]! - startA;
  if (spans[b + 1]! - startB !== length || length < 0 || bytes[startA - 1] !== bytes[startB - 1]) {
    return false;
  }
  for (let i = length - 1; i >= 0; i--) if (bytes[startA + i] !== bytes[startB + i]) return false;
  return true;
}
