/** How the queries are shared out: parts are the same for any number of threads and ranks. */
import type { Dataset } from './dataset.js';
import type { Share } from './share.js';

/** Parts of the queries: consecutive ones of about the same number of rows, the same for any number of threads. */
export interface Part {
  readonly firstQuery: number;
  readonly lastQuery: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** Rows of a part, about: enough to be worth handing over, few enough that even small data has parts for several. */
export function partRows(rows: number): number {
  return Math.min(4096, Math.max(256, Math.ceil(rows / 64)));
}

type Cut = Pick<Dataset, 'queries' | 'offsets'> & { readonly share?: Share | undefined };

export function partsOf(data: Cut, rowsPerPart = partRows(data.share?.rows ?? data.offsets[data.queries]!)): Part[] {
  return partsWithin(data, { firstQuery: 0, lastQuery: data.queries }, rowsPerPart);
}

/**
 * Parts that nothing is summed over, as of data to select on: so small that of little data, too, many ranks have some.
 */
export function smallPartsOf(data: Cut): Part[] {
  const rows = data.share?.rows ?? data.offsets[data.queries]!;
  return partsOf(data, Math.min(partRows(rows), Math.ceil(rows / 512)));
}

/** Blocks of all data, at most. */
const BLOCKS = 128;

/** Whole parts side by side, about BLOCKS / 2 of them in all: the same for any number of threads and ranks. */
export function blocksOf(all: Cut): Part[] {
  const most = Math.ceil((2 * all.offsets[all.queries]!) / BLOCKS);
  const blocks: Part[] = [];
  for (const part of partsOf(all)) {
    const last = blocks.at(-1);
    if (last === undefined || part.lastRow - last.firstRow > most) blocks.push(part);
    else blocks[blocks.length - 1] = { ...last, lastQuery: part.lastQuery, lastRow: part.lastRow };
  }
  return blocks;
}

/** Parts of some of the queries. */
export function partsWithin(
  { offsets }: Pick<Cut, 'offsets'>,
  { firstQuery: first, lastQuery: last }: Pick<Part, 'firstQuery' | 'lastQuery'>,
  rowsPerPart: number,
): Part[] {
  const parts: Part[] = [];
  for (let q = first; q < last; ) {
    const firstQuery = q;
    const firstRow = offsets[q]!;
    do q++;
    while (q < last && offsets[q + 1]! - firstRow <= rowsPerPart);
    parts.push({ firstQuery, lastQuery: q, firstRow, lastRow: offsets[q]! });
  }
  return parts;
}
