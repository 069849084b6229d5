/** The tables of a document as Markdown. */
import { cellNote, cellValue } from '../cells.js';
import type { Cell, Section, TableBlock, TableColumn } from '../document.js';
import { written } from '../numbers.js';
import { shownOn } from '../shown-on.js';

/** Each below its title. */
export function markdownTables(sections: readonly Section[]): string[] {
  return shownOn('page', sections)
    .flatMap(({ blocks }) => blocks.filter(block => block.kind === 'table'))
    .map(table => `**${table.title}**\n\n${markdownTable(table)}`);
}

export function markdownTable({ columns, rows }: Pick<TableBlock, 'columns' | 'rows'>): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ style, align }) => (style === undefined && align === undefined ? '---' : '--:'))),
    ...rows.map(row => line(row.map((cell, c) => text(cell, columns[c]!)))),
  ].join('\n');
}

function text(cell: Cell | null, column: TableColumn): string {
  const { style, digits } = column;
  // A number that does not exist is null once it has been JSON.
  if (cell === null) return written(Number.NaN, style);
  const note = cellNote(cell, column);
  return written(cellValue(cell), style, digits) + (note ? ` (${note})` : '');
}
