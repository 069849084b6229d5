import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { readInputs } from '#listwise/data/read/read.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import type { ReadOptions } from '#listwise/data/readers/reader.js';
import { ListwiseError } from '#listwise/errors.js';
import { memoryInput } from '#listwise/io/inputs.js';
import { Random } from '#listwise/numeric/random.js';
import { temporaryDirectory } from '../../temporary.js';

const directory = temporaryDirectory();
let files = 0;

function file(text: string, name = `${files++}.txt`): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const read = (text: string | Buffer, options: ReadOptions = {}) =>
  readInputs([memoryInput('log', Buffer.from(text))], { format: 'ltrlog', ...options });

type Features = Record<string, number | undefined>;

/** A hit as the plugins write it. */
function hit(id: string, entries: Record<string, Features>) {
  const listed = (features: Features) =>
    Object.entries(features).map(([name, value]) => (value === undefined ? { name } : { name, value }));
  const log = Object.fromEntries(Object.entries(entries).map(([name, features]) => [name, listed(features)]));
  return { _index: 'i', _id: id, _score: 1, fields: { _ltrlog: [log] } };
}

const response = (...hits: unknown[]) => ({ took: 1, timed_out: false, hits: { total: { value: 9 }, hits } });

/** Rows as text, for comparisons. */
function rows(data: Dataset): string[] {
  return Array.from({ length: data.rows }, (_, row) => {
    const query = data.queryIds[data.offsets.findLastIndex(start => start <= row && row < data.rows)];
    const features = data.featureNames.map((name, f) => `${name}=${data.feature(row, f)}`);
    return `${query} ${data.documentId(row)} ${data.label()[row]} ${features.join(' ')}`;
  });
}

const two = response(hit('a', { q1: { title: 1.5, body: undefined } }), hit('b', { q1: { title: 0, body: -2 } }));
const other = response(hit('a', { q2: { title: 3, body: 4 } }));
const expected = ['q1 a NaN title=1.5 body=NaN', 'q1 b NaN title=0 body=-2', 'q2 a NaN title=3 body=4'];

describe('feature logs', () => {
  it.each([
    ['one response a line', `${JSON.stringify(two)}\n\n${JSON.stringify(other)}\n`],
    ['a response to _msearch', JSON.stringify({ took: 2, responses: [two, other] })],
    ['the same with layout', JSON.stringify({ took: 2, responses: [two, other] }, undefined, 2)],
  ])('are read from %s', async (_, text) => {
    expect(rows(await read(text))).toEqual(expected);
  });

  it('take the query from qid first, then from the entry or the file', async () => {
    const named = { qid: 7, ...two };
    expect((await read(JSON.stringify(named))).queryIds).toEqual(['7']);
    mkdirSync(join(directory, 'logs'));
    file(JSON.stringify(two), 'logs/x.json');
    file(JSON.stringify(response(hit('c', { q1: { title: 1, body: 1 } }))), 'logs/y.json');
    const data = await readDataset(join(directory, 'logs'), { queryFrom: 'file' });
    expect(data.queryIds).toEqual(['x', 'y']);
  });

  it('make a row of every entry where entries name queries', async () => {
    const both = response(hit('a', { q1: { f: 1 }, q2: { f: 2 } }), hit('b', { q1: { f: 3 }, q2: { f: 4 } }));
    const notes: string[] = [];
    const data = await read(JSON.stringify(both), { note: text => notes.push(text) });
    expect(rows(data)).toEqual(['q1 a NaN f=1', 'q1 b NaN f=3', 'q2 a NaN f=2', 'q2 b NaN f=4']);
    expect(notes).toContain('rows of 2 queries were not adjacent and were grouped');
    await expect(read(JSON.stringify({ qid: 'q', ...both }))).rejects.toMatchObject({ code: 'table-syntax' });
  });

  it('pass over extra_logging, and take NaN and null for values that are not there', async () => {
    const entry = [
      { name: 'f', value: 'NaN' },
      { name: 'extra_logging', value: { words: 3 } },
      { name: 'g', value: null },
    ];
    const data = await read(JSON.stringify(response({ _id: 'a', fields: { _ltrlog: [{ q: entry }] } })));
    expect(rows(data)).toEqual(['q a NaN f=NaN g=NaN']);
  });

  it('treat values that are not there as asked, and say so', async () => {
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    await read(JSON.stringify(two), { note });
    expect(notes).toContain('1 of 4 feature values are not in the log (no match): missing');
    const zero = await read(JSON.stringify(two), { absent: 'zero', note });
    expect(rows(zero)[0]).toBe('q1 a NaN title=1.5 body=0');
    expect(notes).toContain('1 of 4 feature values are not in the log (no match): counted as 0 (`absent: zero`)');
    await expect(read(JSON.stringify(two), { absent: 'refuse' })).rejects.toMatchObject({
      message: 'log:1: hits.hits[0].fields._ltrlog[0].q1[1]: feature "body" has no value',
    });
  });

  it('take names and order from a feature set', async () => {
    const featureSubset = file('{"featureset":{"features":[{"name":"body"},{"name":"title"}]}}');
    const data = await read(JSON.stringify(other), { featureSubset });
    expect(rows(data)).toEqual(['q2 a NaN body=4 title=3']);
    const unknown = file('{"features":[{"name":"price"}]}');
    await expect(read(JSON.stringify(other), { featureSubset: unknown })).rejects.toMatchObject({
      code: 'feature-mismatch',
    });
  });

  it.each([
    ['', 'data-empty', 'the file is empty'],
    ['{"hits":\n{"hits":}}', 'table-syntax', 'log:2:9: a feature log is JSON: found "}" where it cannot stand'],
    ['{"hits":{"hits":[]}}\n{"hits":', 'table-syntax', 'log:2:9: a feature log is JSON: the text ends too soon'],
    ['{"hits":{"hits":[]}}', 'data-empty', 'no logged documents'],
    ['[]', 'table-syntax', 'log:1: it must be an object, found "[]"'],
    ['{"responses":{}}', 'table-syntax', 'log:1: responses: it must be an array, found "{}"'],
    [JSON.stringify({ error: { type: 'x' } }), 'table-syntax', 'log:1: error: the search failed'],
    [JSON.stringify({ ...two, timed_out: true }), 'table-syntax', 'log:1: timed_out: the search timed out'],
    [
      JSON.stringify(response({ _id: 'a', _source: {} })),
      'table-syntax',
      'log:1: hits.hits[0].fields: document "a" has no logged features; "ltr_log" in "ext" asks for them',
    ],
    [
      JSON.stringify(response({ _id: 'a', fields: { x: [1] } })),
      'table-syntax',
      'hits.hits[0].fields._ltrlog: document',
    ],
    [JSON.stringify(response({ _id: 'a', fields: { _ltrlog: [{}] } })), 'table-syntax', 'a list that holds an entry'],
    [
      JSON.stringify(response({ _id: 'a', fields: { _ltrlog: [{ 'blue shoes': [{ name: 'f', value: '3' }] }] } })),
      'feature-value-invalid',
      'log:1: hits.hits[0].fields._ltrlog[0]["blue shoes"][0].value: a feature value is',
    ],
    [JSON.stringify(response(hit('a', { q: { f: 1e39 } }))), 'feature-value-invalid', 'found "1e+39"'],
    [
      JSON.stringify(response(hit('a', { q: { f: 1 } }), hit('a', { q: { f: 1 } }))),
      'document-duplicate',
      'logged twice',
    ],
    [
      JSON.stringify(response(hit('a', { q: { f: 1, g: 1 } }), hit('b', { q: { f: 1, h: 1 } }))),
      'feature-mismatch',
      'hits.hits[1].fields._ltrlog[0].q: the features are "f", "h"; those of the first entry are "f", "g"',
    ],
  ])('refuse %j with %s', async (text, code, message) => {
    const error = await read(text).catch(caught => caught);
    expect(error).toBeInstanceOf(ListwiseError);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });
});

describe('judgments of a feature log', () => {
  const log = [two, other].map(one => JSON.stringify(one)).join('\n');
  const list = '# qid:q1: blue shoes\n3 qid:q1 # a Blue shoes\n0\tqid:q1 #\tb\tRed shoes\n1.5 qid:q2 # docid = a x\n';

  it.each([
    ['a list', list, 'txt'],
    ['qrels', 'q1 0 a 3\nq1 0 b 0\nq2 0 a 1.5\n', 'qrels'],
    ['CSV', 'query,docid,grade\nq1,a,3\nq1,b,0\nq2,a,1.5\n', 'csv'],
    ['TSV', 'grade\tqid\tdoc\n3\tq1\ta\n0\tq1\tb\n1.5\tq2\ta\n', 'tsv'],
  ])('are read from %s', async (_, text, extension) => {
    const judgments = file(text, `${files++}.${extension}`);
    expect([...(await read(log, { judgments })).label()]).toEqual([3, 0, 1.5]);
  });

  it('take columns by their names', async () => {
    const judgments = file('keywords,id,rating\nq1,a,3\nq1,b,0\nq2,a,1.5\n', 'columns.csv');
    const columns = {
      queryColumn: 'keywords',
      documentColumn: 'id',
      labelColumns: [{ name: 'label', column: 'rating' }],
    };
    expect([...(await read(log, { judgments, ...columns })).label()]).toEqual([3, 0, 1.5]);
    await expect(read(log, { judgments: file(list), queryColumn: 'x' })).rejects.toMatchObject({
      code: 'option-invalid',
    });
  });

  it('refuse, drop or keep documents without one, as asked', async () => {
    const judgments = file('3 qid:q1 # a\n-1 qid:q1 # c\n2 qid:q3 # a\n');
    await expect(read(log, { judgments })).rejects.toMatchObject({
      code: 'judgment-missing',
      message: expect.stringContaining('document "b" of query "q1" has no judgment (`unjudged: drop`'),
    });
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    expect(rows(await read(log, { judgments, unjudged: 'drop', note }))).toEqual(['q1 a 3 title=1.5 body=NaN']);
    expect(notes).toEqual([
      '2 logged documents without a judgment, left out: q1 b, q2 a',
      '1 judged query not in the log: q3',
      '1 judged document not in the log: q1 c',
      '1 of 2 feature values are not in the log (no match): missing',
    ]);
    const kept = await read(log, { judgments, unjudged: 'keep' });
    expect([...kept.label()]).toEqual([3, Number.NaN, Number.NaN]);
    const strange = file('3 qid:log_entry1 # a\n');
    await expect(read(log, { judgments: strange })).rejects.toMatchObject({
      message: expect.stringContaining('query "q1" has no judgments; those of'),
    });
  });

  it.each([
    ['3 qid:q1 # a\nx qid:q1 # b\n', 'label-invalid', 2, 1],
    ['3 qid:q1 # a\n1 q1 # b\n', 'row-ragged', 2, 3],
    ['3 qid:q1 1:2 # a\n', 'row-ragged', 1, 10],
    ['3 qid:q1 #\n', 'row-ragged', 1, 10],
    ['3 qid:q1\n', 'row-ragged', 1, 9],
    ['3 qid:q1 # a\n2 qid:q1 # a\n', 'document-duplicate', 2, 10],
    ['# nothing\n', 'data-empty', undefined, undefined],
    ['q1 0 a\n', 'row-ragged', 1, 7],
  ])('refuse %j with %s', async (text, code, line, column) => {
    const judgments = file(text);
    const error = await read(log, { judgments }).catch(caught => caught);
    expect(error).toBeInstanceOf(ListwiseError);
    expect([error.code, error.place.line, error.place.column]).toEqual([code, line, column]);
  });

  it('are refused for data with labels of its own', async () => {
    const options = { format: 'svmlight', judgments: file(list) };
    await expect(readInputs([memoryInput('d', Buffer.from('1 qid:1 1:1\n'))], options)).rejects.toMatchObject({
      message: '`judgments` is for tables and feature logs, not for svmlight',
    });
  });
});

describe('any feature log', () => {
  const word = fc.string({ minLength: 1, maxLength: 6 }).filter(text => text !== 'extra_logging');
  const value = fc.option(fc.float({ noNaN: true, noDefaultInfinity: true }), { nil: undefined });
  const logs = fc
    .record({
      names: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
      queries: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
    })
    .chain(({ names, queries }) =>
      fc
        .tuple(
          ...queries.map(query =>
            fc
              .uniqueArray(word, { minLength: 1, maxLength: 4 })
              .chain(ids =>
                fc.tuple(...ids.map(id => fc.tuple(...names.map(() => value)).map(values => ({ query, id, values })))),
              ),
          ),
        )
        .map(lists => ({ names, documents: lists.flat() })),
    );

  it('comes back value for value, in every layout and in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 50 }), async ({ names, documents }, chunk) => {
        const responses = documents.map(({ query, id, values }) => ({
          hits: {
            hits: [
              {
                _id: id,
                fields: {
                  _ltrlog: [
                    {
                      [query]: names.map((name, f) => ({
                        name,
                        ...(values[f] === undefined ? {} : { value: values[f] }),
                      })),
                    },
                  ],
                },
              },
            ],
          },
        }));
        const layouts = [
          responses.map(one => JSON.stringify(one)).join('\n'),
          JSON.stringify({ responses }),
          JSON.stringify({ responses }, undefined, 1),
        ];
        for (const text of layouts) {
          const data = await readInputs([memoryInput('log', Buffer.from(text), chunk)], { format: 'ltrlog' });
          expect(data.featureNames).toEqual(names);
          expect(Array.from({ length: data.rows }, (_, row) => data.documentId(row))).toEqual(
            documents.map(({ id }) => id),
          );
          // JSON.stringify writes -0 as 0.
          const values = documents.flatMap((_, row) => names.map((__, f) => data.feature(row, f)));
          expect(values).toEqual(documents.flatMap(({ values }) => values.map(one => (one ?? Number.NaN) + 0)));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('that is damaged is read, or refused with a code and the file', async () => {
    const random = new Random(5);
    const judgments = file('3 qid:q1 # a\n1 qid:q1 # b\n0 qid:q2 # a\n');
    const text = [two, other].map(one => JSON.stringify(one)).join('\n');
    const bits = ['"', '{', '}', '[', ']', ',', ':', '0', '-', 'e9', 'null', '\n', 'q', '\u0000', '\ud800', 'é', ''];
    let refused = 0;
    for (let i = 0; i < 500; i++) {
      let damaged = text;
      for (let times = 1 + random.below(3); times > 0; times--) {
        const at = random.below(damaged.length);
        damaged = damaged.slice(0, at) + bits[random.below(bits.length)] + damaged.slice(at + random.below(4));
      }
      const error = await read(damaged, { judgments, unjudged: 'keep' }).then(
        () => undefined,
        caught => caught,
      );
      if (error === undefined) continue;
      refused++;
      if (!(error instanceof ListwiseError)) throw error;
      if (error.code !== 'data-empty') expect(error.place.file).toBe('log');
    }
    expect(refused).toBeGreaterThan(250);
  });
});

describe("scores of named queries, as Elasticsearch's own learning to rank has them", () => {
  const named = (id: string, matched_queries?: unknown) => ({
    _id: id,
    _score: 1,
    ...(matched_queries !== undefined && { matched_queries }),
  });
  const ofQuery = (qid: string, ...hits: unknown[]) => JSON.stringify({ qid, ...response(...hits) });

  it('are features; what did not match is missing, whichever document has it first', async () => {
    const text = [
      ofQuery('q1', named('a', { title: 1.5 }), named('b')),
      ofQuery('q2', named('a', { body: 4, title: 3 })),
    ].join('\n');
    expect(rows(await read(text))).toEqual([
      'q1 a NaN title=1.5 body=NaN',
      'q1 b NaN title=NaN body=NaN',
      'q2 a NaN title=3 body=4',
    ]);
  });

  it('need their query and their scores', async () => {
    await expect(read(JSON.stringify(response(named('a', { title: 1 }))))).rejects.toMatchObject({
      code: 'query-missing',
    });
    await expect(read(ofQuery('q1', named('a', ['title'])))).rejects.toThrow(/include_named_queries_score=true/);
  });
});
