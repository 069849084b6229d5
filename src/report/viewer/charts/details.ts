/** Further values of an item: lines of what is said of it, columns of its table. */
import type { Detail } from '../../charts.js';
import type { Cell, TableColumn } from '../../document.js';
import { written } from '../../numbers.js';
import type { SpotLine } from './drawing.js';

interface Detailed {
  readonly details?: readonly Detail[];
}

export function detailLines({ details = [] }: Detailed): SpotLine[] {
  return details.map(({ label, value, style }) => ({ label, value: written(value, style) }));
}

/** One column for each detail that any of the items has. */
export function detailColumns(items: readonly Detailed[]): { columns: TableColumn[]; cells(item: Detailed): Cell[] } {
  const found = new Map<string, Detail>();
  for (const { details = [] } of items) {
    for (const detail of details) if (!found.has(detail.label)) found.set(detail.label, detail);
  }
  const columns = [...found.values()].map(({ label, value, style }) =>
    typeof value === 'string' ? { title: label } : { title: label, style: style ?? 'general' },
  );
  const none = (detail: Detail) => (typeof detail.value === 'string' ? '' : Number.NaN);
  return {
    columns,
    cells: ({ details = [] }) =>
      [...found.values()].map(detail => details.find(({ label }) => label === detail.label)?.value ?? none(detail)),
  };
}
