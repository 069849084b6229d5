import { describe, expect, it } from 'vitest';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import type { ReadOptions } from '#listwise/data/readers/reader.js';
import { daysOf } from '#listwise/data/readers/tables/cell-dates.js';
import { globMatcher } from '#listwise/data/readers/tables/kinds.js';
import { failure, file } from './table-files.js';

const TABLE =
  'query_id,doc_id,label,price,colour,listed,title,fresh\n' +
  'q1,d1,1,3.5,red,2024-03-01,"A red, ""nice"" thing",true\n' +
  'q1,d2,0,N/A,blue,2024-03-01T12:00:00Z,Another,false\n' +
  'q2,d3,2,-,red,none,Third,TRUE\n';

async function read(options: ReadOptions, text = TABLE, name = 'a.csv') {
  const notes: string[] = [];
  const data = await readDataset(file(name, text), { ...options, note: text => notes.push(text) });
  return { data, notes };
}

describe('kinds of columns', () => {
  it('lists everything that is no number at once, with lines to paste', async () => {
    const found = await failure(file('a.csv', TABLE));
    expect(found).toMatchObject({ code: 'column-type', at: '2:13' });
    expect(found.message).toContain(
      '3 columns cannot be features: "colour" holds text such as "red", "listed" holds dates such as "2024-03-01", ' +
        '"title" holds text such as "A red, \\"nice\\" thing"; leave them out: `ignore: colour,listed,title`; ' +
        'or declare them: `categories: colour,title` `dates: listed`;',
    );
  });

  it('reads numbers, categories, dates and booleans, and leaves out what is ignored', async () => {
    const { data } = await read({ ignore: ['tit*'], categories: ['colour'], dates: ['listed'] });
    expect(data.featureNames).toEqual(['price', 'colour', 'listed', 'fresh']);
    expect([...data.column(0)]).toEqual([3.5, Number.NaN, Number.NaN]);
    expect([...data.column(1)]).toEqual([0, 1, 0]);
    expect([...data.column(2)]).toEqual([19783, 19783.5, Number.NaN]);
    expect([...data.column(3)]).toEqual([1, 0, 1]);
    expect(data.description).toEqual({
      schema: 'listwise/data/1',
      roles: { query: 'query_id', document: 'doc_id', labels: { label: 'label' } },
      kinds: { title: 'ignore', colour: 'category', listed: 'date' },
      missing: [],
      categories: { colour: ['red', 'blue'] },
    });
  });

  it('keeps only what is asked for, whatever the rest holds', async () => {
    const { data } = await read({ keep: ['price', 'fr*'] });
    expect(data.featureNames).toEqual(['price', 'fresh']);
  });

  it('does not look at columns that a file of features leaves out', async () => {
    const { data } = await read({ featureSubset: file('features.txt', 'fresh\nprice\n') });
    expect(data.featureNames).toEqual(['price', 'fresh']);
  });

  it('ignores columns that a model does not know, with one note', async () => {
    const { data, notes } = await read({ knownFeatures: ['fresh', 'price'], unlabelled: true });
    expect(data.featureNames).toEqual(['price', 'fresh']);
    expect(notes).toContain('ignored 3 columns that the model does not know: colour, listed, title');
  });

  it('reads as a description says, levels included, and counts other levels as missing', async () => {
    const { data: first } = await read({ ignore: ['title'], categories: ['colour'], dates: ['listed'] });
    const { data, notes } = await read(
      { description: first.description, unlabelled: true },
      'doc_id,query_id,colour,fresh,price,listed,title\nd,q,blue,0,1,2024-03-01,x\ne,q,green,0,1,,y\n',
    );
    expect([...data.column(data.featureNames.indexOf('colour'))]).toEqual([1, Number.NaN]);
    expect(notes).toContain('values of categories that the description does not list count as missing: "colour" (1)');
  });

  it('takes words of the user for missing values', async () => {
    const text = 'qid,label,x\nq,1,?\nq,0,5\n';
    expect((await failure(file('a.csv', text))).message).toMatch(/feature "x" is "\?".*`missing: '\?'`/);
    const { data } = await read({ missing: ['?'] }, text);
    expect([...data.column(0)]).toEqual([Number.NaN, 5]);
  });

  it('names every column with a value that is none in one error', async () => {
    const found = await failure(file('a.csv', 'qid,label,x,y\nq,1,1,1\nq,0,a,1\nq,0,1,b\n'));
    expect(found).toMatchObject({ code: 'feature-value-invalid', at: '3:5' });
    expect(found.message).toMatch(/feature "x" is "a"; it must be a number.*; so must "y" \("b"\)/);
  });

  it('refuses names that are no columns, and kinds for files without columns', async () => {
    expect((await failure(file('a.csv', TABLE), { ignore: ['titel'] })).message).toMatch(
      /`ignore` names "titel".*did you mean "title"\?/,
    );
    expect((await failure(file('a.txt', '1 qid:1 1:2\n'), { dates: ['1'] })).message).toMatch(/`dates` is for tables/);
  });

  it('refuses a date that is none, and a category that is an id', async () => {
    const wrong = await failure(file('a.csv', 'qid,label,d\nq,1,2024-01-01\nq,1,2024-02-30\n'), { dates: ['d'] });
    expect(wrong).toMatchObject({ code: 'feature-value-invalid', at: '3:5' });
    const rows = Array.from({ length: 70_000 }, (_, i) => `q,1,c${i}\n`);
    const many = await failure(file('a.csv', `qid,label,c\n${rows.join('')}`), { categories: ['c'] });
    expect(many.message).toMatch(/more than 65535 different values.*`ignore: c`/);
  });

  it('reads the same kinds from JSON lines', async () => {
    const { data } = await read(
      { categories: ['c'], dates: ['d'] },
      '{"qid":1,"label":1,"c":"x\\n","d":"1970-01-02","n":"N/A"}\n{"qid":1,"label":0,"c":7,"d":null,"n":2}\n',
      'a.jsonl',
    );
    expect([...data.column(0), ...data.column(1), ...data.column(2)]).toEqual([0, 1, 1, Number.NaN, Number.NaN, 2]);
    expect(data.description!.categories).toEqual({ c: ['x\n', '7'] });
  });
});

describe('numbered files', () => {
  const text = '1 qid:1 1:2 2:3 3:4\n0 qid:1 1:5\n';

  it('leave out features by number, and have the names of a description', async () => {
    const { data } = await read({ ignore: ['2'] }, text, 'a.txt');
    expect(data.featureNames).toEqual(['1', '3']);
    expect([...data.column(1)]).toEqual([4, 0]);
    const description = { schema: 'listwise/data/1', roles: {}, kinds: {}, missing: [], categories: {} } as const;
    const named = await read({ description: { ...description, names: ['bm25', 'age'] }, keep: ['a*'] }, text, 'a.txt');
    expect(named.data.featureNames).toEqual(['age']);
  });
});

describe('columns that could have a role', () => {
  it('asks which of several is meant, naming all', async () => {
    const found = await failure(file('a.csv', 'query,query_id,label,x\nshoes,1,1,2\n'));
    expect(found.code).toBe('column-unknown');
    expect(found.message).toMatch(
      /"query" and "query_id" are both names for the query; say which with `queryColumn: query` or `queryColumn: query_id`/,
    );
    const labels = await failure(file('a.csv', 'qid,label,relevance\nq,1,2\n'));
    expect(labels.message).toMatch(/"label" and "relevance".*`labelColumns: label` or `labelColumns: relevance`/);
    const ignored = await read({ ignore: ['query'] }, 'query,query_id,label,x\nshoes,1,1,2\n');
    expect(ignored.data.queryIds).toEqual(['1']);
  });

  it('notes features whose names say that they are ids or labels, once nobody has decided', async () => {
    const text = 'qid,query,label,grade,x\n1,7,1,1,1\n';
    const roles = { queryColumn: 'qid', labelColumns: [{ name: 'label', column: 'label' }] };
    const { notes } = await read(roles, text);
    expect(notes.filter(note => note.includes('is taken as a feature'))).toEqual([
      expect.stringMatching(/^"query".*id.*`ignore: query`$/),
      expect.stringMatching(/^"grade".*label.*`ignore: grade`$/),
    ]);
    const decided = await read({ ...roles, keep: ['query', 'x'] }, text);
    expect(decided.notes.filter(note => note.includes('is taken as a feature'))).toEqual([]);
  });
});

describe('whole numbers beyond 2^24', () => {
  it('are noted with the feature and the largest error; ids stay as they are written', async () => {
    const text =
      'qid,docid,label,small,user\n980572185794657840,980572185794657841,1,16777216,980572185794657840\n' +
      '980572185794657840,2,1,0.1,16777217\n';
    const { data, notes } = await read({}, text);
    expect(data.queryIds).toEqual(['980572185794657840']);
    expect(data.documentId(0)).toBe('980572185794657841');
    expect(notes.at(-1)).toMatch(/"user" by up to 2\.\d+e10?|"user" by up to \d+; .*`ignore: user`/);
    expect(notes.at(-1)).not.toContain('small');
    const ids = await read({}, '{"qid":980572185794657840,"label":1,"x":1}\n', 'a.jsonl');
    expect(ids.data.queryIds).toEqual(['980572185794657840']);
  });
});

it('times that days in float32 do not hold are noted with the largest error', async () => {
  const text = 'qid,label,day,at\n1,1,2024-01-02,2024-01-02T03:07:00Z\n1,0,2024-01-03,2024-01-02T03:08:00Z\n';
  const { notes } = await read({ dates: ['day', 'at'] }, text);
  expect(notes.at(-1)).toMatch(/^dates are 32-bit numbers of days, which round times: "at" by up to \d\d s; /);
});

describe('judgments beside a table', () => {
  const features = 'search,item,x\ns1,a,1\ns1,b,2\ns2,a,3\ns2,c,4\n';
  const qrels = file('qrels.txt', 's1 0 a 2\ns1 0 b 0\ns2 0 a 1\n');
  const columns = { queryColumn: 'search', documentColumn: 'item', judgments: qrels };

  it('are its labels; documents without one are refused, dropped or kept', async () => {
    const refused = await failure(file('a.csv', features), columns);
    expect(refused).toMatchObject({ code: 'judgment-missing', at: '5:4' });
    const dropped = await read({ ...columns, unjudged: 'drop' }, features);
    expect([...dropped.data.label()]).toEqual([2, 0, 1]);
    expect([...dropped.data.column(0)]).toEqual([1, 2, 3]);
    expect([0, 1, 2].map(row => dropped.data.documentId(row))).toEqual(['a', 'b', 'a']);
    expect(dropped.notes).toContain('1 document without a judgment, left out: s2 c');
    const kept = await read({ ...columns, unjudged: 'keep' }, features);
    expect([...kept.data.label()]).toEqual([2, 0, 1, Number.NaN]);
  });

  it('may be a table with other names, and replace a label of the table', async () => {
    const table = file('judged.csv', 'qid,docid,grade\ns1,a,3\ns1,b,1\n');
    const { data, notes } = await read({ ...columns, judgments: table }, 'search,item,label,x\ns1,a,0,1\ns1,b,0,2\n');
    expect([...data.label()]).toEqual([3, 1]);
    expect(data.featureNames).toEqual(['x']);
    expect(notes.join()).toMatch(/column "label" is left out: labels are those of .*judged\.csv/);
  });

  it('need ids of documents', async () => {
    const found = await failure(file('a.csv', 'search,x\ns1,1\n'), { queryColumn: 'search', judgments: qrels });
    expect(found.message).toMatch(/`documentColumn: COLUMN`/);
  });
});

describe('further columns', () => {
  it('are kept as texts in the order of the rows, and are features only where that is said', async () => {
    const text = 'qid,label,country,x\nq1,1,DE,1\nq2,0,FR,2\nq1,0,DE,3\n';
    const { data } = await read({ extraColumns: ['country'] }, text);
    expect(data.featureNames).toEqual(['x']);
    expect([0, 1, 2].map(row => data.extras!.get('country')!.get(row))).toEqual(['DE', 'DE', 'FR']);
    const both = await read({ extraColumns: ['country'], categories: ['country'] }, text);
    expect(both.data.featureNames).toEqual(['country', 'x']);
  });
});

it.each([
  ['1970-01-01', 0],
  ['1969-12-31', -1],
  ['2000-02-29', 11016],
  ['1970/1/2', 1],
  ['1970-01-01 06:00', 0.25],
  ['1970-01-01T00:00:00+06:00', -0.25],
  ['1970-01-01T12:00:00.000Z', 0.5],
  ['0099-01-01', -683368],
  ['1999-02-29', undefined],
  ['2024-13-01', undefined],
  ['yesterday', undefined],
  ['20240101', undefined],
])('%s is day %s', (text, day) => {
  expect(daysOf(text)).toBe(day);
});

it('globs match whole names, and no other character is special', () => {
  expect(['a.b', 'axb', 'a.bc'].map(globMatcher('a.b'))).toEqual([true, false, false]);
  expect(['f1', 'f12', 'g1', 'f'].map(globMatcher('f*'))).toEqual([true, true, false, true]);
  expect(['f1', 'f12', 'f(1'].map(globMatcher('f?'))).toEqual([true, false, false]);
});
