/** How the queries are shared out: parts are the same for any number of threads. */
import type { Dataset } from './dataset.js';

/** Parts of the queries: consecutive ones of about the same number of rows, the same for any number of threads. */
export interface Part {
  readonly firstQuery: number;
  readonly lastQuery: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

export function partsOf(data: Pick<Dataset, 'queries' | 'offsets'>, rowsPerPart = 4096): Part[] {
  const parts: Part[] = [];
  for (let q = 0; q < data.queries; ) {
    const firstQuery = q;
    const firstRow = data.offsets[q]!;
    do q++;
    while (q < data.queries && data.offsets[q + 1]! - firstRow <= rowsPerPart);
    parts.push({ firstQuery, lastQuery: q, firstRow, lastRow: data.offsets[q]! });
  }
  return parts;
}
