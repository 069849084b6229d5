/** A column as one value a query, to split queries or tell them apart by. */
import { didYouMean, few, ListwiseError, quote } from '../errors.js';
import type { Dataset } from './dataset.js';
import { daysOf } from './readers/tables/cell-dates.js';

/** The texts of a column: one that was kept beside the data, or a feature. */
function columnTexts(data: Dataset, column: string): (row: number) => string {
  const kept = data.extras?.get(column);
  if (kept !== undefined) return row => kept.get(row);
  const feature = data.featureNames.indexOf(column);
  if (feature < 0) {
    const known = [...(data.extras?.keys() ?? []), ...data.featureNames];
    throw new ListwiseError(
      'column-unknown',
      `the data has no column ${quote(column)}${didYouMean(column, known)} It has ${few(known)}`,
    );
  }
  const levels = data.description?.categories[column];
  return row => {
    const value = data.feature(row, feature);
    return Number.isNaN(value) ? '' : (levels?.[value] ?? String(value));
  };
}

/** The value of each query; it is an error where its documents have different ones. */
export function queryValues(data: Dataset, column: string): string[] {
  const text = columnTexts(data, column);
  return Array.from({ length: data.queries }, (_, q) => {
    const first = text(data.offsets[q]!);
    for (let row = data.offsets[q]! + 1; row < data.offsets[q + 1]!; row++) {
      if (text(row) === first) continue;
      throw new ListwiseError(
        'value-invalid',
        `column ${quote(column)} is ${quote(first)} and ${quote(text(row))} in query ${quote(data.queryIds[q]!)}; it must be the same for all documents of a query`,
      );
    }
    return first;
  });
}

/** The latest time, or largest number, of each query; undefined where some value is neither. */
export function queryTimes(data: Dataset, column: string): number[] | undefined {
  const text = columnTexts(data, column);
  const times: number[] = [];
  for (let q = 0; q < data.queries; q++) {
    let latest = -Infinity;
    for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) {
      const written = text(row).trim();
      const time = daysOf(written) ?? (written === '' ? Number.NaN : Number(written));
      if (!Number.isFinite(time)) return undefined;
      latest = Math.max(latest, time);
    }
    times.push(latest);
  }
  return times;
}
