/** What the SVMlight kernel and its callers agree on. */
import { defineRecord } from '../record.js';

/** The matrix is dense, so an id beyond this is taken for a mistake and not for a very wide data set. */
export const MAX_FEATURES = 1 << 20;

/** How parsing ended: all lines done; no room for another row; a feature beyond the columns; a line that is wrong. */
export const STATUS = ['done', 'full', 'wider', 'rejected'] as const;

/** What is known of the rows parsed since the last begin(). */
export const DESCRIPTION = defineRecord({
  rows: 'u32',
  lines: 'u32',
  /** Where the next line starts, or the one that is wrong. */
  position: 'u32',
  runCount: 'u32',
  documentCount: 'u32',
  /** One more than the highest feature index seen since the last layout. */
  width: 'u32',
  /** Lines, from 1, of the first rows with and without a query, and the address of the latter; 0 for none. */
  withQuery: 'u32',
  withoutQuery: 'u32',
  withoutQueryAt: 'u32',
  /** Columns that the row needs for which there were too few. */
  wanted: 'u32',
});

/** Consecutive rows of one query; `id` is an address. */
export const RUN = defineRecord({ id: 'u32', length: 'u32', rows: 'u32' });
/** The document id of a row; `id` is an address. */
export const DOCUMENT = defineRecord({ id: 'u32', length: 'u32' });

// The start of the memory.
export const DESCRIPTION_AT = 64;
/** Powers of ten. */
export const POWERS_AT = 1024;
export const TEXT_AT = 2048;
