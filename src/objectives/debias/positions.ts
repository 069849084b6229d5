/** The positions that documents of a data set were shown at, as groups. */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError, quote } from '../../errors.js';

export interface ShownPositions {
  /** The positions that there are, ascending. */
  readonly at: readonly number[];
  /** By row: which of them. */
  readonly groups: Uint32Array;
  readonly documents: Float64Array;
}

export function shownPositions(data: Dataset): ShownPositions {
  const { positions } = data;
  if (positions === undefined) {
    throw new ListwiseError(
      'data-empty',
      'debias needs the positions at which documents were shown, which the data has not; put them beside it (FILE.position), or name their column (`positionColumn`)',
    );
  }
  for (let row = 0; row < data.rows; row++) if (!isPosition(positions[row]!)) refuse(data, row);
  const at = data.share?.positions ?? [...new Set(positions)].sort((a, b) => a - b);
  const groupOf = new Map(at.map((position, group) => [position, group]));
  const groups = Uint32Array.from(positions, position => groupOf.get(position)!);
  const documents = new Float64Array(at.length);
  for (const group of groups) documents[group]! += 1;
  return { at, groups, documents };
}

function isPosition(value: number): boolean {
  return Number.isInteger(value) && value >= 1;
}

function refuse(data: Dataset, row: number): never {
  const query = data.offsets.findLastIndex(offset => offset <= row);
  const found = data.positions![row]!;
  throw new ListwiseError(
    'value-invalid',
    `document ${row - data.offsets[query]! + 1} of query ${quote(data.queryIds[query]!)} has ${Number.isNaN(found) ? 'no position' : `the position ${found}`}; debias needs a whole number of at least 1 for every document`,
  );
}
