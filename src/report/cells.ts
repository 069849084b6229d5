/** The parts of a table's cell, for every rendering. */
import type { Cell, NumberFormat } from './document.js';
import { written } from './numbers.js';

export function cellValue(cell: Cell): string | number {
  return typeof cell === 'object' ? cell.value : cell;
}

/** What stands below the value, or beside it. */
export function cellNote(cell: Cell, { style, digits }: NumberFormat): string | undefined {
  if (typeof cell !== 'object') return undefined;
  if ('note' in cell) return cell.note;
  if (Number.isNaN(cell.value)) return '';
  const known = cell.interval.every(Number.isFinite);
  return known ? cell.interval.map(end => written(end, style, digits)).join(' to ') : 'no interval';
}
