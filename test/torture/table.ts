/** What was tried, what survived and what failed. */
import type { Area } from './area.js';
import type { Batch } from './batch.js';

export function printTable(chosen: readonly Area[], done: readonly Batch[]): void {
  const rows: string[][] = [['area', 'tried', 'survived', 'failed', 'seconds']];
  const sums = new Map<string, number>();
  for (const area of chosen) {
    const missing = area.missing?.();
    const batches = done.filter(batch => batch.area === area.name);
    const sum = (value: (batch: Batch) => number) => batches.reduce((total, batch) => total + value(batch), 0);
    const tried = sum(batch => batch.tried);
    const failed = sum(batch => batch.failures.length);
    sums.set(area.unit, (sums.get(area.unit) ?? 0) + tried);
    const counts = [tried, tried - failed, failed, Math.round(sum(batch => batch.seconds))].map(String);
    rows.push([area.name, ...(missing === undefined ? counts : [`not tried: ${missing}`])]);
  }
  const widths = rows[0]!.map((_, c) => Math.max(...rows.filter(row => row.length > 2).map(row => row[c]!.length)));
  const line = (row: readonly string[]) =>
    row.map((cell, c) => (c === 0 ? cell.padEnd(widths[0]!) : row.length > 2 ? cell.padStart(widths[c]!) : cell));
  console.log(`\n${rows.map(row => line(row).join('  ')).join('\n')}`);
  console.log([...sums].map(([unit, count]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(', '));
}
