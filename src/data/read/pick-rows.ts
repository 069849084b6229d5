/** Some rows of a piece, in memory of their own. */
import type { Piece } from '../dataset-builder.js';
import { idText } from '../string-table.js';

/** `rows` rise. */
export function pickRows(piece: Piece, rows: readonly number[]): Piece {
  const columns = new Float32Array(piece.width * rows.length);
  for (let f = 0; f < piece.width; f++) {
    for (const [i, row] of rows.entries()) columns[f * rows.length + i] = piece.columns[f * piece.stride + row]!;
  }
  const pick = (values: Float64Array | undefined) => values && Float64Array.from(rows, row => values[row]!);
  const { documentIds: ids } = piece;
  return {
    rows: rows.length,
    width: piece.width,
    stride: rows.length,
    columns,
    labels: Object.fromEntries(Object.entries(piece.labels).map(([name, values]) => [name, pick(values)!])),
    queries: pickRuns(piece.queries, rows),
    documentIds: ids && rows.map(row => idAt(ids, row)),
    rowWeights: pick(piece.rowWeights),
    positions: pick(piece.positions),
    initialScores: pick(piece.initialScores),
    extras:
      piece.extras &&
      Object.fromEntries(Object.entries(piece.extras).map(([name, texts]) => [name, rows.map(row => texts[row]!)])),
  };
}

function pickRuns(runs: Piece['queries'], rows: readonly number[]): Piece['queries'] {
  let end = 0;
  let at = 0;
  return runs.flatMap(({ id, rows: length }) => {
    const first = at;
    end += length;
    while (at < rows.length && rows[at]! < end) at++;
    return at > first ? [{ id, rows: at - first }] : [];
  });
}

function idAt(ids: NonNullable<Piece['documentIds']>, row: number): string {
  if (!('spans' in ids)) return 'get' in ids ? ids.get(row) : ids[row]!;
  const start = ids.spans[2 * row]!;
  return idText(ids.bytes.subarray(start, start + ids.spans[2 * row + 1]!));
}
