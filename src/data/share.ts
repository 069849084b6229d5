/** Where data lies in all data, where this process has a part of it only. */
import type { Dataset } from './dataset.js';

export interface Share {
  /** Numbers of the first row and the first query of this part. */
  readonly firstRow: number;
  readonly firstQuery: number;
  /** Of all data. */
  readonly rows: number;
  readonly queries: number;
  /** The positions that documents of all data were shown at, ascending. */
  readonly positions?: readonly number[] | undefined;
  /** Of all data, where it is known. */
  readonly fingerprint?: string | undefined;
}

/** Of one process, the data is all there is. */
export function shareOf({ share, rows, queries }: Pick<Dataset, 'share' | 'rows' | 'queries'>): Share {
  return share ?? { firstRow: 0, firstQuery: 0, rows, queries };
}
