/**
 * Group files say which rows are one query. Two forms, told apart by the data:
 *   sizes   one whole number a line; they sum to the number of rows (LightGBM's .query, XGBoost's .group)
 *   ids     one query id a row: as many lines as rows, and not sizes that sum to the rows
 * Where both would fit, the lines are sizes. Queries of a sizes file are called 1, 2, 3, …
 */
import { ListwiseError, quote } from '../errors.js';
import type { Dataset } from './dataset.js';
import type { Input } from './inputs.js';
import type { ReadOptions } from './reader.js';
import { textLines } from './text-lines.js';

export interface Groups {
  readonly file: string;
  readonly lines: readonly string[];
  /** The number of rows that the lines cover as sizes; undefined where some line is no size. */
  readonly sum: number | undefined;
}

const SIZE = /^0*[1-9][0-9]{0,14}$/;

export async function readGroups(inputs: readonly Input[]): Promise<Groups> {
  const lines: string[] = [];
  let sum: number | undefined = 0;
  for (const input of inputs) {
    for await (const batch of textLines(input)) {
      for (const [i, text] of batch.lines.entries()) {
        const line = text.trim();
        if (line === '') {
          throw new ListwiseError('value-invalid', 'an empty line; write a group size or a query id', {
            file: input.name,
            line: batch.first + i,
          });
        }
        sum = sum === undefined || !SIZE.test(line) ? undefined : sum + Number(line);
        lines.push(line);
      }
    }
  }
  const file = inputs.map(input => input.name).join(', ');
  if (lines.length === 0) throw new ListwiseError('data-empty', 'the group file is empty', { file });
  return { file, lines, sum };
}

export interface Run {
  readonly id: string;
  readonly rows: number;
}

function* sizeRuns(groups: Groups): Iterable<Run> {
  for (const [i, line] of groups.lines.entries()) yield { id: String(i + 1), rows: Number(line) };
}

function* idRuns(groups: Groups): Iterable<Run> {
  for (const id of groups.lines) yield { id, rows: 1 };
}

/**
 * Reads data whose queries a group file says. Where the rows name queries of their own, both must agree; where they do not,
 * the data is read again with the queries of the group file.
 */
export async function readWithGroups(
  read: (options: ReadOptions) => Promise<Dataset>,
  options: ReadOptions,
  groups: Groups,
): Promise<Dataset> {
  let data: Dataset;
  try {
    data = await read(options);
  } catch (error) {
    if (!(error instanceof ListwiseError) || !['query-missing', 'column-unknown'].includes(error.code)) throw error;
    return readByGroups(read, options, groups);
  }
  checkAgreement(data, groups);
  options.note?.(`${groups.file}: its groups agree with the queries that the rows name`);
  return data;
}

async function readByGroups(
  read: (options: ReadOptions) => Promise<Dataset>,
  options: ReadOptions,
  groups: Groups,
): Promise<Dataset> {
  const { file, lines, sum } = groups;
  const attempt = (runs: Iterable<Run>) => read({ ...options, outsideQueries: { file, runs } });
  /** Undefined where the group file does not have the number of rows. */
  const fitting = (runs: Iterable<Run>) =>
    attempt(runs).catch((error: unknown) => {
      if (error instanceof ListwiseError && error.code === 'row-count' && error.place.file === file) return undefined;
      throw error;
    });
  const bySize = sum === undefined ? undefined : await fitting(sizeRuns(groups));
  const data = bySize ?? (await fitting(idRuns(groups)));
  if (data === undefined) throw await misfit(groups);
  options.note?.(
    bySize === undefined
      ? `${file}: took one query id a row`
      : `${file}: took the sizes of ${lines.length} groups, called 1 to ${lines.length}`,
  );
  return data;
}

async function misfit({ file, lines, sum }: Groups): Promise<ListwiseError> {
  if (sum !== undefined) {
    return new ListwiseError(
      'row-count',
      `${lines.length} lines that sum to ${sum}: the data has neither as many rows as the sum (group sizes) nor as the lines (one query id a row)`,
      { file },
    );
  }
  const bad = lines.findIndex(line => !SIZE.test(line));
  return new ListwiseError(
    'value-invalid',
    `${quote(lines[bad]!)} is not a group size (a whole number of at least 1), and ${lines.length} lines are not one query id for each row of the data`,
    { file, line: bad + 1 },
  );
}

/** The query number of each row, in input order. */
function queriesByInput(data: Dataset): Uint32Array {
  const query = new Uint32Array(data.rows);
  for (let q = 0; q < data.queries; q++) {
    for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) query[data.inputRows?.[row] ?? row] = q;
  }
  return query;
}

function checkAgreement(data: Dataset, groups: Groups): void {
  const { file, lines, sum } = groups;
  const query = queriesByInput(data);
  const disagree = (line: number, row: number, what: string): never => {
    const detail = `${what}, but row ${row + 1} of the data is of query ${quote(data.queryIds[query[row]!]!)}`;
    throw new ListwiseError('query-mismatch', detail, { file, line });
  };
  if (sum === data.rows) {
    let row = 0;
    for (const [i, line] of lines.entries()) {
      const end = row + Number(line);
      const id = quote(data.queryIds[query[row]!]!);
      if (row > 0 && query[row] === query[row - 1]) disagree(i + 1, row, `group ${i + 1} starts within query ${id}`);
      for (const first = row; row < end; row++) {
        if (query[row] !== query[first]) disagree(i + 1, row, `group ${i + 1} has ${line} rows from query ${id} on`);
      }
    }
  } else if (lines.length === data.rows) {
    for (const [row, id] of lines.entries()) {
      if (id !== data.queryIds[query[row]!]) disagree(row + 1, row, `the group file says query ${quote(id)}`);
    }
  } else {
    const sizes = sum === undefined ? '' : ` that sum to ${sum}`;
    throw new ListwiseError('row-count', `${lines.length} lines${sizes}, but the data has ${data.rows} rows`, { file });
  }
}
