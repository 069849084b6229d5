/** The order of a table: a click on a head sorts by it, another turns it round, a third undoes it. */
import { distinct } from '../distinct.js';
import { type RowOrder, rowsInOrder } from '../row-order.js';
import { button, element } from './element.js';

/** Where orders stay when tables are drawn anew, by the titles of tables: the studio has them in its address. */
export interface KeptOrders {
  get(table: string): RowOrder | undefined;
  set(table: string, order: RowOrder | undefined): void;
}

let kept: KeptOrders = { get: () => undefined, set: () => {} };

export function keepOrders(orders: KeptOrders): void {
  kept = orders;
}

export interface SortedColumn {
  readonly title: string;
  readonly class?: string;
  /** Of numbers and times the largest comes first, of texts the first. */
  readonly largestFirst: boolean;
}

export interface SortHeads {
  readonly heads: readonly HTMLTableCellElement[];
  /** Rows in the order that was asked for, by the value in a column; as they are, where none was. */
  sorted<T>(rows: readonly T[], inColumn: (row: T, column: number) => string | number): readonly T[];
}

/** Heads that sort; `changed` is called when another order was asked for. */
export function sortHeads(table: string, columns: readonly SortedColumn[], changed: () => void): SortHeads {
  const names = distinct(columns.map(({ title }) => title));
  let order = kept.get(table);
  const heads = columns.map(({ title, class: name }, c) =>
    element(
      'th',
      { scope: 'col', ...(name !== undefined && { class: name }) },
      button(title, () => sortBy(c), { class: 'sort' }),
    ),
  );

  function sortBy(c: number): void {
    const { largestFirst } = columns[c]!;
    const column = names[c]!;
    if (order?.column !== column) order = { column, descending: largestFirst };
    else order = order.descending === largestFirst ? { column, descending: !largestFirst } : undefined;
    kept.set(table, order);
    say();
    changed();
  }

  function say(): void {
    for (const [c, head] of heads.entries()) {
      if (order === undefined || order.column !== names[c]) head.removeAttribute('aria-sort');
      else head.setAttribute('aria-sort', order.descending ? 'descending' : 'ascending');
    }
  }

  say();
  return {
    heads,
    sorted(rows, inColumn) {
      return rowsInOrder(rows, names, order, inColumn);
    },
  };
}
