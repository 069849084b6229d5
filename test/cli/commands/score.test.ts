import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { listwise } from '../run.js';

const directory = mkdtempSync(join(tmpdir(), 'listwise-score-'));
const run = (...args: string[]) => listwise(['score', ...args], { cwd: directory });
const text = (name: string) => readFileSync(join(directory, name), 'utf8');

writeFileSync(
  join(directory, 'model.json'),
  printModel(new LinearModel({ featureNames: ['1', '2'], weights: [1, 0.1] })),
);
// Rows of query a are not adjacent.
writeFileSync(
  join(directory, 'data.txt'),
  ['0 qid:a 1:1 2:1 # docid = a1', '1 qid:b 1:2 2:0 # docid = b1', '2 qid:a 1:3 2:1 # docid = a2', '0 qid:b 1:2'].join(
    '\n',
  ),
);

describe('score', () => {
  it('writes one score a line in the order of the input', () => {
    const { code, stdout } = run('model.json', 'data.txt', '--out', 'scores.txt', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'listwise/score/1', model: 'model.json', documents: 4 });
    expect(JSON.parse(stdout).seconds).toBeGreaterThanOrEqual(0);
    expect(text('scores.txt')).toBe('1.1\n2\n3.1\n2\n');
    expect(run('model.json', 'data.txt').stdout).toBe('1.1\n2\n3.1\n2\n');
  });

  it('is what evaluate --scores reads', () => {
    run('model.json', 'data.txt', '--out', 'scores.txt');
    const judge = (...args: string[]) =>
      JSON.parse(
        listwise(['evaluate', ...args, 'data.txt', '-m', 'ndcg,ap', '--json', '--per-query'], { cwd: directory })
          .stdout,
      );
    expect(judge('--scores', 'scores.txt').perQuery).toEqual(judge('model.json').perQuery);
  });

  it('writes ids beside the scores', () => {
    expect(run('model.json', 'data.txt', '--ids').stdout).toBe('a\ta1\t1.1\nb\tb1\t2\na\ta2\t3.1\nb\t4\t2\n');
    expect(run('model.json', 'data.txt', '--as', 'ids').stdout).toBe(run('model.json', 'data.txt', '--ids').stdout);
  });

  it('writes a TREC run, best first, ties in input order', () => {
    expect(run('model.json', 'data.txt', '--as', 'run', '--tag', 'mine').stdout).toBe(
      'a Q0 a2 1 3.1 mine\na Q0 a1 2 1.1 mine\nb Q0 b1 1 2 mine\nb Q0 4 2 2 mine\n',
    );
  });

  it('refuses data that lacks features of the model, unless told to fill them', () => {
    writeFileSync(join(directory, 'narrow.txt'), '0 qid:1 1:5\n');
    const refused = run('model.json', 'narrow.txt');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('[feature-mismatch]');
    const { stdout, stderr } = run('model.json', 'narrow.txt', '--fill-features');
    expect(stdout).toBe('5\n');
    expect(stderr).toBe('the data never names "2": they count as zero\n');
  });

  it.each([
    [['model.json', 'wide.txt'], 'feature-mismatch'],
    [['data.txt', 'data.txt'], 'model-invalid'],
    [['none.json', 'data.txt'], 'file-not-found'],
    [['model.json', 'data.txt', '--json'], 'usage'],
    [['model.json', 'data.txt', '--ids', '--as', 'run'], 'usage'],
    [['model.json', 'data.txt', '--as', 'run', '--tag', 'two words'], 'value-invalid'],
    [['model.json', 'data.txt', '--as', 'table'], ''],
  ])('refuses %j', (args, errorCode) => {
    writeFileSync(join(directory, 'wide.txt'), '0 qid:1 1:5 3:1\n');
    const before = readdirSync(directory);
    const { code, stderr, stdout } = run(...args, '--quiet');
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(errorCode);
    expect(stdout).toBe('');
    expect(readdirSync(directory)).toEqual(before);
  });
});
