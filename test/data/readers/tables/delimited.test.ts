import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readInputs } from '#listwise/data/read/read.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { memoryInput } from '#listwise/io/inputs.js';
import { failure, file } from './table-files.js';

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
      'rows of 1 query were not adjacent and were grouped',
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

  it.each<[string, string, string, string | undefined, RegExp]>([
    ['a short row', 'qid,label,x\nq,1,2\nq,1\n', 'row-ragged', '3:4', /2 fields where the header has 3/],
    ['a long row', 'qid,label,x\nq,1,2,3\n', 'row-ragged', '2:7', /4 fields where the header has 3/],
    ['a line of blanks', 'qid,label,x\nq,1,2\n   \n', 'row-ragged', '3:4', /1 field where/],
    ['an open quote', 'qid,label,x\nq,1,2\n"q,1,2\n', 'table-syntax', '3:1', /not closed/],
    ['a quote inside', 'qid,label,x\nq"1,1,2\n', 'table-syntax', '2:2', /a quote inside a field/],
    ['text behind a quote', 'qid,label,x\n"q"1,1,2\n', 'table-syntax', '2:4', /"1" behind the end/],
    ['a carriage return', 'qid,label,x\nq,1,2\rq,1,2\n', 'line-end-invalid', '2:6', /carriage return/],
    ['an empty first line', '\nqid,label,x\nq,1,2\n', 'table-syntax', '1:1', /must be the header/],
    ['a NUL', 'qid,label,x\nq,1,2\0\n', 'data-binary', '2:6', /NUL/],
    [
      'not UTF-8',
      Buffer.from('qid,label,x\nq,1,2\nq\xff,1,2\n', 'latin1').toString('latin1'),
      'data-binary',
      '3:2',
      /UTF-8/,
    ],
    ['nothing', '', 'data-empty', undefined, /empty/],
    ['a header alone', 'qid,label,x\n', 'data-empty', undefined, /no rows/],
    ['a nameless column', ',qid,label,x\n1,q,1,2\n', 'table-syntax', '1:1', /column 1 has no name/],
    ['two columns of one name', 'qid,label,x,x\nq,1,2,3\n', 'feature-duplicate', '1:13', /two columns are called "x"/],
    [
      'no query column',
      'search,label,x\nq,1,2\n',
      'column-unknown',
      undefined,
      /`queryColumn: COLUMN`.*"search", "label", "x"/,
    ],
    ['no label column', 'qid,stars,x\nq,1,2\n', 'column-unknown', undefined, /`labelColumns: COLUMN`/],
    ['no query', 'qid,label,x\nq,1,2\n,1,2\n', 'query-missing', '3:1', /names no query/],
    ['no label', 'qid,label,x\nq,1,2\n\nq,,2\n', 'label-invalid', '4:3', /is nothing/],
    ['a label of text', 'qid,label,x\nq,1,2\nq,good,2\n', 'label-invalid', '3:3', /"good"/],
    ['an infinite label', 'qid,label,x\nq,inf,2\nq,1,2\n', 'label-invalid', '2:3', /"inf"/],
    ['a feature of text', 'qid,label,x\nq,1,2\nq,1,two\n', 'feature-value-invalid', '3:5', /feature "x" is "two"/],
    ['a feature too large', 'qid,label,x\nq,1,2\nq,1,1e39\n', 'feature-value-invalid', '3:5', /"1e39".*32-bit/],
    ['an infinite feature', 'qid,label,x\nq,1,2\nq,1,-inf\n', 'feature-value-invalid', '3:5', /"-inf"/],
    ['digits with underscores', 'qid,label,x\nq,1,2\nq,1,1_000\n', 'feature-value-invalid', '3:5', /"1_000"/],
    ['a decimal comma', 'qid,label,x\nq,1,2\nq,1,"1,5"\n', 'feature-value-invalid', '3:5', /"1,5"/],
    [
      'a column of text',
      'qid,label,x\nq,1,red\nq,1,green\n',
      'column-type',
      '2:5',
      /column "x" holds text such as "red".*`documentColumn`/,
    ],
    [
      'a negative weight',
      'qid,label,document_weight\nq,1,2\nq,1,-1\n',
      'value-invalid',
      '3:5',
      /document weight.*"-1".*at least 0/,
    ],
  ])('refuses %s', async (_, content, code, at, words) => {
    const found = await failure(file('a.csv', Buffer.from(content, 'latin1')));
    expect(found).toEqual({ code, message: expect.stringMatching(words), ...(at === undefined ? {} : { at }) });
    expect(found.message).not.toContain('\n');
  });

  it('finds the line of a row behind quoted line ends and empty lines, far into the file', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => `"q\n${i >> 5}",1,${i}\n${i % 100 === 0 ? '\n' : ''}`);
    rows[4321] = '"q",1,oops\n';
    const text = `\ufeffqid,label,x\n${rows.join('')}`;
    const line = text.slice(0, text.indexOf('"q",1,oops')).split('\n').length;
    expect(await failure(file('a.csv', text))).toMatchObject({ code: 'feature-value-invalid', at: `${line}:7` });
  });

  it('gives the line of the field, not that of its row, and columns of the header without the byte order mark', async () => {
    expect((await failure(file('a.csv', 'qid,label,x\nq,1,2\n"q\n1",1,"\n"\n'))).at).toBe('4:6');
    expect((await failure(file('a.csv', 'qid,label,x\nq,1,2\n"q\n1",1,2,"\n",3\n'))).at).toBe('4:8');
    expect((await failure(file('a.csv', '\ufeffqid,"ö",label,"ö"\n'))).at).toBe('1:16');
  });

  it('names the nearest column where one is unknown', async () => {
    const path = file('a.csv', CSV);
    expect((await failure(path, { queryColumn: 'qidd' })).message).toMatch(/no column "qidd".*did you mean "qid"\?/);
    expect((await failure(path, { queryColumn: 'qid', documentColumn: 'qid' })).code).toBe('option-invalid');
    expect((await failure(path, { sql: 'FROM x' })).message).toMatch(/`sql` is for duckdb, not for csv/);
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
