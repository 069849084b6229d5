/** Columns of a table in one word each: `columns('count', 'wins', 'losses')`; without a style they are text. */
import type { NumberStyle } from './charts.js';
import type { TableColumn } from './document.js';

export function column(title: string, style?: NumberStyle, more: Partial<TableColumn> = {}): TableColumn {
  return style === undefined ? { title, ...more } : { title, style, ...more };
}

export function columns(style: NumberStyle | undefined, ...titles: readonly string[]): TableColumn[] {
  return titles.map(title => column(title, style));
}

/** Text set to the right, such as "3 of 10". */
export function rightColumn(title: string): TableColumn {
  return { title, align: 'right' };
}
