import { describe, expect, it } from 'vitest';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { failure, file } from './table-files.js';

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

  it('tells keys that differ in case apart, and knows a key however it is written', async () => {
    const data = await readDataset(
      file('a.jsonl', '{"qid":1,"label":1,"x":1,"X":2}\n{"X":3,"\\u0078":4,"label":0,"qid":1}\n'),
    );
    expect(data.featureNames).toEqual(['x', 'X']);
    expect([...data.column(0), ...data.column(1)]).toEqual([1, 4, 2, 3]);
  });

  /** Rows of which the last has another key. */
  const withLate = (key: string) => {
    const rows = Array.from(
      { length: 30_000 },
      (_, i) => `{"qid":${i >> 5},"label":0${i === 29_999 ? `,"${key}":7` : ''}}`,
    );
    return file('a.ndjson', rows.join('\n'));
  };

  it('finds keys that appear late', async () => {
    const data = await readDataset(withLate('late'));
    expect(data.featureNames).toEqual(['late']);
    expect(data.feature(29_999, 0)).toBe(7);
    expect(data.feature(0, 0)).toBeNaN();
  });

  it('takes no late key for a feature that is another name of a role', async () => {
    const late = withLate('relevance');
    await expect(readDataset(late)).rejects.toMatchObject({
      code: 'column-unknown',
      message: expect.stringContaining('"label" and "relevance" are both names for the label'),
    });
    const notes: string[] = [];
    const labelColumns = [{ name: 'label', column: 'label' }];
    const data = await readDataset(late, { labelColumns, note: note => notes.push(note) });
    expect(data.featureNames).toEqual(['relevance']);
    expect(notes.join()).toContain('"relevance" is taken as a feature; if it is a label');
    expect((await readDataset(withLate('served_score'))).featureNames).toEqual([]);
  });

  it.each<[string, string, string, string | undefined, RegExp]>([
    ['a broken object', '{"qid":1,"label":1}\n\n{"qid":1,\n', 'table-syntax', '3:10', /not a JSON object/],
    ['two objects on a line', '{"qid":1,"label":1} {"qid":2,"label":1}\n', 'table-syntax', '1:21', /not a JSON object/],
    ['more behind NaN', '{"qid":1,"label":1,"x":NaN.5}\n', 'table-syntax', '1:24', /not a JSON object/],
    ['an array', '[{"qid":1,"label":1}]\n', 'table-syntax', '1:1', /one JSON object, found/],
    ['a number', '{"qid":1,"label":1}\n5\n', 'table-syntax', '2:1', /one JSON object, found "5"/],
    [
      'a key twice',
      '{"qid":1,"label":1}\n{"qid":1,"label":1,"x":1,"x":2}\n',
      'feature-duplicate',
      '2:26',
      /the key "x" twice/,
    ],
    [
      'a feature that is a text',
      '{"qid":1,"label":1,"x":1}\n{"qid":1,"label":1,"x":"2"}\n',
      'feature-value-invalid',
      '2:24',
      /"2"/,
    ],
    [
      'a nested feature',
      '{"qid":1,"label":1,"x":1}\n{"qid":1,"label":1,"x":[2]}\n',
      'feature-value-invalid',
      '2:24',
      /"\[2\]"/,
    ],
    [
      'a number too large',
      '{"qid":1,"label":1,"x":1}\n{"qid":1,"label":1,"x":1e999}\n',
      'feature-value-invalid',
      '2:24',
      /1e999/,
    ],
    ['no query', '{"qid":null,"label":1}\n', 'query-missing', '1:8', /names no query/],
    ['no query, as Python writes it', '{"qid":NaN,"label":1}\n', 'query-missing', '1:8', /names no query/],
    ['a key left out', '{"qid":1,"label":1}\n {"label":1}\n', 'query-missing', '2:12', /names no query/],
    ['a value behind wide letters', '{"qid":1,"ö":1,"label":[]}\n', 'column-type', '1:25', /text such as/],
    ['nothing', '\n', 'data-empty', undefined, /empty/],
  ])('refuses %s', async (_, content, code, at, words) => {
    const found = await failure(file('a.jsonl', content));
    expect(found).toEqual({ code, message: expect.stringMatching(words), ...(at === undefined ? {} : { at }) });
  });
});
