/** Data that ranks read in parts is what one process reads: the same model, and the same to say of it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary.js';
import { type Ended, listwise, unlessThere, withoutOpenMpi } from './mpirun.js';

interface Case {
  readonly files: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** What both must say. */
  readonly says?: readonly RegExp[];
}

/** Documents of queries, their number by query; `columns` has the features of a document. */
function lines(
  queries: readonly (readonly [string, number])[],
  columns: (row: number) => string,
  { id = false } = {},
): string {
  let row = 0;
  const documents = queries.flatMap(([query, count]) =>
    Array.from({ length: count }, () => {
      row++;
      return `${(row * 7) % 3} qid:${query} ${columns(row)}${id ? ` # d${row}` : ''}\n`;
    }),
  );
  return documents.join('');
}

const values = (row: number) => `1:${(row * 37) % 101} 2:${(row * 13) % 17}`;
const queries = (prefix: string, count: number, documents = 6) =>
  Array.from({ length: count }, (_, q) => [`${prefix}${q}`, documents] as const);
const few = ['--threads', '1', '--seed', '2', '--set', 'trees=3', '--set', 'leaves=4', '--set', 'min-documents=2'];

/** Tables of a category and two numbers, with so many rows each. */
function tables(rows: (part: number) => number): Record<string, string> {
  const row = (name: string, part: number, i: number) =>
    `${name}${Math.floor(i / 6)},${(i * 7) % 3},${(i * 37) % 101},${(i * 13) % 17},shop ${(i * (part + 2)) % 5}\n`;
  const table = (name: string, part: number) =>
    `query,label,size,depth,shop\n${Array.from({ length: rows(part) }, (_, i) => row(name, part, i)).join('')}`;
  return Object.fromEntries(['a', 'b', 'c'].map((name, part) => [`${name}.csv`, table(name, part)]));
}

const cases: Readonly<Record<string, Case>> = {
  'shards of which one is empty and one has comments only': {
    files: {
      'a.txt': '',
      'b.txt': lines(queries('b', 30), values),
      'c.txt': '# nothing\n',
      'd.txt': lines(queries('d', 20), values, { id: true }),
    },
    words: ['[a-d].txt', ...few],
    says: [/of 50 queries are held out/],
  },
  'fewer queries than ranks, and one to select by': {
    files: { 'two.txt': lines(queries('q', 2), values), 'one.txt': lines(queries('v', 1), values) },
    words: ['two.txt', '--validate', 'one.txt', ...few, '--refit'],
  },
  'weights of queries, of which some have one document': {
    files: {
      'a.txt': lines(queries('a', 30), values),
      'a.txt.weight': '2\n1\n3\n'.repeat(10),
      'b.txt': lines(queries('b', 9, 1), values),
      'b.txt.weight': '2\n1\n3\n'.repeat(3),
      'c.txt': lines(queries('c', 12), values),
      'c.txt.weight': '5\n1\n'.repeat(6),
    },
    words: ['[a-c].txt', ...few],
    says: [/a\.txt\.weight, b\.txt\.weight, c\.txt\.weight: took one weight a query/],
  },
  'what parts of the data have to say': {
    files: {
      'a.txt': lines(queries('a', 20), row => `${values(row)} 3:${(row * 7) % 3} 5:4`),
      'b.txt': lines(queries('b', 20), row => `${values(row)} 3:${(row * 7) % 3} 4:${16777217 + 2 * row} 5:4`),
      'c.txt': lines([['c1', 5], ['c2', 5], ['c1', 4], ...queries('c', 9).slice(3)], row => {
        return `${values(row)} 3:${(row * 7) % 3} 5:${row === 3 ? 16777219 : 4}`;
      }),
      'validate.txt': lines([...queries('b', 3), ...queries('v', 9)], values),
    },
    words: ['[a-c].txt', '--validate', 'validate.txt', '--fill-features', ...few],
    says: [
      /rows of 1 query were not adjacent/,
      /round whole numbers beyond 2\^24: "4" by up to 1, "5" by up to 1/,
      /1 feature equal to the label "label" of every document: "3"/,
      /3 of 12 validation queries have the id of a training query: "b0", "b1", "b2"/,
    ],
  },
  'validation data that is the training data, cut in other places': {
    files: {
      'a.txt': lines(queries('a', 20), values),
      'b.txt': lines(queries('b', 40), values),
      'c.txt': lines(queries('c', 4), values),
      'all.txt': ['a', 'b', 'c'].map((name, i) => lines(queries(name, [20, 40, 4][i]!), values)).join(''),
    },
    words: ['[a-c].txt', '--validate', 'all.txt', ...few],
    says: [/the validation data is the training data/],
  },
  'tables, of which one has no rows': {
    files: tables(part => (part === 1 ? 0 : 90)),
    words: ['[a-c].csv', '--ignore', 'shop', ...few],
  },
  'levels of categories, each table in an order of its own': {
    files: tables(() => 90),
    words: ['[a-c].csv', '--category', 'shop', '--normalise', 'sum', ...few],
  },
  'levels of which the description knows some, and of another category none': {
    files: {
      ...tables(() => 90),
      'described.json': JSON.stringify({
        schema: 'listwise/data/1',
        data: ['a.csv', 'b.csv', 'c.csv'],
        roles: { query: 'query', labels: { label: 'label' } },
        kinds: { shop: 'category', depth: 'category' },
        missing: [],
        categories: { shop: ['shop 4', 'shop 1'] },
      }),
    },
    words: ['described.json', ...few],
    says: [/categories that the description does not list count as missing: "shop" \(\d+\)/],
  },
  'one table, cut between queries': {
    files: { 'a.csv': tables(() => 300)['a.csv']! },
    words: ['a.csv', '--category', 'shop', ...few],
  },
  'tables with semicolons, quotes and line ends of Windows, fewer than ranks': {
    files: Object.fromEntries(
      ['a', 'b'].map(name => {
        const row = (i: number) =>
          `${(i * 7) % 3};"${(i * 37) % 101}";${i % 2 === 0 ? `"${name}${Math.floor(i / 6)}"` : `${name}${Math.floor(i / 6)}`}\r\n`;
        const rows = Array.from({ length: 150 }, (_, i) => row(i));
        return [`${name}.csv`, `\ufefflabel;"a ""size""";query\r\n${rows.join('')}`];
      }),
    ),
    words: ['[ab].csv', ...few],
  },
  'a table in which lines within quotes look like rows': {
    files: {
      'a.csv': `query,label,size,text\n${Array.from({ length: 90 }, (_, i) => {
        return `q${Math.floor(i / 6)},${(i * 7) % 3},${(i * 37) % 101},"${`\n${i},1,2,3`.repeat(40)}\n"\n`;
      }).join('')}`,
    },
    words: ['a.csv', '--ignore', 'text', ...few],
  },
  'a table with rows of one query far apart': {
    files: { 'a.csv': `${tables(() => 120)['a.csv']}a0,1,3,4,shop 1\n` },
    words: ['a.csv', '--ignore', 'shop', ...few],
    says: [/not adjacent/],
  },
  'features that are named and chosen, of which one shard has all': {
    files: {
      'a.txt': lines(queries('a', 20), row => `1:${row % 7}`),
      'b.txt': lines(queries('b', 20), values),
      'c.txt': lines(queries('c', 20), row => `${values(row)} 4:${row % 5}`),
      'names.json': JSON.stringify({
        schema: 'listwise/data/1',
        data: '[a-c].txt',
        roles: {},
        kinds: { price: 'ignore' },
        missing: [],
        categories: {},
        names: ['size', 'price', 'none', 'depth'],
      }),
      'kept.features': 'depth\nsize\n',
    },
    words: ['names.json', '--features', 'kept.features', '--normalise', 'zscore', ...few],
  },
};

describe.skipIf(withoutOpenMpi !== undefined)(`parts of the data${unlessThere(withoutOpenMpi)}`, () => {
  it.each(Object.keys(cases))(
    'are read as by one process: %s',
    async name => {
      const { files, words, says = [] } = cases[name]!;
      const cwd = join(temporaryDirectory(), 'data');
      mkdirSync(cwd);
      for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
      const one = await listwise(0, ['train', ...words, '--out', 'one.json'], { cwd });
      const three = await listwise(3, ['train', ...words, '--out', 'three.json'], { cwd });
      for (const text of says) expect(one.stderr).toMatch(text);
      expect(one.code).toBe(0);
      // How long it took is the machine's to say, and differs.
      const said = ({ stderr }: Ended) => stderr.replace(/^3 ranks \(.*\n/m, '').replace(/, [\d.]+ s\)/, ', … s)');
      expect(said(three)).toBe(said(one));
      expect(readFileSync(join(cwd, 'three.json'), 'utf8')).toBe(readFileSync(join(cwd, 'one.json'), 'utf8'));
    },
    240_000,
  );

  it('with weights of documents in one place and of queries in another are refused', async () => {
    const cwd = temporaryDirectory();
    for (const name of ['a', 'b']) writeFileSync(join(cwd, `${name}.txt`), lines(queries(name, 4), values));
    writeFileSync(join(cwd, 'a.txt.weight'), '1\n'.repeat(24));
    writeFileSync(join(cwd, 'b.txt.weight'), '1\n'.repeat(4));
    const { stderr, code } = await listwise(2, ['train', '*.txt', '--out', 'x.json'], { cwd });
    expect(stderr).toContain('28 weights for 48 documents in 8 queries; there must be one a document or one a query');
    expect(code).toBe(2);
  }, 240_000);

  it('without a document anywhere are refused, with the words of one process', async () => {
    const cwd = temporaryDirectory();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(cwd, `${name}.txt`), '# none\n');
    const words = ['train', '*.txt', '--out', 'x.json'];
    const [one, three] = await Promise.all([listwise(0, words, { cwd }), listwise(3, words, { cwd })]);
    expect(one.stderr).toMatch(/no documents/);
    expect(three.stderr).toContain(one.stderr.trim());
    expect(three.code).toBe(2);
  }, 240_000);
});
