/** A table as comma-separated values: numbers in full, a missing one as an empty cell. */
import { cellNote, cellValue } from '../cells.js';
import type { Cell, TableBlock } from '../document.js';

/**
 * Notes and intervals have columns of their own, where `notes` asks for them. A name that spreadsheets would take for a
 * formula gets an apostrophe in front, where `forSpreadsheets`.
 */
export function csvText(
  { columns, rows }: TableBlock,
  { notes = false, newline = '\n', forSpreadsheets = false } = {},
): string {
  const noted = columns.map((_, c) => notes && rows.some(row => typeof row[c] === 'object'));
  const head = columns.flatMap(({ title }, c) => (noted[c] ? [title, `${title} (note)`] : [title]));
  const cells = (cell: Cell, c: number) =>
    noted[c] ? [cellValue(cell), cellNote(cell, columns[c]!) ?? ''] : [cellValue(cell)];
  return [head, ...rows.map(row => row.flatMap(cells))]
    .map(row => row.map(value => csvCell(forSpreadsheets ? noFormula(value) : value)).join(','))
    .join(newline);
}

function noFormula(value: string | number): string | number {
  return typeof value === 'string' && /^[=+@\t\r-]/.test(value) ? `'${value}` : value;
}

function csvCell(value: string | number): string {
  const text = Number.isNaN(value) ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
