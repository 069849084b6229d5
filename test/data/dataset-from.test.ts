import { describe, expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import type { ColumnChoice } from '#listwise/data/dataset-from.js';
import { fingerprint } from '#listwise/data/fingerprint.js';
import { readInputs } from '#listwise/data/read/read.js';
import { memoryInput } from '#listwise/io/inputs.js';

const rows = [
  { q: 'shoes', id: 'a1', grade: 2, clicks: 7, shown: 1, price: 80, brand: 'Acme', stock: true, since: '2024-01-31' },
  { q: 'hats', id: 'c3', grade: 1, clicks: 0, shown: 1, price: null, brand: 'N/A', stock: false, since: '2024-02-01' },
  { q: 'shoes', id: 'b7', grade: 0, clicks: 1, shown: 2, price: 120.5, brand: 'Zenith', stock: true, since: '' },
];
const choice = {
  query: 'q',
  document: 'id',
  label: 'grade',
  labels: { clicks: 'clicks' },
  position: 'shown',
  categories: ['brand'],
  dates: ['since'],
};
const columns = Object.fromEntries(
  Object.keys(rows[0]!).map(name => [name, rows.map(row => row[name as keyof typeof row])]),
);

describe('Dataset.from', () => {
  it('takes rows and columns alike, as if they were read from a table', async () => {
    const notes: string[] = [];
    const fromRows = Dataset.from(rows, { ...choice, note: text => notes.push(text) });
    const file = [memoryInput('rows.jsonl', Buffer.from(rows.map(row => JSON.stringify(row)).join('\n')))];
    const readNotes: string[] = [];
    const read = await readInputs(file, {
      queryColumn: 'q',
      documentColumn: 'id',
      labelColumns: [
        { name: 'label', column: 'grade' },
        { name: 'clicks', column: 'clicks' },
      ],
      positionColumn: 'shown',
      categories: ['brand'],
      dates: ['since'],
      note: text => readNotes.push(text),
    });
    expect(fingerprint(fromRows)).toBe(fingerprint(read));
    expect(fromRows.description).toEqual(read.description);
    expect(notes).toEqual(readNotes);
    expect(notes).toEqual(['rows of 1 query were not adjacent and were grouped']);
    expect(fingerprint(Dataset.from(columns, choice))).toBe(fingerprint(read));
    expect(fromRows.featureNames).toEqual(['price', 'brand', 'stock', 'since']);
    expect(fromRows.documentId(1)).toBe('b7');
  });

  it('recognises columns by their names, and has typed arrays as columns', () => {
    const data = Dataset.from({ qid: ['1', '1'], label: [1, 0], x: Float32Array.of(0.5, 1.5) });
    expect(data.featureNames).toEqual(['x']);
    expect([...data.column(0)]).toEqual([0.5, 1.5]);
  });

  it('keeps ids as text', () => {
    const data = Dataset.from([{ qid: 980572185794657840n, docid: 17, label: 1, x: 1 }]);
    expect(data.queryIds).toEqual(['980572185794657840']);
    expect(data.documentId(0)).toBe('17');
  });

  it('has a missing value where a row lacks a column', () => {
    const data = Dataset.from([
      { qid: 'a', label: 1, x: 1 },
      { qid: 'a', label: 0, y: 2 },
    ]);
    expect([...data.column(0), ...data.column(1)]).toEqual([1, Number.NaN, Number.NaN, 2]);
  });

  it.each([
    ['label-invalid', 'row 2: label "label" in column "grade" is "good"', [{}, { grade: 'good' }]],
    ['query-missing', 'row 1: column "q" names no query', [{ q: undefined }]],
    ['feature-value-invalid', 'row 2: feature "price" is "cheap"', [{}, { price: 'cheap' }]],
    ['feature-value-invalid', 'row 2: feature "price" is "Infinity"', [{}, { price: Infinity }]],
    ['column-type', 'column "brand" holds text such as "Acme"', [{ brand: 'Acme' }], { categories: [] }],
    ['value-invalid', 'row 1: the id in column "id" is 980572185794657800', [{ id: 980572185794657800 }]],
    ['column-unknown', 'no column "nobody" to take as query', [{}], { query: 'nobody' }],
    ['data-empty', 'there are no rows', []],
  ])('refuses with %s: %s', (code, message, changes, changed: ColumnChoice = {}) => {
    const given = changes.map(change => ({ q: 'a', id: 'd', grade: 1, price: 1, ...change }));
    const { query, document, label } = choice;
    let error: unknown;
    try {
      Dataset.from(given, { query, document, label, ...changed });
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code });
    expect(String(error)).toContain(message);
  });

  it('refuses columns of different lengths', () => {
    expect(() => Dataset.from({ qid: ['1', '1'], label: [1] })).toThrow(
      'column "label" has 1 values and column "qid" 2',
    );
  });

  it('names its options as it takes them', () => {
    expect(() => Dataset.from([{ x: 1, label: 1 }])).toThrow('`query: COLUMN`');
  });
});
