/** Aligned tables for the terminal: text to the left, numbers to the right; widths are columns on the screen. */
import { displayWidth, visible } from './terminal.js';

export type Align = 'left' | 'right';

export interface Column {
  readonly title: string;
  readonly align?: Align;
}

/** A column of numbers. */
export function right(title: string): Column {
  return { title, align: 'right' };
}

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const texts = [columns.map(column => column.title), ...rows].map(cells => cells.map(visible));
  const widths = columns.map((_, c) => texts.reduce((widest, cells) => Math.max(widest, displayWidth(cells[c]!)), 0));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, c) => {
        const blanks = ' '.repeat(widths[c]! - displayWidth(cell));
        return columns[c]!.align === 'right' ? blanks + cell : cell + blanks;
      })
      .join('  ')
      .trimEnd();
  const [head, ...body] = texts.map(line);
  return [head, line(widths.map(width => '─'.repeat(width))), ...body].join('\n');
}

/** A number for a table: four decimals, as trec_eval prints; a dash where there is none. */
export function fixed(value: number, digits = 4): string {
  return Number.isNaN(value) ? '-' : value.toFixed(digits);
}

/** A difference for a table: with its sign. */
export function signed(value: number, digits = 4): string {
  return value > 0 ? `+${fixed(value, digits)}` : fixed(value, digits);
}

/** A p-value for a table: three significant digits, never a bare zero. */
export function pValue(p: number): string {
  if (Number.isNaN(p)) return '-';
  return p < 1e-4 ? p.toExponential(1) : p.toFixed(4);
}

/** A count with thousands apart. */
export function count(value: number): string {
  return value.toLocaleString('en-GB');
}

/** Rows as comma-separated values, quoted where they must be; numbers in full, NaN as an empty cell. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => {
    const text = Number.isNaN(value) ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map(row => row.map(cell).join(',')).join('\n');
}
