import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { type Tree, TreesModel } from '#listwise/models/trees/trees.js';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const directory = temporaryDirectory();
const score = (...args: string[]) => run(['score', ...args], { cwd: directory });
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

function stump(feature: number, threshold: number): Tree {
  return {
    feature: Int32Array.of(feature),
    threshold: Float32Array.of(threshold),
    missingLeft: Uint8Array.of(0),
    left: Int32Array.of(~0),
    right: Int32Array.of(~1),
    value: Float64Array.of(0, 1),
    gain: Float64Array.of(1),
    documents: Float64Array.of(4),
  };
}

describe('score', () => {
  it('writes one score a line in the order of the input', async () => {
    const { code, stdout } = await score('model.json', 'data.txt', '--out', 'scores.txt', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'listwise/score/1', model: 'model.json', documents: 4 });
    expect(JSON.parse(stdout).seconds).toBeGreaterThanOrEqual(0);
    expect(text('scores.txt')).toBe('1.1\n2\n3.1\n2\n');
    expect((await score('model.json', 'data.txt')).stdout).toBe('1.1\n2\n3.1\n2\n');
  });

  it('is what evaluate --scores reads', async () => {
    await score('model.json', 'data.txt', '--out', 'scores.txt');
    const results = async (...args: string[]) =>
      JSON.parse(
        (await run(['evaluate', ...args, 'data.txt', '-m', 'ndcg,ap', '--json', '--per-query'], { cwd: directory }))
          .stdout,
      );
    expect((await results('--scores', 'scores.txt')).perQuery).toEqual((await results('model.json')).perQuery);
  });

  it('makes controls in ids visible on a terminal, and leaves them to files and pipes', async () => {
    const ids = ['\u001b]0;title\u0007', '\u009b31m', '\u202egpj'];
    const lines = ids.map(id => `0 qid:a 1:1 2:1 # docid = ${id}\n`);
    writeFileSync(join(directory, 'hostile.txt'), lines.join(''));
    const args = ['score', 'model.json', 'hostile.txt', '--ids'];
    const [shown, piped] = [await run(args, { cwd: directory, isTTY: true }), await run(args, { cwd: directory })];
    const idsOf = ({ stdout }: { stdout: string }) =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map(line => line.split('\t')[1]);
    expect(idsOf(piped)).toEqual(ids);
    expect(idsOf(shown)).toEqual(['\ufffd]0;title\ufffd', '\ufffd31m', '\ufffdgpj']);
  });

  it('writes ids beside the scores', async () => {
    expect((await score('model.json', 'data.txt', '--ids')).stdout).toBe('a\ta1\t1.1\nb\tb1\t2\na\ta2\t3.1\nb\t4\t2\n');
    expect((await score('model.json', 'data.txt', '--as', 'ids')).stdout).toBe(
      (await score('model.json', 'data.txt', '--ids')).stdout,
    );
  });

  it('writes what each feature adds, then the base: Shapley values', async () => {
    const { stdout } = await score('model.json', 'data.txt', '--contributions', '--background', 'data.txt');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map(line => line.split('\t').map(Number));
    // On average feature 1 is 2 and feature 2 is 0.5.
    expect(rows.map(row => row.map(value => Number(value.toFixed(12))))).toEqual([
      [-1, 0.05, 2.05],
      [0, -0.05, 2.05],
      [1, 0.05, 2.05],
      [0, -0.05, 2.05],
    ]);
    const withIds = await score('model.json', 'data.txt', '--contributions', '--background', 'data.txt', '--ids');
    expect(withIds.stdout.split('\n')[0]).toBe(`a\ta1\t${stdout.split('\n')[0]}`);
  });

  it('refuses Shapley values that nothing is known for, and layouts that do not hold them', async () => {
    const expectError = async (args: string[], message: RegExp) => {
      const { code, stdout, stderr } = await score('model.json', 'data.txt', ...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(message);
    };
    await expectError(['--contributions'], /give documents to compare with as --background/);
    await expectError(['--leaves'], /a linear model has no leaves; only sums of trees do/);
    await expectError(['--leaves', '--as', 'run'], /--as run holds one score a document, not --leaves/);
    await expectError(['--leaves', '--contributions'], /--contributions does not go with --leaves/);
    await expectError(['--background', 'data.txt'], /--background does not go with scores: give --contributions/);
  });

  it('writes the leaves of trees', async () => {
    writeFileSync(
      join(directory, 'stumps.json'),
      printModel(new TreesModel({ featureNames: ['1', '2'], trees: [stump(0, 1.5), stump(1, 0.5), stump(0, 2.5)] })),
    );
    expect((await score('stumps.json', 'data.txt', '--leaves')).stdout).toBe('0\t1\t0\n1\t0\t0\n1\t1\t1\n1\t0\t0\n');
    const { code, stderr } = await score('stumps.json', 'data.txt', '--contributions');
    expect(code).toBe(2);
    expect(stderr).toMatch(/tree 1 of the model does not say how many training documents came to its leaves/);
  });

  it('writes a TREC run, best first, ties in input order', async () => {
    expect((await score('model.json', 'data.txt', '--as', 'run', '--tag', 'mine')).stdout).toBe(
      'a Q0 a2 1 3.1 mine\na Q0 a1 2 1.1 mine\nb Q0 b1 1 2 mine\nb Q0 4 2 2 mine\n',
    );
  });

  it('refuses data that lacks features of the model, unless asked to fill them', async () => {
    writeFileSync(join(directory, 'narrow.txt'), '0 qid:1 1:5\n');
    const refused = await score('model.json', 'narrow.txt');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('[feature-mismatch]');
    const { stdout, stderr } = await score('model.json', 'narrow.txt', '--fill-features');
    expect(stdout).toBe('5\n');
    expect(stderr).toBe('the data never names "2": they count as zero\n');
  });

  it('ignores features that the model does not know, with one note', async () => {
    writeFileSync(join(directory, 'wider.txt'), '0 qid:1 1:5 2:0 3:1\n');
    const { code, stdout, stderr } = await score('model.json', 'wider.txt');
    expect([code, stdout]).toEqual([0, '5\n']);
    expect(stderr).toBe('ignored 1 feature that the model does not know: "3"\n');
  });

  it.each([
    [['model.json', 'narrower.txt'], 'feature-mismatch'],
    [['data.txt', 'data.txt'], 'model-invalid'],
    [['none.json', 'data.txt'], 'file-not-found'],
    [['model.json', 'data.txt', '--json'], 'usage'],
    [['model.json', 'data.txt', '--ids', '--as', 'run'], 'usage'],
    [['model.json', 'data.txt', '--as', 'run', '--tag', 'two words'], 'value-invalid'],
    [['model.json', 'data.txt', '--as', 'table'], ''],
  ])('refuses %j', async (args, errorCode) => {
    writeFileSync(join(directory, 'narrower.txt'), '0 qid:1 1:5\n');
    const before = readdirSync(directory);
    const { code, stderr, stdout } = await score(...args, '--quiet');
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(errorCode);
    expect(stdout).toBe('');
    expect(readdirSync(directory)).toEqual(before);
  });
});

describe('score of data that is read in parts', () => {
  // Enough text for several chunks of the reader, and rows enough for two batches.
  const rows = 150_000;
  const lines = Array.from({ length: rows }, (_, i) => `0 qid:${Math.floor(i / 50)} 1:${i % 97} 2:${i % 11}\n`);
  writeFileSync(join(directory, 'large.txt'), lines.join(''));

  it('leaves nothing of a file where the last line is wrong', async () => {
    writeFileSync(join(directory, 'broken.txt'), `${lines.join('')}0 qid:x 1:one\n`);
    const before = readdirSync(directory);
    const { code, stderr } = await score('model.json', 'broken.txt', '--out', 'never.txt');
    expect(code).toBe(2);
    expect(stderr).toContain(`broken.txt:${rows + 1}:9`);
    expect(readdirSync(directory)).toEqual(before);
  });

  it('is the same from a file, from stdin and on any number of threads', async () => {
    const scores = (await score('model.json', 'large.txt', '--threads', '1')).stdout;
    expect(scores).toBe(lines.map((_, i) => `${(i % 97) + 0.1 * (i % 11)}\n`).join(''));
    expect((await score('model.json', 'large.txt', '--threads', '3')).stdout).toBe(scores);
    const piped = await run(['score', 'model.json', '-'], { cwd: directory, input: lines.join('') });
    expect(piped.stdout).toBe(scores);
  });

  it('writes a run of queries whose rows are adjacent, and names one that comes again', async () => {
    const ranked = (await score('model.json', 'large.txt', '--as', 'run')).stdout.split('\n');
    expect(ranked).toHaveLength(rows + 1);
    expect(ranked[rows - 50]).toMatch(/^2999 Q0 \d+ 1 /);
    writeFileSync(join(directory, 'scattered.txt'), `${lines.join('')}0 qid:7 1:1 2:1\n`);
    const { code, stderr } = await score('model.json', 'scattered.txt', '--as', 'run', '--out', 'scattered.run');
    expect(code).toBe(2);
    expect(stderr).toContain('[query-scattered]');
    expect(stderr).toContain(`row ${rows + 1} is of query "7"`);
  });
});

describe('models of other systems', () => {
  const recorded = (name: string) => fileURLToPath(new URL(`../../interop/recorded/${name}`, import.meta.url));
  const lightgbm = recorded('lightgbm-missing-nan.txt');
  const xgboost = recorded('xgboost-ndcg.json');
  const csv = (names: readonly string[]) =>
    [`qid,label,${names.join(',')}`, 'a,1,0.5,0.1,2,1', 'a,0,0.2,,1,0', 'b,2,0.9,0.7,0,1', 'b,0,0.1,0.3,3,0'].join(
      '\n',
    );
  writeFileSync(join(directory, 'numbers.csv'), csv(['0', '1', '2', '3']));
  writeFileSync(join(directory, 'names.csv'), csv(['bm25', 'age', 'clicks', 'kind']));
  const command = (...args: string[]) => run(args, { cwd: directory });

  it.each([
    ['lightgbm', lightgbm, 'numbers.csv'],
    ['xgboost', xgboost, 'names.csv'],
  ])('%s: score, evaluate, compare, inspect and analyse take the file as it is', async (format, file, data) => {
    await command('convert', file, 'native.json', '--to', 'listwise', '--force');
    expect((await score(file, data)).stdout).toBe((await score('native.json', data)).stdout);
    expect((await score(file, data)).stdout).toMatch(/^(-?\d.*\n){4}$/);
    const evaluated = await command('evaluate', file, data, '-m', 'ndcg', '--json');
    expect(evaluated.stdout).toBe((await command('evaluate', 'native.json', data, '-m', 'ndcg', '--json')).stdout);
    const systems = ['--system', `theirs=${file}`, '--system', 'ours=native.json'];
    const compared = JSON.parse((await command('compare', data, ...systems, '-m', 'ndcg', '--json')).stdout);
    expect(compared.pairs[0].difference).toBe(0);
    expect(JSON.parse((await command('inspect', file, '--json')).stdout)).toMatchObject({ kind: 'trees', format });
    const why = JSON.parse(
      (await command('analyse', 'why', file, 'native.json', data, '--query', 'a', '--json')).stdout,
    );
    expect(why.results).toHaveLength(2);
  });
});
