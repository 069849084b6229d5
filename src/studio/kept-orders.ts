/** Orders of tables as addresses have them, each as `TABLE.down.COLUMN`. */
import type { RowOrder } from '../report/row-order.js';

/** What addresses call them. */
export const SORT = 'sort';
const UP = 'up';
const DOWN = 'down';

export function orderOf(table: string, sorts: readonly string[]): RowOrder | undefined {
  const found = sorts.find(isOf(table));
  if (found === undefined) return undefined;
  const [word = '', column = ''] = found.slice(table.length + 1).split(/\.(.*)/s);
  return { column, descending: word === DOWN };
}

/** The orders of others stay. */
export function withOrder(sorts: readonly string[], table: string, order: RowOrder | undefined): string[] {
  const own = order === undefined ? [] : [`${table}.${order.descending ? DOWN : UP}.${order.column}`];
  return [...sorts.filter(text => !isOf(table)(text)), ...own];
}

function isOf(table: string): (text: string) => boolean {
  return text => [UP, DOWN].some(word => text.startsWith(`${table}.${word}.`));
}
