import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const folder = temporaryDirectory();

describe('inspect', () => {
  it('prints tables for a person, notes to stderr', async () => {
    const { code, stdout, stderr } = await run(['inspect', 'products.csv']);
    expect([code, stderr]).toEqual([
      0,
      'took "qid" as the query, "docid" as the document id, "label" as the label; the other 3 columns are features\n',
    ]);
    expect(stdout).toBe(
      [
        'data',
        '───────────────────────────────────  ───',
        'queries                                3',
        'documents                              6',
        'documents a query: fewest              1',
        'documents a query: mean              2.0',
        'documents a query: most                3',
        'queries without a label above 0        1',
        'rows that repeat one of their query    1',
        'features                               3',
        'features that are constant             0',
        'features with missing values           1',
        '',
        'label  documents   share',
        '─────  ─────────  ──────  ──────────────────────────────',
        '    0          3  50.0 %  ██████████████████████████████',
        '    1          1  16.7 %  ██████████',
        '    2          1  16.7 %  ██████████',
        '    3          1  16.7 %  ██████████',
        '',
        'feature   min   max  missing',
        '────────  ───  ────  ───────',
        'bm25        1  12.5        0',
        'pagerank  0.2   0.9        1',
        'fresh       0     1        0',
        '',
      ].join('\n'),
    );
  });

  it('shows 20 features unless --all is given, and labels in ranges where they are many', async () => {
    const features = Array.from({ length: 25 }, (_, f) => `${f + 1}:${f}`).join(' ');
    const rows = Array.from({ length: 60 }, (_, i) => `${i / 7} qid:1 ${features}`);
    const input = `${rows.join('\n')}\n`;
    const some = (await run(['inspect', '-'], { input })).stdout;
    expect(some).toContain('… and 5 more (--all shows every one)');
    expect(some).toMatch(/^ *label \(in ranges\) {2}documents/m);
    expect(some).toMatch(/^ *0 to 0\.421429 +3 +5\.0 % /m);
    const all = (await run(['inspect', '-', '--all'], { input })).stdout;
    expect(all).toMatch(/^25 +24 +24 +0 {2}constant$/m);
  });

  it('prints one JSON object, NaN as null', async () => {
    const { code, stdout } = await run(['inspect', '-', '--json', '--quiet'], {
      input: '1 qid:1 1:nan 2:2\n0 qid:1 2:2\n'.replace('0 qid:1', '0 qid:1 1:nan'),
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      schema: 'listwise/inspect/1',
      queries: 1,
      documents: 2,
      perQuery: { min: 2, mean: 2, max: 2 },
      labels: {
        label: [
          { value: 0, count: 1 },
          { value: 1, count: 1 },
        ],
      },
      features: [
        { name: '1', min: null, max: null, missing: 2, constant: true },
        { name: '2', min: 2, max: 2, missing: 0, constant: true },
      ],
      emptyQueries: 0,
      duplicateRows: 1,
    });
  });

  it('knows models', async () => {
    const { code, stdout } = await run(['inspect', 'linear.json', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      schema: 'listwise/inspect/1',
      kind: 'linear',
      format: 'listwise',
      features: ['1', '2', '3'],
      used: 3,
      parts: { weights: 3, standardised: 'no' },
      size: expect.any(Number),
    });
  });

  it('says of what a model is made and how it was trained', async () => {
    const file = join(folder, 'trained.json');
    const roles = ['--query-col', 'query_id', '--doc-col', 'sku', '--ignore', 'query,title,country'];
    const kinds = ['--category', 'brand', '--date', 'listed'];
    const settings = ['--set', 'trees=4', '--set', 'leaves=3', '--objective', 'ranknet', '--seed', '7'];
    const out = ['--out', file, '--refit', '--holdout', '0.3', '--quiet'];
    const trained = await run(['train', 'shop.csv', ...roles, ...kinds, ...settings, ...out]);
    expect([trained.code, trained.stderr]).toEqual([0, '']);
    const json = JSON.parse((await run(['inspect', file, '--json'])).stdout);
    const { training } = json;
    expect(json).toMatchObject({ kind: 'trees', parts: { trees: training.refitted.iteration }, data: { roles: {} } });
    expect(training).toMatchObject({ trainer: 'trees', objective: 'ranknet', seed: 7, options: { leaves: 3 } });
    expect(training.refitted.iteration).toBe(training.best.iteration);
    const { stdout } = await run(['inspect', file]);
    expect(stdout).toMatch(/^depth +[12]$/m);
    expect(stdout).toMatch(/^features used +\d of 3$/m);
    expect(stdout).toMatch(/^objective +ranknet$/m);
    expect(stdout).toMatch(/^options +trees=4 leaves=3 /m);
    expect(stdout).toMatch(/^refitted +on all \d+ queries, to iteration \d$/m);
    expect(stdout).toMatch(/^columns +query=query_id document=sku label=label$/m);
    expect(stdout).toMatch(/^categories +brand \(3 levels\)$/m);
    expect(stdout).toMatch(/^ignored +query, title, country$/m);
  });

  it('ends with code 2 and one line for bad data', async () => {
    const file = join(folder, 'bad.csv');
    writeFileSync(file, 'qid,label,x\nq,1,2\nq,1\n');
    const text = await run(['inspect', file]);
    expect([text.code, text.stdout]).toEqual([2, '']);
    expect(text.stderr).toBe(`listwise: ${file}:3:4: 2 fields where the header has 3 [row-ragged]\n`);
    const json = await run(['inspect', file, '--json']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stderr)).toEqual({
      error: { code: 'row-ragged', message: `${file}:3:4: 2 fields where the header has 3`, file, line: 3, column: 4 },
    });
    expect((await run(['inspect', join(folder, 'none.csv')])).code).toBe(2);
    expect((await run(['inspect', 'test.txt', '--format', 'xml'])).stderr).toMatch(/Formats: svmlight, csv/);
  });
});
