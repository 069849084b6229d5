/**
 * Score files: what a model gave each row of a data file, in the order of that file. Plain: one score a line (LightGBM,
 * XGBoost, `listwise score`). RankLib: `query index score`, the index counting from 0 within each run of adjacent rows of one
 * query.
 */
import { ListwiseError, quote } from '../../errors.js';
import type { Dataset } from '../dataset.js';
import type { Input } from '../inputs.js';
import { columnOf, fields, finiteNumber, textLines } from '../text-lines.js';

/** One score a row of the data. */
export async function readScores(input: Input, data: Dataset): Promise<Float64Array> {
  const file = input.name;
  const byInput = new Float64Array(data.rows).fill(Number.NaN);
  let lists: Lists | undefined;
  let width = 0;
  let count = 0;
  for await (const batch of textLines(input)) {
    for (let i = 0; i < batch.lines.length; i++) {
      const text = batch.lines[i]!;
      const line = batch.first + i;
      const { values, starts } = fields(text);
      if (values.length === 0) continue;
      if (width === 0 && (values.length === 1 || values.length === 3)) {
        width = values.length;
        if (width === 3) lists = adjacentLists(data);
      }
      if (values.length !== width) {
        const allowed = width === 0 ? '1 (score) or 3 (query, index, score)' : `${width} as on the lines before`;
        throw new ListwiseError('row-ragged', `${values.length} fields, expected ${allowed}`, { file, line });
      }
      const score = finiteNumber(values[width - 1]!);
      if (score === undefined) {
        throw new ListwiseError('score-invalid', `score ${quote(values[width - 1]!)} is not a finite number`, {
          file,
          line,
          column: columnOf(text, starts[width - 1]!),
        });
      }
      // Surplus lines are counted, so that the message can give both numbers.
      if (count < data.rows) {
        const row = lists === undefined ? count : ranklibRow(lists, count, values, { file, line });
        if (!Number.isNaN(byInput[row]!)) {
          throw new ListwiseError(
            'document-duplicate',
            `index ${values[1]} is listed twice for query ${quote(values[0]!)}`,
            { file, line },
          );
        }
        byInput[row] = score;
      }
      count++;
    }
  }
  if (count !== data.rows) {
    throw new ListwiseError('row-count', `${count} scores for ${data.rows} documents; there must be one a document`, {
      file,
    });
  }
  const { inputRows } = data;
  return inputRows === undefined ? byInput : Float64Array.from(inputRows, row => byInput[row]!);
}

/** For each input row its query, and the first and one past the last row of its run of adjacent rows. */
interface Lists {
  readonly queryIds: readonly string[];
  readonly query: Uint32Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
}

function adjacentLists(data: Dataset): Lists {
  const query = new Uint32Array(data.rows);
  for (let q = 0; q < data.queries; q++) {
    for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) query[data.inputRows?.[row] ?? row] = q;
  }
  const start = new Uint32Array(data.rows);
  const end = new Uint32Array(data.rows);
  for (let from = 0; from < data.rows; ) {
    let to = from + 1;
    while (to < data.rows && query[to] === query[from]) to++;
    start.fill(from, from, to);
    end.fill(to, from, to);
    from = to;
  }
  return { queryIds: data.queryIds, query, start, end };
}

/** The input row that a RankLib line means. The query must be that of the data; the lines of a list may be in any order. */
function ranklibRow(
  lists: Lists,
  at: number,
  values: readonly string[],
  place: { file: string; line: number },
): number {
  const expected = lists.queryIds[lists.query[at]!]!;
  if (values[0] !== expected) {
    throw new ListwiseError(
      'query-mismatch',
      `the score is for query ${quote(values[0]!)}, but row ${at + 1} of the data is of query ${quote(expected)}`,
      place,
    );
  }
  const size = lists.end[at]! - lists.start[at]!;
  const index = /^[0-9]+$/.test(values[1]!) ? Number(values[1]) : Number.NaN;
  if (index < size) return lists.start[at]! + index;
  throw new ListwiseError(
    'value-invalid',
    `index ${quote(values[1]!)} of query ${quote(expected)} is not a whole number from 0 to ${size - 1}`,
    place,
  );
}
