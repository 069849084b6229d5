/**
 * Group files say which rows are one query. Two forms, distinguished by the data:
 *   sizes   one whole number a line; they sum to the number of rows (LightGBM's .query, XGBoost's .group)
 *   ids     one query id a row: as many lines as rows, and not sizes that sum to the rows
 * Where both would fit, the lines are sizes. Queries of a sizes file are called 1, 2, 3, …
 */
import { ListwiseError, quote } from '../../errors.js';
import type { Input } from '../../io/inputs.js';
import { textLines } from '../../io/text-lines.js';
import type { Dataset } from '../dataset.js';
import type { Piece } from '../dataset-builder.js';
import type { ReadOptions, RowSink } from '../readers/reader.js';
import { checkAgreement } from './group-agreement.js';

export interface Groups {
  readonly file: string;
  /** Adjacent lines that say the same: memory goes with queries, not with rows. */
  readonly same: readonly { readonly text: string; readonly lines: number }[];
  readonly lines: number;
  /** The number of rows that the lines cover as sizes; undefined where some line is no size. */
  readonly sum: number | undefined;
}

const SIZE = /^0*[1-9][0-9]{0,14}$/;

export async function readGroups(inputs: readonly Input[]): Promise<Groups> {
  const same: { text: string; lines: number }[] = [];
  let lines = 0;
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
        lines++;
        const last = same.at(-1);
        if (last?.text === line) last.lines++;
        else same.push({ text: line, lines: 1 });
      }
    }
  }
  const file = inputs.map(input => input.name).join(', ');
  if (lines === 0) throw new ListwiseError('data-empty', 'the group file is empty', { file });
  return { file, same, lines, sum };
}

export interface Run {
  readonly id: string;
  readonly rows: number;
}

/** The queries of rows, as runs of adjacent rows of one query in input order. */
export interface RowsByQuery {
  readonly rows: number;
  runs(): Iterable<Run>;
}

export function sizeRuns(groups: Groups): Iterable<Run> {
  return {
    *[Symbol.iterator]() {
      let number = 0;
      for (const { text, lines } of groups.same) {
        for (let i = 0; i < lines; i++) yield { id: String(++number), rows: Number(text) };
      }
    },
  };
}

export function idRuns(groups: Groups): Iterable<Run> {
  return groups.same.map(({ text, lines }) => ({ id: text, rows: lines }));
}

export interface Grouped<Read> {
  readonly read: Read;
  /** The options with which the data is read so: they say the queries where its rows do not. */
  readonly options: ReadOptions;
}

/**
 * Reads data whose queries a group file says. Where the rows name queries of their own, both must agree; where they do
 * not, the data is read again with the queries of the group file.
 */
export async function readWithGroups<Read extends RowsByQuery>(
  read: (options: ReadOptions) => Promise<Read>,
  options: ReadOptions,
  groups: Groups,
): Promise<Grouped<Read>> {
  let data: Read;
  try {
    data = await read(options);
  } catch (error) {
    if (!(error instanceof ListwiseError) || !['query-missing', 'column-unknown'].includes(error.code)) throw error;
    return readByGroups(read, options, groups);
  }
  checkAgreement(data, groups);
  options.note?.(`${groups.file}: its groups agree with the queries that the rows name`);
  return { read: data, options };
}

async function readByGroups<Read extends RowsByQuery>(
  read: (options: ReadOptions) => Promise<Read>,
  options: ReadOptions,
  groups: Groups,
): Promise<Grouped<Read>> {
  const { file, lines, sum } = groups;
  /** Undefined where the group file does not have the number of rows. */
  const fitting = async (runs: Iterable<Run>): Promise<Grouped<Read> | undefined> => {
    const asked = { ...options, outsideQueries: { file, runs } };
    try {
      return { read: await read(asked), options: asked };
    } catch (error) {
      if (error instanceof ListwiseError && error.code === 'row-count' && error.place.file === file) return undefined;
      throw error;
    }
  };
  const bySize = sum === undefined ? undefined : await fitting(sizeRuns(groups));
  const found = bySize ?? (await fitting(idRuns(groups)));
  if (found === undefined) throw misfit(groups);
  options.note?.(
    bySize === undefined
      ? `${file}: took one query id a row`
      : `${file}: took the sizes of ${lines} groups, called 1 to ${lines}`,
  );
  return found;
}

function misfit({ file, same, lines, sum }: Groups): ListwiseError {
  if (sum !== undefined) {
    return new ListwiseError(
      'row-count',
      `${lines} lines that sum to ${sum}: the data has neither as many rows as the sum (group sizes) nor as the lines (one query id a row)`,
      { file },
    );
  }
  const bad = same.findIndex(({ text }) => !SIZE.test(text));
  const line = same.slice(0, bad).reduce((before, one) => before + one.lines, 1);
  return new ListwiseError(
    'value-invalid',
    `${quote(same[bad]!.text)} is not a group size (a whole number of at least 1), and ${lines} lines are not one query id for each row of the data`,
    { file, line },
  );
}

/** The queries of a data set's rows. */
export function rowsByQuery(data: Dataset): RowsByQuery {
  const query = new Uint32Array(data.rows);
  for (let q = 0; q < data.queries; q++) {
    for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) query[data.inputRows?.[row] ?? row] = q;
  }
  return {
    rows: data.rows,
    *runs() {
      for (let from = 0, to = 0; from < data.rows; from = to) {
        while (to < data.rows && query[to] === query[from]) to++;
        yield { id: data.queryIds[query[from]!]!, rows: to - from };
      }
    },
  };
}

/** Takes rows and keeps nothing but their queries. */
export class QuerySink implements RowSink, RowsByQuery {
  readonly #runs: { id: string; rows: number }[] = [];
  rows = 0;

  begin(): void {}

  append({ queries, rows }: Piece): void {
    this.rows += rows;
    for (const run of queries) {
      const last = this.#runs.at(-1);
      if (last?.id === run.id) last.rows += run.rows;
      else this.#runs.push({ ...run });
    }
  }

  runs(): Iterable<Run> {
    return this.#runs;
  }
}
