/** A table as a shop has it, from the first look to scores of other data. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary.js';
import { examples, run } from './run.js';

const directory = temporaryDirectory();
const at = (name: string) => join(directory, name);
const roles = ['--query-col', 'query_id', '--doc-col', 'sku'];
const kinds = ['--ignore', 'query,title,country', '--category', 'brand', '--date', 'listed'];

async function listwise(...args: string[]) {
  const { code, stdout, stderr } = await run(args, { cwd: directory });
  return { code, stdout, stderr };
}

beforeAll(async () => {
  copyFileSync(join(examples, 'shop.csv'), at('shop.csv'));
  // Other data: columns in another order, a column more, an unknown brand, no label.
  const [, ...rows] = readFileSync(at('shop.csv'), 'utf8').trim().split('\n');
  const fields = rows.map(row => /^"[^"]*",(\d+),([^,]+),\d,([\d.]+),([^,]+),([-\d]+)/.exec(row)!.slice(1));
  const lines = fields.map(([query, sku, price, brand, listed], i) =>
    [i === 0 ? 'new' : brand, sku, query, 'text', price, listed].join(';'),
  );
  writeFileSync(at('new.csv'), `brand;sku;query_id;note;price;listed\n${lines.join('\n')}\n`);
  expect((await listwise('inspect', 'shop.csv', ...roles, ...kinds, '--describe', 'shop.json')).code).toBe(0);
  expect((await listwise('train', 'shop.json', '--set', 'trees=5', '--out', 'model.json', '--dir', 'run')).code).toBe(
    0,
  );
});

describe('a table as it is', () => {
  it('asks for the query, then names all columns that are no numbers with flags to paste', async () => {
    const first = await listwise('inspect', 'shop.csv');
    expect(first).toMatchObject({ code: 2, stderr: expect.stringMatching(/"query" and "query_id".*--query-col/) });
    const second = await listwise('inspect', 'shop.csv', '--query-col', 'query_id', '--doc-col', 'sku');
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(
      /--ignore query,brand,listed,title,country;.*--category query,brand,title,country --date listed/,
    );
  });

  it('is described in a file that stands for it, with relative names', () => {
    const description = JSON.parse(readFileSync(at('shop.json'), 'utf8'));
    expect(description).toMatchObject({
      schema: 'listwise/data/1',
      data: 'shop.csv',
      roles: { query: 'query_id', document: 'sku', labels: { label: 'label' } },
      kinds: { title: 'ignore', brand: 'category', listed: 'date' },
      categories: { brand: expect.arrayContaining(['acme', 'zeta', 'öre']) },
    });
  });

  it('is read by flags as by its description', async () => {
    const inspected = async (...args: string[]) => (await listwise('inspect', ...args, '--json')).stdout;
    const byFlags = await inspected('shop.csv', ...roles, ...kinds);
    expect(await inspected('shop.json')).toBe(byFlags);
    expect(await inspected('shop.csv', '--data-description', 'shop.json')).toBe(byFlags);
  });

  it('is remembered by the model and the run folder: other data needs no flags', async () => {
    const model = JSON.parse(readFileSync(at('model.json'), 'utf8'));
    const { data: _, ...description } = JSON.parse(readFileSync(at('shop.json'), 'utf8'));
    expect(model.data).toEqual(description);
    expect(JSON.parse(readFileSync(at('run/data.json'), 'utf8'))).toEqual(description);
    const old = await listwise('score', 'model.json', 'shop.csv');
    const other = await listwise('score', 'model.json', 'new.csv');
    expect(other.code).toBe(0);
    expect(other.stdout.split('\n').slice(1)).toEqual(old.stdout.split('\n').slice(1));
    expect(other.stderr).toMatch(/ignored 1 column that the model does not know: note/);
    expect(other.stderr).toMatch(/count as missing: "brand" \(1\)/);
  });

  it.each([
    ['importance', ['model.json', 'shop.csv', '--repeats', '1']],
    ['optimality', ['model.json', 'shop.csv', '--directions', '2']],
    ['approximation', ['model.json', 'shop.csv', '--objective', 'approx(ndcg)']],
    ['why', ['model.json', 'model.json', 'shop.csv', '--query', '100']],
    ['field', ['shop.csv', 'model.json', '--queries', '1']],
    ['queries', ['shop.csv', '--system', 'a=model.json']],
  ])('analyse %s reads data as the model remembers it', async (name, args) => {
    const { code, stderr } = await listwise('analyse', name, ...args, '--quiet');
    expect([code, stderr]).toEqual([0, '']);
  });

  it('a model remembers that features were normalised', async () => {
    const settings = ['--normalise', 'zscore', '--set', 'trees=4', '--quiet'];
    await listwise('train', 'shop.json', ...settings, '--out', 'normal.json');
    await listwise('train', 'shop.json', ...settings.slice(2), '--out', 'plain.json');
    const scores = async (model: string, ...more: string[]) =>
      (await listwise('score', model, 'shop.csv', ...more)).stdout;
    expect(await scores('normal.json')).toBe(await scores('normal.json', '--normalise', 'zscore'));
    expect(await scores('normal.json')).not.toBe(await scores('normal.json', '--normalise', 'sum'));
    expect((await listwise('inspect', 'normal.json')).stdout).toMatch(/^normalised +within each query: zscore$/m);
    const other = await listwise('score', 'normal.json', 'shop.csv', '--normalise', 'sum');
    expect(other.stderr).toContain('features are normalised as asked (sum), though the description says zscore');
    const exported = await listwise('convert', 'normal.json', 'normal.txt', '--to', 'lightgbm');
    expect([exported.code, exported.stderr]).toEqual([
      2,
      expect.stringContaining('features are normalised within each query (zscore)'),
    ]);
    expect((await listwise('convert', 'plain.json', 'plain.txt', '--to', 'lightgbm', '--lossy')).code).toBe(0);
  });

  it('segments are in the CSV, too', async () => {
    const by = ['evaluate', 'model.json', 'shop.csv', '--by', 'country', '-m', 'ndcg@5,ap'];
    const { segments } = JSON.parse((await listwise(...by, '--json')).stdout).by;
    const [head, ...lines] = (await listwise(...by, '--csv')).stdout.trim().split('\n');
    expect(head).toBe('country,measure,mean,low,high,queries');
    expect(lines.slice(0, 2).map(line => line.split(',').slice(0, 2))).toEqual([
      ['(all)', 'ndcg@5'],
      ['(all)', 'ap'],
    ]);
    const [{ value, measure, mean, ci, queries }] = segments;
    expect(lines[2]).toBe([value, measure, mean, ...ci, queries].join());
    expect(lines).toHaveLength(2 + segments.length);
    const perQuery = await listwise(...by, '--per-query', '--csv');
    expect(perQuery.stdout).toMatch(/^query,ndcg@5,ap,country\n[^,]+,[\d.]+,[\d.]+,(DE|FR|US)\n/);
    const [first] = JSON.parse((await listwise(...by, '--per-query', '--json')).stdout).perQuery;
    expect(first.segment).toMatch(/^(DE|FR|US)$/);
  });

  it('has values by segment, with counts and intervals', async () => {
    const { code, stdout } = await listwise(
      'evaluate',
      'model.json',
      'shop.csv',
      '-m',
      'ndcg@3',
      '--by',
      'country',
      '--json',
    );
    expect(code).toBe(0);
    const { by, measures } = JSON.parse(stdout);
    expect(by.column).toBe('country');
    expect(by.segments.map((segment: { value: string; queries: number }) => [segment.value, segment.queries])).toEqual([
      ['DE', 4],
      ['FR', 4],
      ['US', 4],
    ]);
    const mean = by.segments.reduce((sum: number, segment: { mean: number }) => sum + segment.mean / 3, 0);
    expect(mean).toBeCloseTo(measures[0].mean, 12);
    expect(by.segments[0].ci[0]).toBeLessThanOrEqual(by.segments[0].mean);
    const compared = await listwise(
      'compare',
      'shop.csv',
      '--system',
      'a=model.json',
      '--system',
      'b=model.json',
      '--by',
      'country',
    );
    expect(compared.stdout).toMatch(/^country +measure +a - b/);
    expect(compared.stdout).toContain('The 9 intervals are 95 % each, not for all of them together.');
    const within = await listwise('evaluate', 'model.json', 'shop.csv', '--by', 'price');
    expect(within).toMatchObject({ code: 2, stderr: expect.stringMatching(/column "price" is .* in query/) });
  });

  it('is split in the order of times, and by groups', async () => {
    writeFileSync(
      at('days.csv'),
      `qid,label,x,day,shop\n${[3, 1, 4, 2].map(q => `q${q},1,${q},2024-01-0${q},${q % 2 ? 'odd' : 'even'}\n`).join('')}`,
    );
    const days = await listwise(
      'convert-data',
      'days.csv',
      'd.csv',
      '--ignore',
      'shop',
      '--split',
      '0.5,0.5',
      '--split-by',
      'day',
    );
    expect(days.stderr).toMatch(/in its order/);
    expect(readFileSync(at('d.train.csv'), 'utf8')).toBe('qid,label,x\nq1,1,1\nq2,1,2\n');
    expect(readFileSync(at('d.test.csv'), 'utf8')).toBe('qid,label,x\nq3,1,3\nq4,1,4\n');
    await listwise('convert-data', 'days.csv', 'g.csv', '--ignore', 'day', '--split', '0.5,0.5', '--split-by', 'shop');
    const parts = ['g.train.csv', 'g.test.csv'].map(name => readFileSync(at(name), 'utf8'));
    expect(parts.sort()).toEqual(['qid,label,x\nq3,1,3\nq1,1,1\n', 'qid,label,x\nq4,1,4\nq2,1,2\n'].sort());
  });

  it('is converted and inspected with the numbers that are in the file', async () => {
    writeFileSync(at('big.csv'), 'qid,label,user,brand\n1,1,980572185794657840,acme\n1,0,980572185794657841,zeta\n');
    const converted = await listwise('convert-data', 'big.csv', 'big.jsonl', '--category', 'brand');
    expect(converted.stderr).toMatch(/"user" by up to/);
    expect(readFileSync(at('big.jsonl'), 'utf8')).toBe(
      '{"qid":"1","label":1,"user":980572185794657840,"brand":"acme"}\n{"qid":"1","label":0,"user":980572185794657841,"brand":"zeta"}\n',
    );
    await listwise('convert-data', 'big.csv', 'out.txt', '--category', 'brand');
    expect(readFileSync(at('out.txt'), 'utf8')).toBe(
      '1 qid:1 1:980572185794657840 2:0\n0 qid:1 1:980572185794657841 2:1\n',
    );
    const { stdout } = await listwise('inspect', 'big.csv', '--ignore', 'brand');
    expect(stdout).toMatch(/user +980572185794657840 +980572185794657841 +0 *$/m);
    writeFileSync(at('big.txt'), '1 qid:1 1:16777217 2:3130289\n0 qid:1 1:5 2:1\n');
    const numbered = await listwise('inspect', 'big.txt');
    expect(numbered.stderr).toMatch(/"1" by up to 1;/);
    expect(numbered.stdout).toMatch(/3130289/);
    expect(numbered.stdout).toMatch(/^1 +5 +16777217 +0 *$/m);
    await listwise('convert-data', 'big.txt', 'numbered.txt');
    expect(readFileSync(at('numbered.txt'), 'utf8')).toBe('1 qid:1 1:16777217 2:3130289\n0 qid:1 1:5 2:1\n');
    await listwise('convert-data', 'big.txt', 'numbered.parquet');
    expect((await listwise('inspect', 'numbered.parquet')).stdout).toMatch(/^1 +5 +16777217 +0 *$/m);
  });

  it.each([
    [{ query: 'session' }, 'there is no column "session" to take as query'],
    [{ labels: { label: 'lable' } }, 'there is no column "lable" to take as label "label"; did you mean "label"?'],
  ])('is not read with other columns than its description names: %o', async (roles, message) => {
    writeFileSync(at('roles.csv'), 'qid,label,x\n1,1,1\n1,0,2\n');
    writeFileSync(at('roles.json'), JSON.stringify({ schema: 'listwise/data/1', data: 'roles.csv', roles }));
    expect(await listwise('inspect', 'roles.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });

  it('takes judgments from a file beside it', async () => {
    writeFileSync(at('qrels.txt'), 'q1 0 a 2\nq1 0 b 0\n');
    writeFileSync(at('features.csv'), 'search,item,x\nq1,a,1\nq1,b,2\n');
    const columns = ['--query-col', 'search', '--doc-col', 'item'];
    const { stdout } = await listwise('inspect', 'features.csv', '--judgments', 'qrels.txt', ...columns, '--json');
    expect(JSON.parse(stdout).labels.label).toEqual([
      { value: 0, count: 1 },
      { value: 2, count: 1 },
    ]);
  });

  it.each([
    ['{"schema":"listwise/data/1","kinds":{"x":"number?"}}', /"kinds.x"/],
    ['{"schema":"listwise/data/1","rolls":{}}', /rolls/],
    ['{"schema":"listwise/data/1"}', /names no data/],
    ['{"schema":"listwise/data/1",}', /JSON/],
  ])('refuses the description %s', async (text, words) => {
    writeFileSync(at('bad.json'), text);
    expect(await listwise('inspect', 'bad.json')).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
  });
});

it('codes of another table of levels are refused, not mixed up', async () => {
  writeFileSync(at('a.csv'), 'qid,label,c\n1,1,x\n1,0,y\n2,1,y\n2,0,x\n');
  writeFileSync(at('b.csv'), 'qid,label,c\n1,1,y\n1,0,x\n');
  const trained = await listwise(
    'train',
    'a.csv',
    '--category',
    'c',
    '--validate',
    'b.csv',
    '--out',
    'c.json',
    '--set',
    'trees=2',
  );
  expect(trained.code).toBe(0);
  const { matchFeatures } = await import('#listwise/models/match-features.js');
  const { readDataset } = await import('#listwise/data/read/read-dataset.js');
  const [a, b] = await Promise.all(['a.csv', 'b.csv'].map(name => readDataset(at(name), { categories: ['c'] })));
  expect(() => matchFeatures(a!, b!)).toThrow(/category "c" has other codes/);
});

it('categories can be given among the settings of training', async () => {
  writeFileSync(at('set.csv'), 'qid,label,c,d\n1,1,x,u\n1,0,y,v\n2,1,y,u\n2,0,x,v\n');
  const kind = (model: string) => ['train', 'set.csv', '--model', model, '--set', 'trees=2', '--holdout', '0'];
  for (const model of ['trees', 'forest']) {
    const flags = await listwise(...kind(model), '--category', 'c,d', '--out', `${model}-flags.json`);
    const set = await listwise(...kind(model), '--set', 'categorical=c,d', '--out', `${model}-set.json`);
    expect([flags.code, set.code]).toEqual([0, 0]);
    expect(readFileSync(at(`${model}-set.json`), 'utf8')).toBe(readFileSync(at(`${model}-flags.json`), 'utf8'));
  }
  const unknown = await listwise(...kind('trees'), '--set', 'categorical_feature=c', '--out', 'unknown.json');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('when data is read, with --category') });
});

it('texts are refused by a model of another system that has codes alone, unless a description has the levels', async () => {
  const rows = (cities: string[]) =>
    cities.flatMap((city, i) => [`${i},${city < 'n' ? 1 : 0},${city}`, `${i},${city < 'n' ? 0 : 1},z`]).join('\n');
  const cities = ['m', 'a', 'x', 'o', 'b', 'y'];
  writeFileSync(at('cities.csv'), `qid,label,city\n${rows(cities)}\n`);
  writeFileSync(at('other-cities.csv'), `qid,label,city\n${rows(cities.toReversed())}\n`);
  const set = ['--set', 'trees=2', '--set', 'min-documents=1', '--set', 'min-level-documents=1'];
  const trained = await listwise('train', 'cities.csv', '--category', 'city', ...set, '--out', 'cities.json');
  expect(trained.code).toBe(0);
  await listwise('convert', 'cities.json', 'cities.dump', '--to', 'lightgbm-dump');
  await listwise('convert', 'cities.json', 'cities.xgboost', '--to', 'xgboost');
  await listwise('inspect', 'cities.csv', '--category', 'city', '--describe', 'described-cities.json');
  const refused = {
    code: 2,
    stderr: expect.stringMatching(/splits "city" by the codes .* --data-description .*mismatch/),
  };
  const category = ['--category', 'city'];
  expect(await listwise('score', 'cities.dump', 'other-cities.csv', ...category)).toMatchObject(refused);
  const from = ['train', 'other-cities.csv', '--from', 'cities.dump', ...category, '--out', 'more.json'];
  expect(await listwise(...from)).toMatchObject(refused);
  const described = ['--data-description', 'described-cities.json'];
  const known = await listwise('score', 'cities.dump', 'other-cities.csv', ...described);
  // XGBoost's file has names.
  const named = await listwise('score', 'cities.xgboost', 'other-cities.csv', ...category);
  const own = await listwise('score', 'cities.json', 'other-cities.csv');
  const scores = ({ stdout }: typeof own) => stdout.trim().split('\n').map(Number);
  for (const [i, score] of scores(own).entries()) {
    for (const other of [known, named]) expect(scores(other)[i]).toBeCloseTo(score, 6);
  }
  expect(new Set(scores(own)).size).toBeGreaterThan(1);
});

describe('characters of control and direction from a file', () => {
  it('are words of JSON on stdout and stderr', async () => {
    const query = 'a\u009b31m\u202eb\u007f\u2028';
    const fields = { qid: query, label: 1, x: 2 };
    writeFileSync(at('hostile.jsonl'), `${JSON.stringify(fields)}\n${JSON.stringify({ ...fields, label: 0 })}\n`);
    writeFileSync(at('scores.txt'), '1\n2\n');
    const shown = await listwise('evaluate', 'hostile.jsonl', '--scores', 'scores.txt', '--per-query', '--json');
    expect(shown.code).toBe(0);
    expect(shown.stdout).not.toMatch(/[\u007f-\u009f\u202e\u2028]/);
    expect(shown.stdout).toContain('a\\u009b31m\\u202eb\\u007f\\u2028');
    expect(JSON.stringify(JSON.parse(shown.stdout))).toContain(query);
    const refused = await listwise('inspect', 'no\u009b\u202e.csv', '--json');
    expect(refused.stderr).not.toMatch(/[\u007f-\u009f\u202e]/);
    expect(JSON.parse(refused.stderr).error.file).toBe('no\u009b\u202e.csv');
  });
});
