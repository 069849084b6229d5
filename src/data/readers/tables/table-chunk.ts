/** Some consecutive rows of a table, as its reader has them; columns and rows count from 0. */
import type { Place } from '../../../errors.js';
import type { Piece } from '../../dataset-builder.js';

export interface TableChunk {
  readonly rows: number;
  /** The column's values: NaN where missing, NO_NUMBER where the text is none; see cell-numbers.ts for `exact`. */
  numbers(column: number, exact: boolean, out: Float64Array): void;
  /** The column's dates as days: NaN where missing, NO_NUMBER where the text is none. */
  dates(column: number, out: Float64Array): void;
  /** The value as it is written; undefined for none. */
  text(column: number, row: number): string | undefined;
  /** Runs of adjacent rows with the same text in a column; undefined where there is none. */
  runs(column: number): { id: string | undefined; rows: number }[];
  ids(column: number): Piece['documentIds'];
  /** Where a value is, and the words that name its row where it has no line. */
  place(column: number, row: number): { place: Place; where: string };
}

export function runsOf(ids: readonly (string | undefined)[]): { id: string | undefined; rows: number }[] {
  const runs: { id: string | undefined; rows: number }[] = [];
  for (const id of ids) {
    const last = runs.at(-1);
    if (last !== undefined && last.id === id) last.rows++;
    else runs.push({ id, rows: 1 });
  }
  return runs;
}
