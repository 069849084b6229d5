import { execFileSync } from 'node:child_process';
import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { readInputs } from '#listwise/data/read/read.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { loadDuckDB, withDuckDB } from '#listwise/data/readers/duckdb/session.js';
import type { ReadOptions } from '#listwise/data/readers/reader.js';
import { resolveInputs } from '#listwise/io/inputs.js';
import { directory, failure, file } from '../tables/table-files.js';

/** SQL run in a new database file, or in memory. */
async function sql(path: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

describe('a query that fails midway', () => {
  it('is refused, not taken for one that is through', async () => {
    const database = join(directory, 'long.duckdb');
    await sql(database, 'CREATE TABLE t AS SELECT i // 10 AS qid, i % 3 AS label, i AS x FROM range(300000) r(i)');
    const options = { queryColumn: 'qid', labelColumns: [{ name: 'label', column: 'label' }] };
    const reading = (value: string) =>
      readDataset(database, { ...options, sql: `SELECT qid, label, ${value} AS x FROM t` });
    expect((await reading('x')).rows).toBe(300_000);
    await expect(reading("CASE WHEN x > 200000 THEN error('no') ELSE x END")).rejects.toMatchObject({
      code: 'row-count',
      message: expect.stringContaining('there are 300000 rows, but DuckDB gave'),
    });
  });
});

it('a database that changes while it is read is refused', async () => {
  const database = join(directory, 'changing.duckdb');
  await sql(database, 'CREATE TABLE t AS SELECT i // 10 AS qid, i % 3 AS label, i AS x FROM range(9000) r(i)');
  let changed = false;
  // What is said of its columns comes before its rows.
  const note = () => {
    if (!changed) utimesSync(database, 1, 1);
    changed = true;
  };
  await expect(readDataset(database, { note })).rejects.toMatchObject({
    code: 'file-unreadable',
    message: `${database}: it changed while it was read; read it when nobody writes to it`,
  });
  expect(changed).toBe(true);
});

describe('parquet and databases', () => {
  const database = join(directory, 'a.duckdb');
  const path = (name: string) => join(directory, name);
  const secret = file('secret.csv', 'of, no, concern');
  const rows =
    "SELECT 'q' || (i // 3) AS qid, i % 3 AS label, i::FLOAT / 4 AS f, i::DECIMAL(6,2) AS d, i % 2 = 0 AS t, i::HUGEINT AS h FROM range(9) r(i)";

  beforeAll(async () => {
    const copy = (query: string, name: string) => `COPY (${query}) TO '${path(name)}' (FORMAT parquet)`;
    await sql(
      database,
      `CREATE TABLE "my rows" AS ${rows}`,
      copy('FROM "my rows"', 'a.parquet'),
      copy('SELECT *, DATE \'2024-01-01\' AS day FROM "my rows"', 'date.parquet'),
      copy('SELECT *, [1, 2] AS list FROM "my rows"', 'list.parquet'),
      copy('SELECT * REPLACE (CASE WHEN h = 4 THEN NULL ELSE qid END AS qid) FROM "my rows"', 'noquery.parquet'),
      copy(
        'SELECT qid, label, CASE WHEN h = 4 THEN \'inf\'::DOUBLE ELSE 1e300 / 1e300 END AS x FROM "my rows"',
        'inf.parquet',
      ),
    );
    await sql(path('nosy.db'), `CREATE VIEW a AS SELECT 'q' AS qid, 1 AS label, content FROM read_text('${secret}')`);
    await sql(path('two.db'), 'CREATE TABLE b (x INTEGER)', 'CREATE VIEW a AS SELECT 1');
  });

  const expected = (data: { column(f: number): Float32Array; queryIds: readonly string[] }) => {
    expect(data.queryIds).toEqual(['q0', 'q1', 'q2']);
    const numbers = [...Array(9).keys()];
    expect([...data.column(0)]).toEqual(numbers.map(i => i / 4));
    expect([...data.column(1)]).toEqual(numbers);
    expect([...data.column(2)]).toEqual(numbers.map(i => 1 - (i % 2)));
    expect([...data.column(3)]).toEqual(numbers);
  };

  it('reads numbers of every type, and booleans', async () => {
    expected(await readDataset(path('a.parquet')));
    expected(await readDataset(database));
  });

  it('reads parquet from a stream', async () => {
    const [input] = await resolveInputs(path('a.parquet'));
    expected(await readInputs([{ name: 'stdin', gzip: false, open: input!.open }], { format: 'parquet' }));
  });

  it('runs a query and keeps its order', async () => {
    const data = await readDataset(database, {
      sql: 'SELECT qid, label, h FROM "my rows" ORDER BY h DESC -- the last first\n;',
    });
    expect(data.queryIds).toEqual(['q2', 'q1', 'q0']);
    expect([...data.column(0)]).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0]);
  });

  it.each<[string, string, ReadOptions, string, RegExp]>([
    [
      'a date',
      'date.parquet',
      {},
      'column-type',
      /column "day" holds DATE.*`ignore: day`.*`dates: day`.*`documentColumn`/,
    ],
    ['a list', 'list.parquet', {}, 'column-type', /column "list" holds INTEGER\[\]/],
    ['a row without a query', 'noquery.parquet', {}, 'query-missing', /row 5: column "qid" names no query/],
    ['an infinite value', 'inf.parquet', {}, 'feature-value-invalid', /row 5: feature "x" is "inf"/],
    [
      'a label of text',
      'a.parquet',
      { labelColumns: [{ name: 'label', column: 'qid' }], queryColumn: 'h' },
      'column-type',
      /"qid" holds VARCHAR.*label/,
    ],
    ['a query that fails', 'a.duckdb', { sql: 'SELECT nothing FROM "my rows"' }, 'sql-failed', /nothing/],
    ['two statements', 'a.duckdb', { sql: 'FROM "my rows"; FROM "my rows"' }, 'sql-failed', /one statement/],
    ['a statement that writes', 'a.duckdb', { sql: 'DROP TABLE "my rows"' }, 'sql-failed', /./],
    [
      'a bracket that closes the query',
      'a.duckdb',
      { sql: 'FROM "my rows"); DROP TABLE "my rows"; --' },
      'sql-failed',
      /./,
    ],
    [
      'a view that reads another file',
      'nosy.db',
      {},
      'sql-failed',
      /secret.csv" - file system operations are disabled/,
    ],
    ['a query that reads another file', 'a.duckdb', { sql: `FROM '${secret}'` }, 'sql-failed', /are disabled/],
    ['a query that lists files', 'a.duckdb', { sql: `FROM glob('${directory}/*')` }, 'sql-failed', /are disabled/],
    ['a query that unlocks files', 'a.duckdb', { sql: 'SET enable_external_access = true' }, 'sql-failed', /./],
    ['no choice of table', 'two.db', {}, 'sql-failed', /`sql`.*"a", "b"/],
  ])('refuses %s', async (_, name, options, code, words) => {
    const found = await failure(path(name), options);
    expect(found).toEqual({ code, message: expect.stringMatching(words) });
    expect(found.message).not.toContain('\n');
  });

  it('cannot be set to do more than it was', () =>
    withDuckDB({ files: [secret] }, async ({ connection }) => {
      for (const setting of ['enable_external_access = true', "allowed_paths = ['/']", 'lock_configuration = false']) {
        await expect(connection.run(`SET ${setting}`)).rejects.toThrow('the configuration has been locked');
      }
      await expect(connection.run(`FROM read_text('${secret}')`)).resolves.toBeDefined();
      await expect(connection.run(`COPY (SELECT 1) TO '${path('made.csv')}'`)).rejects.toThrow('are disabled');
    }));

  it('refuses what is neither', async () => {
    expect((await failure(file('x.parquet', 'PAR1 but not really'))).code).toBe('table-syntax');
    expect((await failure(file('x.duckdb', 'no database at all, just text'))).code).toBe('data-format');
    expect(existsSync(`${database}.wal`)).toBe(false);
  });
});

describe('without the package', () => {
  it('says how to install it', async () => {
    const missing = Object.assign(new Error('not there'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(loadDuckDB(() => Promise.reject(missing))).rejects.toMatchObject({
      code: 'dependency-missing',
      message: expect.stringContaining('npm install @duckdb/node-api'),
    });
  });

  it('is not loaded by reading other formats', () => {
    const script = `
      import { readDataset } from '#listwise/data/read/read-dataset.js';
      await readDataset(${JSON.stringify(file('a.txt', '1 qid:1 1:2\n'))});
      const loaded = process.report.getReport().sharedObjects.some(name => name.includes('duckdb'));
      process.exit(loaded ? 1 : 0);
    `;
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(import.meta.dirname, '../../../..'),
    });
  });
});
