/** Rows of a table in an order that somebody asked for: on a page, and where a list of that page is gone through. */

export interface RowOrder {
  /** The title of a column: what stands before it may change. */
  readonly column: string;
  readonly descending: boolean;
}

/** By the value in a column; as they are, where no order was asked for, or one by a column that is not there. */
export function rowsInOrder<T>(
  rows: readonly T[],
  columns: readonly string[],
  order: RowOrder | undefined,
  inColumn: (row: T, column: number) => string | number,
): readonly T[] {
  const column = order === undefined ? -1 : columns.indexOf(order.column);
  return column < 0 ? rows : sortedBy(rows, row => inColumn(row, column), order!.descending);
}

const words = new Intl.Collator('en', { numeric: true });

/** By a value of each row, numbers as numbers. */
function sortedBy<T>(rows: readonly T[], value: (row: T) => string | number, descending: boolean): T[] {
  const sign = descending ? -1 : 1;
  const keyed = rows.map(row => ({ row, key: keyOf(value(row)) }));
  const sorted = keyed.sort(({ key: x }, { key: y }) => {
    if (typeof x === 'number' && typeof y === 'number') {
      // What has no value is last in either order.
      if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
      return sign * (x - y);
    }
    return sign * words.compare(String(x), String(y));
  });
  return sorted.map(({ row }) => row);
}

/** Of ids that are whole numbers the number, which is compared sooner, and alike. */
function keyOf(value: string | number): string | number {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}
