/**
 * Damaged tables: each gives a data set with as many rows as the file has, or a coded error. The number of rows is
 * counted here by code that shares nothing with the readers.
 */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Dataset } from '#listwise/data/dataset.js';
import { collect } from '#listwise/data/read/collect.js';
import { duckdb } from '#listwise/data/readers/duckdb/database.js';
import { parquetTable } from '#listwise/data/readers/duckdb/parquet.js';
import { streamTables } from '#listwise/data/readers/duckdb/read-tables.js';
import { withDuckDB } from '#listwise/data/readers/duckdb/session.js';
import type { RowSink } from '#listwise/data/readers/reader.js';
import { DelimitedScanner } from '#listwise/data/readers/tables/delimited-scanner.js';
import { JsonScanner } from '#listwise/data/readers/tables/json-scanner.js';
import type { Scanner } from '#listwise/data/readers/tables/scanner.js';
import { streamTextTables } from '#listwise/data/readers/tables/text-tables.js';
import { writeDataset } from '#listwise/data/writers/write-dataset.js';
import { ListwiseError } from '#listwise/errors.js';
import { fileInput, memoryInput } from '#listwise/io/inputs.js';
import type { FileOnDisk } from '#listwise/io/spool.js';
import type { Random } from '#listwise/numeric/random.js';
import { datasetOf } from '../../datasets.js';

/** Damages a table as chance has it, and gives whether it was read. */
export type ReadDamaged = (random: Random) => Promise<'read' | 'refused'>;

interface Outcome {
  data?: Dataset;
  code?: string;
}

/** The data set, or the code of the error; anything else fails the test with the case that did it. */
async function outcome(stream: (sink: RowSink) => Promise<void>, shown: string): Promise<Outcome> {
  try {
    return { data: await collect(stream, {}) };
  } catch (error) {
    if (!(error instanceof ListwiseError)) throw new Error(`${String(error)} for ${shown}`, { cause: error });
    ok(!error.message.includes('\n'), shown);
    return { code: error.code };
  }
}

/**
 * The outcome for a text, which does not depend on how much of it is looked at at a time; only that a key of JSON which
 * may have a role comes late does.
 */
async function textOutcome(random: Random, bytes: Buffer, scanner: () => Scanner, shown: string): Promise<Outcome> {
  const read = (chunk: number, window?: number) =>
    outcome(sink => streamTextTables([memoryInput('fuzz', bytes, chunk)], {}, sink, scanner, window), shown);
  const found = await read(1 << 20);
  const pieces = await read(1 + random.below(40), 1 + random.below(60));
  if (pieces.code === 'column-unknown' && scanner().grows) return found;
  equal(pieces.code === undefined, found.code === undefined, shown);
  if (found.data !== undefined) deepStrictEqual(rowsOf(pieces.data!), rowsOf(found.data), shown);
  return found;
}

async function onDisk(path: string, bytes: Uint8Array): Promise<FileOnDisk> {
  writeFileSync(path, bytes);
  return { ...(await fileInput(path)), path };
}

/** Damages bytes in zero to four places: other bytes, cuts, doubled and dropped stretches. */
function damaged(random: Random, bytes: Buffer, tokens: readonly string[]): Buffer {
  let result = bytes;
  for (let times = random.below(5); times > 0; times--) {
    const at = random.below(result.length + 1);
    const end = Math.min(result.length, at + random.below(12));
    const before = result.subarray(0, at);
    const token = Buffer.from(tokens[random.below(tokens.length)]!);
    const changes = [
      () => Buffer.concat([before, Buffer.of(random.below(256)), result.subarray(at + 1)]),
      () => Buffer.concat([before, token, result.subarray(at)]),
      () => Buffer.concat([before, token, result.subarray(end)]),
      () => Buffer.concat([before, result.subarray(end)]),
      () => Buffer.concat([before, result.subarray(at, end), result.subarray(at)]),
      () => (random.below(4) === 0 ? before : result),
    ];
    result = changes[random.below(changes.length)]!();
  }
  return result;
}

/** Fields of the records of a CSV text, empty lines left out; a plain walk over the characters. */
function csvRecords(text: string): string[][] {
  const records: string[][] = [];
  let fields = [''];
  let inside = false;
  let filled = false;
  for (const char of `${text.replace(/^\ufeff/, '')}\n`) {
    if (char === '"') inside = !inside;
    if (char === '\n' && !inside) {
      const last = fields.at(-1)!;
      if (last.endsWith('\r')) fields[fields.length - 1] = last.slice(0, -1);
      if (filled && fields.join() !== '') records.push(fields.map(unquoted));
      fields = [''];
      filled = false;
    } else if (char === ',' && !inside) {
      fields.push('');
      filled = true;
    } else {
      fields[fields.length - 1] += char;
      filled = true;
    }
  }
  return records;
}

function unquoted(field: string): string {
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
}

/** The number that a cell stands for. */
function cell(text: string): number {
  const word = text.trim().toLowerCase();
  if (['', 'nan', 'null', 'na', '-nan', 'none', 'n/a', '-'].includes(word)) return Number.NaN;
  return word === 'true' ? 1 : word === 'false' ? 0 : Math.fround(Number(word));
}

/** Query, label, document and features of each row, in input order. */
function rowsOf(data: Dataset): unknown[] {
  const rows: unknown[] = [];
  for (let q = 0; q < data.queries; q++) {
    for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) {
      const features = data.featureNames.map((name, f) => [name, data.feature(row, f)]);
      rows[data.inputRows?.[row] ?? row] = {
        query: data.queryIds[q],
        label: data.label()[row],
        document: data.documentIds?.get(row) ?? '',
        ...Object.fromEntries(features),
      };
    }
  }
  return rows;
}

const roles = ['qid', 'label', 'docid'];

const CSV_TOKENS = [
  '"',
  ',',
  '\n',
  '\r',
  '\r\n',
  '""',
  '\n\n',
  ',,',
  'nan',
  'inf',
  '1e39',
  'x',
  ' ',
  '\0',
  'é',
  '#',
  ';',
  '_',
];

export function damagedCsv(): ReadDamaged {
  const lines = Array.from({ length: 7 }, (_, i) => `q${i >> 1},${i % 3},"d ${i}",${i / 4},${i === 3 ? '' : 1 - i}`);
  const good = Buffer.from(['qid,label,docid,a,b', ...lines, ''].join('\n'));
  return async random => {
    const bytes = damaged(random, good, CSV_TOKENS);
    const shown = JSON.stringify(bytes.toString('latin1'));
    const { data } = await textOutcome(random, bytes, () => new DelimitedScanner(','), shown);
    if (data === undefined) return 'refused';
    const [header, ...records] = csvRecords(bytes.toString('utf8'));
    equal(data.rows, records.length, shown);
    // Other names of columns may have roles, too.
    if (!roles.every(role => header!.includes(role))) return 'read';
    const expected = records.map(record => {
      const at = (name: string) => record[header!.findIndex(column => column.trim() === name)] ?? '';
      const features = data.featureNames.map(name => [name, cell(at(name))]);
      return { query: at('qid'), label: Number(at('label')), document: at('docid'), ...Object.fromEntries(features) };
    });
    deepStrictEqual(rowsOf(data), expected, shown);
    return 'read';
  };
}

type JsonRow = Record<string, string | number | boolean | null>;

const JSON_TOKENS = [
  '"',
  ',',
  '\n',
  '\r\n',
  '{',
  '}',
  '[',
  ']',
  ':',
  'null',
  'true',
  'NaN',
  '1e39',
  '\\',
  ' ',
  '\0',
  '{}\n',
  '\\u0000',
];

export function damagedJsonl(): ReadDamaged {
  const lines = Array.from({ length: 7 }, (_, i) =>
    JSON.stringify({ qid: `q${i >> 1}`, label: i % 3, docid: `d ${i}`, a: i / 4, b: i === 3 ? null : 1 - i }),
  );
  const good = Buffer.from(`${lines.join('\n')}\n`);
  return async random => {
    const bytes = damaged(random, good, JSON_TOKENS);
    const shown = JSON.stringify(bytes.toString('latin1'));
    const { data } = await textOutcome(random, bytes, () => new JsonScanner(), shown);
    if (data === undefined) return 'refused';
    const filled = bytes
      .toString('utf8')
      .split('\n')
      .filter(line => line.trim() !== '');
    equal(data.rows, filled.length, shown);
    const objects = filled.map(line => JSON.parse(line.replaceAll(/(?<=: *)-?NaN/g, 'null')) as JsonRow);
    if (!objects.every(object => roles.every(role => role in object))) return 'read';
    const expected = objects.map(object => {
      const features = data.featureNames.map(name => [
        name,
        object[name] == null ? Number.NaN : Math.fround(Number(object[name])),
      ]);
      return {
        query: String(object.qid),
        label: Number(object.label),
        document: String(object.docid ?? ''),
        ...Object.fromEntries(features),
      };
    });
    deepStrictEqual(rowsOf(data), expected, shown);
    return 'read';
  };
}

/** `most` files at most, in this folder: DuckDB is asked for their names before, and remembers footers by name. */
export async function damagedParquet(
  folder: string,
  most: number,
  work: (read: ReadDamaged) => Promise<void>,
): Promise<void> {
  const rows = Array.from({ length: 9 }, (_, i) => [`q${i >> 1}`, i % 3, i / 4, 1 - i] as const);
  const path = join(folder, 'good.parquet');
  await writeDataset(datasetOf(rows), path);
  const good = readFileSync(path);
  const files = Array.from({ length: most }, (_, i) => join(folder, `fuzz-${i}.parquet`));
  let next = 0;
  await withDuckDB({ threads: 1, files }, session =>
    work(async random => {
      const bytes = damaged(random, good, ['PAR1', '\0', '\x15\x02', 'qid']);
      const input = await onDisk(files[next++]!, bytes);
      async function* tables() {
        yield await parquetTable(session, input);
      }
      const { data } = await outcome(sink => streamTables(session, tables(), {}, sink), input.path);
      rmSync(input.path);
      if (data === undefined) return 'refused';
      equal(data.rows, 9, input.path);
      return 'read';
    }),
  );
}

/** A file each: DuckDB keeps a database by its name. */
export async function damagedDatabase(folder: string): Promise<ReadDamaged> {
  const path = join(folder, 'good.duckdb');
  rmSync(path, { force: true }); // of an earlier batch
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run('CREATE TABLE t AS SELECT i // 3 AS qid, i % 3 AS label, i / 4 AS a FROM range(9) r(i)');
  connection.closeSync();
  instance.closeSync();
  const good = readFileSync(path);
  let next = 0;
  return async random => {
    const input = await onDisk(
      join(folder, `fuzz-${next++}.duckdb`),
      damaged(random, good, ['DUCK', '\0', 't', 'qid']),
    );
    const { data } = await outcome(sink => duckdb.stream([input], { threads: 1 }, sink), input.path);
    rmSync(input.path);
    if (data === undefined) return 'refused';
    equal(data.rows, 9, input.path);
    return 'read';
  };
}
