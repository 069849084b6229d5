/** A table as comma-separated values: numbers in full, a missing one as an empty cell. */
import { cellNote, cellValue } from '../cells.js';
import type { Cell, TableBlock } from '../document.js';

/** Notes and intervals have columns of their own, where `notes` asks for them. */
export function csvText({ columns, rows }: TableBlock, { notes = false, newline = '\n' } = {}): string {
  const noted = columns.map((_, c) => notes && rows.some(row => typeof row[c] === 'object'));
  const head = columns.flatMap(({ title }, c) => (noted[c] ? [title, `${title} (note)`] : [title]));
  const cells = (cell: Cell, c: number) =>
    noted[c] ? [cellValue(cell), cellNote(cell, columns[c]!) ?? ''] : [cellValue(cell)];
  return [head, ...rows.map(row => row.flatMap(cells))].map(row => row.map(csvCell).join(',')).join(newline);
}

function csvCell(value: string | number): string {
  const text = Number.isNaN(value) ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
