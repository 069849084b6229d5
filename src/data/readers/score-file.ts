/**
 * Score files: what a model gave each row of a data file, in the order of that file. Plain: one score a line (LightGBM,
 * XGBoost, `listwise score`). With ids: `query document score` (`listwise score --ids`). RankLib: `query index score`,
 * the index counting from 0 within each run of adjacent rows of one query.
 */
import { ListwiseError, type Place, quote } from '../../errors.js';
import type { Input } from '../../io/inputs.js';
import { columnOf, fields, finiteNumber, raggedColumn, textLines } from '../../io/text-lines.js';
import type { Dataset } from '../dataset.js';
import { inputOrder } from '../input-order.js';
import { queryOfRow } from '../query-of-row.js';

/**
 * One score a row of the data.
 *
 * @example
 * import { evaluate } from 'listwise';
 * import { fileInput, readScores } from 'listwise/data';
 *
 * const scores = await readScores(await fileInput('scores.txt'), data);
 * evaluate(data, scores, 'ndcg@10');
 */
export async function readScores(input: Input, data: Dataset): Promise<Float64Array> {
  const file = input.name;
  const byInput = new Float64Array(data.rows).fill(Number.NaN);
  let named: NamedRows | undefined;
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
        if (width === 3) named = new NamedRows(data);
      }
      if (values.length !== width) {
        const allowed = width === 0 ? '1 (score) or 3 (query, index, score)' : `${width} as on the lines before`;
        throw new ListwiseError('row-ragged', `${values.length} fields, expected ${allowed}`, {
          file,
          line,
          column: raggedColumn(text, starts, width || 3),
        });
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
        byInput[count] = score;
        named?.add(count, values[0]!, values[1]!, field => ({ file, line, column: columnOf(text, starts[field]!) }));
      }
      count++;
    }
  }
  if (count !== data.rows) {
    throw new ListwiseError('row-count', `${count} scores for ${data.rows} documents; there must be one a document`, {
      file,
    });
  }
  const scores = new Float64Array(data.rows);
  const order = inputOrder(data);
  for (let i = 0; i < data.rows; i++) {
    const row = named?.rowOf(i) ?? i;
    scores[order?.[row] ?? row] = byInput[i]!;
  }
  return scores;
}

/**
 * Lines that name their row. The second field is the document's id on every line, and lines go row by row; or it is
 * RankLib's index, and the lines of a list may be in any order. The query must be that of the data either way.
 */
class NamedRows {
  readonly #data: Dataset;
  readonly #order: Uint32Array | undefined;
  /** By input row: its query, and the first and one past the last row of its run of adjacent rows. */
  readonly #query: Uint32Array;
  readonly #start: Uint32Array;
  readonly #end: Uint32Array;
  /** The input row of each line by RankLib's index, and which rows have been taken. */
  readonly #byIndex: Uint32Array;
  readonly #taken: Uint8Array;
  #idsSoFar = true;
  /** Why the second fields are no indices. */
  #noIndex: ListwiseError | undefined;

  constructor(data: Dataset) {
    this.#data = data;
    this.#order = inputOrder(data);
    const byRow = queryOfRow(data);
    this.#query = this.#order === undefined ? byRow : Uint32Array.from(this.#order, row => byRow[row]!);
    this.#start = new Uint32Array(data.rows);
    this.#end = new Uint32Array(data.rows);
    for (let from = 0; from < data.rows; ) {
      let to = from + 1;
      while (to < data.rows && this.#query[to] === this.#query[from]) to++;
      this.#start.fill(from, from, to);
      this.#end.fill(to, from, to);
      from = to;
    }
    this.#byIndex = new Uint32Array(data.rows);
    this.#taken = new Uint8Array(data.rows);
  }

  /** `place` says where the first or second field of the line is. */
  add(at: number, query: string, name: string, place: (field: 0 | 1) => Place): void {
    const expected = this.#data.queryIds[this.#query[at]!]!;
    if (query !== expected) {
      throw new ListwiseError(
        'query-mismatch',
        `the score is for query ${quote(query)}, but row ${at + 1} of the data is of query ${quote(expected)}`,
        place(0),
      );
    }
    if (this.#idsSoFar) this.#idsSoFar = name === this.#data.documentId(this.#order?.[at] ?? at);
    const size = this.#end[at]! - this.#start[at]!;
    const index = /^[0-9]+$/.test(name) ? Number(name) : Number.NaN;
    if (index < size) {
      const row = this.#start[at]! + index;
      this.#byIndex[at] = row;
      if (this.#taken[row]) {
        this.#noIndex ??= new ListwiseError(
          'document-duplicate',
          `index ${index} is listed twice for query ${quote(query)}`,
          place(1),
        );
      }
      this.#taken[row] = 1;
    } else {
      this.#noIndex ??= new ListwiseError(
        'value-invalid',
        `${quote(name)} is neither the document id of row ${at + 1} nor an index of query ${quote(query)}, a whole number from 0 to ${size - 1}`,
        place(1),
      );
    }
    if (!this.#idsSoFar && this.#noIndex !== undefined) throw this.#noIndex;
  }

  /** The input row that the line of this number means. */
  rowOf(line: number): number {
    return this.#idsSoFar ? line : this.#byIndex[line]!;
  }
}
