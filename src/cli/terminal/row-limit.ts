/** Long tables show their first rows unless all are asked for. */
import { count } from './table.js';

export const SHOWN_ROWS = 20;

/** The rows to show, and a line that says how many there are beyond. */
export function shownRows<T>(
  rows: readonly T[],
  { all }: { readonly all: boolean },
): { shown: readonly T[]; beyond: string[] } {
  const shown = all ? rows : rows.slice(0, SHOWN_ROWS);
  const left = rows.length - shown.length;
  return { shown, beyond: left > 0 ? [`… and ${count(left)} more (--all shows every one)`] : [] };
}
