import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { memoryInput, resolveInputs } from '#listwise/data/inputs.js';
import { readDataset, readInputs } from '#listwise/data/read.js';
import type { ReadOptions } from '#listwise/data/reader.js';
import { loadDuckDB } from '#listwise/data/readers/duckdb/session.js';
import { temporaryDirectory } from '../../temporary.js';

const directory = temporaryDirectory();
let files = 0;

/** Writes a file of its own and gives its path. */
function file(name: string, content: string | Uint8Array): string {
  const home = join(directory, String(files++));
  mkdirSync(home);
  writeFileSync(join(home, name), content);
  return join(home, name);
}

async function failure(
  data: string,
  options: ReadOptions = {},
): Promise<{ code: string; message: string; line?: number }> {
  const error = await readDataset(data, options).then(
    () => undefined,
    (reason: { code: string; message: string; place?: { line?: number } }) => reason,
  );
  if (error === undefined) throw new Error('read without an error');
  const line = error.place?.line;
  return { code: error.code, message: error.message, ...(line === undefined ? {} : { line }) };
}

/** SQL run in a new database file, or in memory. */
async function sql(path: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

const CSV = 'qid,label,docid,a,b\nq1,1,d1,0.5,\nq2,0,d2,true,1e3\nq1,2,d3,nan,-3\n';

describe('csv', () => {
  it('reads, recognises columns and brings rows of a query together', async () => {
    const notes: string[] = [];
    const data = await readDataset(file('a.csv', CSV), { note: text => notes.push(text) });
    expect(data.queryIds).toEqual(['q1', 'q2']);
    expect(data.featureNames).toEqual(['a', 'b']);
    expect([...data.label()]).toEqual([1, 2, 0]);
    expect([...data.column(0)]).toEqual([0.5, Number.NaN, 1]);
    expect([...data.column(1)]).toEqual([Number.NaN, -3, 1000]);
    expect([0, 1, 2].map(row => data.documentId(row))).toEqual(['d1', 'd3', 'd2']);
    expect([...data.inputRows!]).toEqual([0, 2, 1]);
    expect(notes).toEqual([
      'took "qid" as the query, "docid" as the document id, "label" as the label; the other 2 columns are features',
      'rows of 1 queries were not adjacent and were grouped',
    ]);
  });

  it('keeps ids as they are written', async () => {
    const data = await readDataset(
      file('a.csv', 'qid,label,docid,x\n007,1,2024-01-02,1\n7,0,1e3,2\n" 7 ",0,"a,""b""\n",3\n'),
    );
    expect(data.queryIds).toEqual(['007', '7', ' 7 ']);
    expect([0, 1, 2].map(row => data.documentId(row))).toEqual(['2024-01-02', '1e3', 'a,"b"\n']);
  });

  it('takes columns by name, several label sources, weights and positions', async () => {
    const path = file('a.csv', 'Search;x,g,c,w,p,f\nA,3,1,0.5,1,9\nA,0,,2,,8\n');
    const data = await readDataset(path, {
      queryColumn: 'search;x',
      labelColumns: [
        { name: 'label', column: 'g' },
        { name: 'clicks', column: 'c' },
      ],
      weightColumn: 'w',
      positionColumn: 'p',
    });
    expect(data.featureNames).toEqual(['f']);
    expect([...data.label('clicks')]).toEqual([1, Number.NaN]);
    expect([...data.rowWeights!]).toEqual([0.5, 2]);
    expect([...data.positions!]).toEqual([1, Number.NaN]);
  });

  it.each([
    ['gzip', gzipSync(CSV), 'a.csv.gz'],
    ['gzip of two members', Buffer.concat([gzipSync(CSV.slice(0, 30)), gzipSync(CSV.slice(30))]), 'a.csv.gz'],
    ['gzip under a plain name', gzipSync(CSV), 'a.csv'],
    ['CR LF and a byte order mark', `\ufeff${CSV.replaceAll('\n', '\r\n')}`, 'a.csv'],
    ['mixed line ends and empty lines', CSV.replace('\n', '\r\n').replace('3\n', '3\r\n\n\r\n'), 'a.csv'],
    ['no line end at the end', CSV.trimEnd(), 'a.csv'],
    ['tabs', CSV.replaceAll(',', '\t'), 'a.tsv'],
  ])('%s', async (_, content, name) => {
    const data = await readDataset(file(name, content));
    expect(data.rows).toBe(3);
    expect([...data.column(1)]).toEqual([Number.NaN, -3, 1000]);
  });

  it('reads names that are patterns to DuckDB as themselves', async () => {
    const path = file('a[1]*.csv', CSV);
    writeFileSync(path.replace('a[1]*', 'a1x'), CSV + CSV.split('\n')[1]);
    expect((await readDataset(path)).rows).toBe(3);
  });

  it('takes names with quotes for names: nothing of them is run', async () => {
    const path = file("x'); DROP TABLE y; --.csv", `qid,label,"a""); DROP TABLE y; --"\nq,1,5\n`);
    const data = await readDataset(path);
    expect(data.featureNames).toEqual(['a"); DROP TABLE y; --']);
    expect(data.feature(0, 0)).toBe(5);
  });

  it('spools what has no file and takes the copy away', async () => {
    const usual = process.env.TMPDIR;
    process.env.TMPDIR = join(file('x', ''), '..');
    try {
      const data = await readInputs([memoryInput('stdin', Buffer.from(CSV), 5)], { format: 'csv' });
      expect(data.rows).toBe(3);
      expect(readdirSync(process.env.TMPDIR)).toEqual(['x']);
    } finally {
      if (usual === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = usual;
    }
  });

  it.each<[string, string, string, number | undefined, RegExp]>([
    ['a short row', 'qid,label,x\nq,1,2\nq,1\n', 'row-ragged', 3, /2 fields where the header has 3/],
    ['a long row', 'qid,label,x\nq,1,2,3\n', 'row-ragged', 2, /4 fields where the header has 3/],
    ['a line of blanks', 'qid,label,x\nq,1,2\n   \n', 'row-ragged', 3, /1 fields/],
    ['an open quote', 'qid,label,x\nq,1,2\n"q,1,2\n', 'table-syntax', 3, /not closed/],
    ['a quote inside', 'qid,label,x\nq"1,1,2\n', 'table-syntax', 2, /a quote inside a field/],
    ['text behind a quote', 'qid,label,x\n"q"1,1,2\n', 'table-syntax', 2, /"1" behind the end/],
    ['a carriage return', 'qid,label,x\nq,1,2\rq,1,2\n', 'line-end-invalid', 2, /carriage return/],
    ['an empty first line', '\nqid,label,x\nq,1,2\n', 'table-syntax', 1, /must be the header/],
    ['a NUL', 'qid,label,x\nq,1,2\0\n', 'data-binary', 2, /NUL/],
    [
      'not UTF-8',
      Buffer.from('qid,label,x\nq,1,2\nq\xff,1,2\n', 'latin1').toString('latin1'),
      'data-binary',
      3,
      /utf-8/,
    ],
    ['nothing', '', 'data-empty', undefined, /empty/],
    ['a header alone', 'qid,label,x\n', 'data-empty', undefined, /no rows/],
    ['a nameless column', ',qid,label,x\n1,q,1,2\n', 'table-syntax', undefined, /column 1 has no name/],
    [
      'two columns of one name',
      'qid,label,x,x\nq,1,2,3\n',
      'feature-duplicate',
      undefined,
      /two columns are called "x"/,
    ],
    ['no query column', 'search,label,x\nq,1,2\n', 'column-unknown', undefined, /--query-col.*"search", "label", "x"/],
    ['no label column', 'qid,stars,x\nq,1,2\n', 'column-unknown', undefined, /--label-col/],
    ['no query', 'qid,label,x\nq,1,2\n,1,2\n', 'query-missing', 3, /names no query/],
    ['no label', 'qid,label,x\nq,1,2\n\nq,,2\n', 'label-invalid', 4, /is nothing/],
    ['a label of text', 'qid,label,x\nq,1,2\nq,good,2\n', 'label-invalid', 3, /"good"/],
    ['an infinite label', 'qid,label,x\nq,inf,2\nq,1,2\n', 'label-invalid', 2, /"inf"/],
    ['a feature of text', 'qid,label,x\nq,1,2\nq,1,two\n', 'feature-value-invalid', 3, /feature "x" is "two"/],
    ['a feature too large', 'qid,label,x\nq,1,2\nq,1,1e39\n', 'feature-value-invalid', 3, /"1e39".*32-bit/],
    ['an infinite feature', 'qid,label,x\nq,1,2\nq,1,-inf\n', 'feature-value-invalid', 3, /"-inf"/],
    ['digits with underscores', 'qid,label,x\nq,1,2\nq,1,1_000\n', 'feature-value-invalid', 3, /"1_000"/],
    ['a decimal comma', 'qid,label,x\nq,1,2\nq,1,"1,5"\n', 'feature-value-invalid', 3, /"1,5"/],
    [
      'a column of text',
      'qid,label,x\nq,1,red\nq,1,green\n',
      'column-type',
      undefined,
      /column "x" holds text such as "red".*--doc-col/,
    ],
    [
      'a negative weight',
      'qid,label,document_weight\nq,1,2\nq,1,-1\n',
      'value-invalid',
      3,
      /document weight.*"-1".*at least 0/,
    ],
  ])('refuses %s', async (_, content, code, line, words) => {
    const found = await failure(file('a.csv', Buffer.from(content, 'latin1')));
    expect(found).toEqual({ code, message: expect.stringMatching(words), ...(line === undefined ? {} : { line }) });
    expect(found.message).not.toContain('\n');
  });

  it('finds the line of a row behind quoted line ends and empty lines, far into the file', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => `"q\n${i >> 5}",1,${i}\n${i % 100 === 0 ? '\n' : ''}`);
    rows[4321] = '"q",1,oops\n';
    const text = `qid,label,x\n${rows.join('')}`;
    const line = text.slice(0, text.indexOf('"q",1,oops')).split('\n').length;
    expect(await failure(file('a.csv', text))).toMatchObject({ code: 'feature-value-invalid', line });
  });

  it('names the nearest column where one is unknown', async () => {
    const path = file('a.csv', CSV);
    expect((await failure(path, { queryColumn: 'qidd' })).message).toMatch(/no column "qidd".*did you mean "qid"\?/);
    expect((await failure(path, { queryColumn: 'qid', documentColumn: 'qid' })).code).toBe('option-invalid');
    expect((await failure(path, { sql: 'FROM x' })).message).toMatch(/--sql is for duckdb, not for csv/);
  });

  it('refuses column options where there are no columns', async () => {
    expect(await failure(file('a.txt', '1 qid:1 1:2\n'), { queryColumn: 'q' })).toMatchObject({
      code: 'option-invalid',
    });
  });

  it('reads a directory of files with the same columns in any order, and names what differs', async () => {
    const path = file('1.csv', 'qid,label,a,b\nq1,1,2,3\n');
    writeFileSync(join(path, '..', '2.csv'), 'b,a,label,qid\n6,5,0,q2\n');
    const data = await readDataset(join(path, '..'));
    expect([...data.column(0), ...data.column(1)]).toEqual([2, 5, 3, 6]);
    writeFileSync(join(path, '..', '3.csv'), 'qid,label,a,c\nq1,1,2,3\n');
    expect(await failure(join(path, '..'))).toMatchObject({
      code: 'feature-mismatch',
      message: expect.stringMatching(/3\.csv: the columns are not those of .*1\.csv: it lacks "b"; it has "c" more/),
    });
  });

  it('a truncated gzip file is an error', async () => {
    const whole = gzipSync(CSV.repeat(200));
    expect((await failure(file('a.csv.gz', whole.subarray(0, whole.length - 20)))).code).toBe('gzip-broken');
  });
});

describe('jsonl', () => {
  it('reads objects; keys left out, null and NaN are missing; ids stay text', async () => {
    const text =
      '{"qid":"007","label":1,"a":2.5,"b":NaN}\n\n{"qid":8,"label":0,"b":true,"c":null}\n{"label":3,"qid":"007","c":1e2}\n';
    const data = await readDataset(file('a.jsonl', text));
    expect(data.queryIds).toEqual(['007', '8']);
    expect(data.featureNames).toEqual(['a', 'b', 'c']);
    expect([...data.column(0)]).toEqual([2.5, Number.NaN, Number.NaN]);
    expect([...data.column(1)]).toEqual([Number.NaN, Number.NaN, 1]);
    expect([...data.column(2)]).toEqual([Number.NaN, 100, Number.NaN]);
  });

  it('finds keys that appear late', async () => {
    const rows = Array.from(
      { length: 30_000 },
      (_, i) => `{"qid":${i >> 5},"label":0${i === 29_999 ? ',"late":7' : ''}}`,
    );
    const data = await readDataset(file('a.ndjson', rows.join('\n')));
    expect(data.featureNames).toEqual(['late']);
    expect(data.feature(29_999, 0)).toBe(7);
    expect(data.feature(0, 0)).toBeNaN();
  });

  it.each<[string, string, string, number | undefined, RegExp]>([
    ['a broken object', '{"qid":1,"label":1}\n\n{"qid":1,\n', 'table-syntax', 3, /not a JSON object/],
    ['two objects on a line', '{"qid":1,"label":1} {"qid":2,"label":1}\n', 'table-syntax', 1, /not a JSON object/],
    ['an array', '[{"qid":1,"label":1}]\n', 'table-syntax', 1, /one JSON object, found/],
    ['a number', '{"qid":1,"label":1}\n5\n', 'table-syntax', 2, /one JSON object, found "5"/],
    [
      'a key twice',
      '{"qid":1,"label":1}\n{"qid":1,"label":1,"x":1,"x":2}\n',
      'feature-duplicate',
      2,
      /the key "x" twice/,
    ],
    [
      'keys that differ in case',
      '{"qid":1,"label":1,"x":1,"X":2}\n',
      'feature-duplicate',
      undefined,
      /differ in case alone/,
    ],
    [
      'a feature that is a text',
      '{"qid":1,"label":1,"x":1}\n{"qid":1,"label":1,"x":"2"}\n',
      'feature-value-invalid',
      2,
      /"2"/,
    ],
    [
      'a nested feature',
      '{"qid":1,"label":1,"x":1}\n{"qid":1,"label":1,"x":[2]}\n',
      'feature-value-invalid',
      2,
      /"\[2\]"/,
    ],
    [
      'a number too large',
      '{"qid":1,"label":1,"x":1}\n{"qid":1,"label":1,"x":1e999}\n',
      'feature-value-invalid',
      2,
      /1e999/,
    ],
    ['no query', '{"qid":null,"label":1}\n', 'query-missing', 1, /names no query/],
    ['nothing', '\n', 'data-empty', undefined, /empty/],
  ])('refuses %s', async (_, content, code, line, words) => {
    const found = await failure(file('a.jsonl', content));
    expect(found).toEqual({ code, message: expect.stringMatching(words), ...(line === undefined ? {} : { line }) });
  });
});

describe('parquet and databases', () => {
  const database = join(directory, 'a.duckdb');
  const path = (name: string) => join(directory, name);
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
    ['a date', 'date.parquet', {}, 'column-type', /column "day" holds DATE.*name it as an id/],
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
    ['no choice of table', 'two.db', {}, 'sql-failed', /--sql.*"a", "b"/],
  ])('refuses %s', async (_, name, options, code, words) => {
    const found = await failure(path(name), options);
    expect(found).toEqual({ code, message: expect.stringMatching(words) });
    expect(found.message).not.toContain('\n');
  });

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
      import { readDataset } from '#listwise/data/read.js';
      await readDataset(${JSON.stringify(file('a.txt', '1 qid:1 1:2\n'))});
      const loaded = process.report.getReport().sharedObjects.some(name => name.includes('duckdb'));
      process.exit(loaded ? 1 : 0);
    `;
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(import.meta.dirname, '../../../..'),
    });
  });
});
