/** Log, train, serve again. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { loadModel, printModel } from '#listwise/models/model-file.js';
import { Random } from '#listwise/numeric/random.js';
import { run } from '../cli/run.js';
import { folder, logged, made, model, PATIENCE, rank, up } from './logging.js';

describe('the feature log', () => {
  it('is Parquet that train reads with no flags: full files at once, the last when the server ends', async () => {
    const directory = made('parquet');
    const other = join(folder, 'other.json');
    writeFileSync(other, printModel(new LinearModel({ featureNames: ['bm25', "it's"], weights: [1, 2] })));
    const models = [`m=${model}`, `o=${other}`];
    const server = await up({ models, log: { directory, format: 'parquet', bytes: 4000 } });
    const sent: number[] = [];
    for (let q = 0; q < 30; q++) {
      const documents = Array.from({ length: 4 }, (_, i) => {
        sent.push(Math.fround(q / 7 + i));
        return { id: `d${i}`, features: { bm25: q / 7 + i }, label: i };
      });
      await rank(server, { request: `r${q}`, model: q % 2 === 0 ? 'm' : 'o', documents });
      if (q === 20) await vi.waitFor(() => expect(readdirSync(directory).join()).toMatch(/\.parquet/), PATIENCE);
    }
    await server.close();
    const files = logged(directory);
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter(name => !/^ranked-.*\.parquet$/.test(name))).toEqual([]);
    // As JSON lines would have, whatever DuckDB makes.
    const modes = files.map(name => statSync(join(directory, name)).mode & 0o777);
    if (process.platform !== 'win32') expect(new Set(modes)).toEqual(new Set([0o640]));
    const data = await readDataset(directory);
    expect([data.queries, data.rows]).toEqual([30, 120]);
    expect(data.featureNames.toSorted()).toEqual(['age', 'bm25', "it's"]);
    const bm25 = data.featureNames.indexOf('bm25');
    const read = Array.from({ length: data.rows }, (_, row) => data.feature(row, bm25));
    expect(read.toSorted((a, b) => a - b)).toEqual(sent.toSorted((a, b) => a - b));
    expect([...data.positions!.subarray(0, 4)]).toEqual([1, 2, 3, 4]);
  });

  it('is what train reads with no flags, and the new model is served', async () => {
    const directory = made('log');
    const server = await up({ log: { directory } });
    const random = new Random(1);
    const sent: number[][] = [];
    for (let q = 0; q < 40; q++) {
      const documents = Array.from({ length: 6 }, (_, i) => {
        const [bm25, age] = [
          Math.fround(random.gaussian()),
          random.below(4) === 0 ? null : Math.fround(random.uniform()),
        ];
        sent.push([bm25, age ?? Number.NaN]);
        return { id: `d${i}`, features: { bm25, age }, label: bm25 > 0.5 ? 2 : bm25 > -0.5 ? 1 : 0 };
      });
      await rank(server, { query: `shoes ${q % 3}`, documents });
    }
    await server.close();
    const data = await readDataset(directory);
    expect([data.queries, data.rows, data.featureNames]).toEqual([40, 240, ['bm25', 'age']]);
    expect([...data.positions!.subarray(0, 6)]).toEqual([1, 2, 3, 4, 5, 6]);
    const sum = (f: number) => sent.reduce((total, row) => total + (Number.isNaN(row[f]!) ? 0 : row[f]!), 0);
    for (const f of [0, 1]) {
      const column = Array.from({ length: 240 }, (_, row) => data.feature(row, f));
      expect(column.filter(value => !Number.isNaN(value)).reduce((a, b) => a + b, 0)).toBeCloseTo(sum(f), 9);
    }
    const [line = ''] = readFileSync(join(directory, logged(directory)[0]!), 'utf8').split('\n');
    expect(JSON.parse(line)).toMatchObject({
      served_query: 'shoes 0',
      shown_position: 1,
      served_model: expect.stringMatching(/^m [0-9a-f]{16}$/),
    });
    const out = join(folder, 'again.json');
    const trained = await run(['train', directory, '--model', 'linear', '--out', out]);
    expect(trained.code, trained.stderr).toBe(0);
    expect((await loadModel(out)).featureNames).toEqual(['bm25', 'age']);
    const again = await up({ models: [`m=${out}`] });
    const { documents } = await rank(again, {
      documents: [
        { id: 'low', features: { bm25: -1, age: 0.5 } },
        { id: 'high', features: { bm25: 2, age: 0.5 } },
      ],
    });
    expect(documents.map(({ id }) => id)).toEqual(['high', 'low']);
    const drift = await run(['drift', directory, '--model', out, '--json']);
    expect(drift.code, drift.stderr).toBe(0);
    expect(JSON.parse(drift.stdout)).toMatchObject({ schema: 'listwise/drift/1', queries: 40, drifted: [] });
    expect((await run(['drift', directory, '--model', model])).stderr).toContain('model-unsupported');
  });

  it('has labels from elsewhere, by the id of the request or by the query', async () => {
    const directory = made('judged');
    const server = await up({ log: { directory } });
    const judgments = ['qid,docid,label'];
    for (let q = 0; q < 12; q++) {
      const documents = [0, 1, 2].map(i => ({ id: `d${i}`, features: { bm25: i + q, age: 0 } }));
      const { request } = await rank(server, { query: `q${q}`, documents });
      for (const i of [0, 1, 2]) judgments.push(`${request},d${i},${i}`);
    }
    await server.close();
    const file = join(folder, 'clicks.csv');
    writeFileSync(file, judgments.join('\n'));
    const byRequest = await run([
      'train',
      directory,
      '--judgments',
      file,
      '--model',
      'linear',
      '--out',
      join(folder, 'r.json'),
    ]);
    expect(byRequest.code, byRequest.stderr).toBe(0);
    const grades = [
      'qid,docid,label',
      ...Array.from({ length: 12 }, (_, q) => [0, 1, 2].map(i => `q${q},d${i},${i}`)).flat(),
    ];
    writeFileSync(file, grades.join('\n'));
    const byQuery = await run([
      'train',
      directory,
      '--query-col',
      'served_query',
      '--ignore',
      'qid',
      '--judgments',
      file,
      '--model',
      'linear',
      '--out',
      join(folder, 'q.json'),
    ]);
    expect(byQuery.code, byQuery.stderr).toBe(0);
  });

  it.each(['jsonl', 'parquet'] as const)('as %s has files of different features that train reads', async format => {
    const directory = made(`differ-${format}`);
    const next = join(folder, 'next.json');
    writeFileSync(next, printModel(new LinearModel({ featureNames: ['bm25', 'price'], weights: [1, 2] })));
    for (const [k, file] of [model, next].entries()) {
      const server = await up({ models: [`m=${file}`], log: { directory, format } });
      const query = k === 0 ? {} : { query: 'shoes' };
      for (let q = 0; q < 6; q++) {
        const documents = [0, 1, 2].map(i => ({ id: `d${i}`, features: { bm25: i + q }, label: i }));
        await rank(server, { ...query, documents });
      }
      await server.close();
    }
    expect(logged(directory)).toHaveLength(2);
    const data = await readDataset(directory);
    expect([data.queries, data.featureNames.toSorted()]).toEqual([12, ['age', 'bm25', 'price']]);
  });

  it.each(['jsonl', 'parquet'] as const)(
    'as %s keeps categories and dates, levels that are new included',
    async format => {
      const directory = made(`kinds-${format}`);
      const table = join(folder, `shop-${format}.csv`);
      const colours = ['red', 'blue', 'green'];
      const rows = Array.from(
        { length: 60 },
        (_, i) => `q${i % 10},d${i},${i % 3},${colours[i % 3]},2026-0${1 + (i % 9)}-11`,
      );
      writeFileSync(table, ['qid,docid,label,colour,listed', ...rows].join('\n'));
      const trained = join(folder, `kinds-${format}.json`);
      const flags = ['--category', 'colour', '--date', 'listed', '--set', 'trees=3', '--out', trained];
      expect((await run(['train', table, ...flags])).code).toBe(0);
      const server = await up({ models: [`m=${trained}`], log: { directory, format } });
      for (let q = 0; q < 12; q++) {
        const documents = ['red', 'blue', 'violet'].map((colour, i) => ({
          id: `d${i}`,
          features: { colour, listed: '2026-03-14T12:00Z' },
          label: i,
        }));
        await rank(server, { documents });
      }
      await server.close();
      const data = await readDataset(directory);
      expect(data.description?.categories.colour?.toSorted()).toEqual(['blue', 'red', 'violet']);
      const listed = data.featureNames.indexOf('listed');
      expect(data.feature(0, listed)).toBe(Math.fround(Date.parse('2026-03-14T12:00Z') / 86_400_000));
      const again = await run(['train', directory, '--set', 'trees=3', '--out', join(folder, `again-${format}.json`)]);
      expect(again.code, again.stderr).toBe(0);
      expect((await loadModel(join(folder, `again-${format}.json`))).description?.kinds).toMatchObject({
        listed: 'date',
      });
    },
  );

  it('of requests with labels and without: drift reads it all, train what has labels, if asked to', async () => {
    const directory = made('partly');
    const server = await up({ log: { directory } });
    for (let q = 0; q < 30; q++) {
      const documents = [0, 1, 2].map(i => ({
        id: `d${i}`,
        features: { bm25: i + q, age: 0 },
        ...(q % 3 > 0 && { label: i }),
      }));
      await rank(server, { documents });
    }
    await server.close();
    const train = ['train', directory, '--model', 'linear', '--out', join(folder, 'partly.json')];
    const refused = await run(train);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--unjudged drop')]);
    const done = await run([...train, '--unjudged', 'drop']);
    expect(done.code, done.stderr).toBe(0);
    expect(done.stderr).toContain('30 documents without a label, left out');
    const drift = await run(['drift', directory, '--model', join(folder, 'partly.json'), '--json']);
    expect(JSON.parse(drift.stdout)).toMatchObject({ queries: 30 });
  });

  it('as Parquet takes ids that are no UTF-8, and features that are numbers to one model and levels to another', async () => {
    const directory = made('odd');
    const table = join(folder, 'age.csv');
    const rows = Array.from({ length: 40 }, (_, i) => `q${i >> 2},${i % 2},${['new', 'old'][(i >> 1) % 2]}`);
    writeFileSync(table, ['qid,label,age', ...rows].join('\n'));
    const levels = join(folder, 'levels.json');
    expect((await run(['train', table, '--category', 'age', '--set', 'trees=2', '--out', levels])).code).toBe(0);
    const server = await up({ models: [`m=${model}`, `l=${levels}`], log: { directory, format: 'parquet' } });
    await rank(server, { model: 'l', documents: [{ id: 'a\ud800', features: { age: 'new' }, label: 1 }] });
    await rank(server, { model: 'm', documents: [{ id: 'b', features: { bm25: 1, age: 2 }, label: 0 }] });
    await server.close();
    const data = await readDataset(directory);
    expect([data.rows, data.description?.categories.age?.toSorted()]).toEqual([2, ['2', 'new']]);
    const upper = join(folder, 'upper.json');
    writeFileSync(upper, printModel(new LinearModel({ featureNames: ['Label'], weights: [1] })));
    const failure = up({ models: [`m=${upper}`], log: { directory: made('upper'), format: 'parquet' } });
    await expect(failure).rejects.toThrow('the model has a feature called "Label"');
  });

  it('is refused for a model with a feature that is called as a column of it', async () => {
    const file = join(folder, 'label.json');
    writeFileSync(file, printModel(new LinearModel({ featureNames: ['bm25', 'label'], weights: [1, 1] })));
    const failure = up({ models: [`m=${file}`], log: { directory: made('taken') } });
    await expect(failure).rejects.toThrow('the model has a feature called "label"');
  });
});
