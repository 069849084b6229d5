import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { examples, run } from '../run.js';

const folder = temporaryDirectory();

const runs = ['compare', '--qrels', 'qrels.txt', '--system', 'bm25=bm25.run', '--system', 'tuned=tuned.run'];
const mixed = [
  'compare',
  'test.txt',
  '--system',
  'linear=linear.json',
  '--system',
  'freshness=freshness.scores',
  '--system',
  'tuned=tuned.run',
];

describe('compare', () => {
  it('prints means, differences and p-values', async () => {
    const { code, stdout, stderr } = await run([...runs, '--baseline', 'bm25', '-m', 'ndcg@3,ap']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'system  ndcg@3      ap',
        '──────  ──────  ──────',
        'tuned   0.7526  0.7363',
        'bm25    0.6347  0.6951',
        '',
        'measure  a - b         difference       95 % interval  effect  wins/ties/losses     p t  p wilcoxon  p sign  p randomisation  significant',
        '───────  ────────────  ──────────  ──────────────────  ──────  ────────────────  ──────  ──────────  ──────  ───────────────  ───────────',
        'ndcg@3   tuned - bm25     +0.1180  -0.0406 to +0.2765    0.47             6/4/2  0.1298      0.1235  0.2891           0.1406  no',
        'ap       tuned - bm25     +0.0412  -0.1389 to +0.2213    0.15             3/6/3  0.6245      0.6002  1.0000           0.6563  no',
        '',
        'Significant: adjusted p of randomisation is below 0.05.',
        '',
        'ndcg@3: empty queries: 1, each counting 0 for both.',
        'ap: empty queries: 1, each counting 0 for both.',
        '',
      ].join('\n'),
    );
  });

  it('gives JSON of the agreed shape, over a model, scores and a run at once', async () => {
    const { code, stdout } = await run([...mixed, '-m', 'ndcg@3', '--json']);
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result.schema).toBe('listwise/compare/1');
    expect(result.systems.map(({ name }: { name: string }) => name)).toEqual(['linear', 'freshness', 'tuned']);
    expect(result.systems[0].means['ndcg@3']).toBeCloseTo(0.9089, 4);
    expect(result.pairs).toHaveLength(3);
    const [pair] = result.pairs;
    expect(pair).toMatchObject({ measure: 'ndcg@3', a: 'linear', b: 'freshness', wins: 9, ties: 3, losses: 0 });
    expect(pair.ci[0]).toBeLessThan(pair.difference);
    expect(pair.ci[1]).toBeGreaterThan(pair.difference);
    expect(Object.keys(pair.p)).toEqual(['t', 'wilcoxon', 'sign', 'randomisation']);
    expect(Object.keys(pair.adjusted)).toEqual(Object.keys(pair.p));
    // 9 wins, no loss: 2 of 2^9 sign flips are as extreme; three pairs were compared, and this is the smallest p.
    expect(pair.p.randomisation).toBeCloseTo(2 / 512, 12);
    expect(pair.adjusted.randomisation).toBeCloseTo(6 / 512, 12);
    expect(pair.significant).toBe(true);
    expect(result).toMatchObject({ deciding: ['randomisation'], alpha: 0.05, correction: 'holm' });
  });

  it('--agree, --alpha and --correction change what is significant', async () => {
    const significant = async (...more: string[]) =>
      JSON.parse((await run([...mixed, '-m', 'ndcg@3', '--json', ...more])).stdout).pairs.map(
        (pair: { significant: boolean }) => pair.significant,
      );
    expect(await significant()).toEqual([true, true, false]);
    expect(await significant('--alpha', '0.02')).toEqual([true, false, false]);
    expect(await significant('--alpha', '0.02', '--agree')).toEqual([false, false, false]);
    expect(await significant('--alpha', '0.02', '--agree', '--correction', 'none')).toEqual([true, true, false]);
  });

  it('does not depend on anything but its seed', async () => {
    const args = [...mixed, '-m', 'ap', '--json', '--seed', '3'];
    expect((await run(args)).stdout).toBe((await run(args)).stdout);
  });

  it('tells skipped empty queries and tests that could not be made', async () => {
    const one = join(folder, 'one.qrels');
    writeFileSync(one, '1 0 d14 1\n7 0 d71 0\n');
    const { stdout } = await run([...runs.with(2, one), '-m', 'ap(empty=skip)', '--quiet']);
    expect(stdout).toContain('ap(empty=skip): empty queries: 1, each left out for both systems.');
    expect(stdout).toContain('a t-test needs at least two queries, there is one.');
  });

  it('different queries are an error that names them; --complete counts them', async () => {
    const short = join(folder, 'short.run');
    const lines = readFileSync(join(examples, 'tuned.run'), 'utf8').split('\n');
    writeFileSync(short, lines.filter(line => !/^(3|11) /.test(line)).join('\n'));
    const args = [...runs, '--system', `short=${short}`, '-m', 'ap', '--quiet'];
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toContain('systems "bm25" and "short" have different queries: only "bm25" has 3, 11');
    expect(stderr).toContain('[query-mismatch]');
    expect(JSON.parse((await run([...args, '--complete', '--json'])).stdout).pairs[0].queries).toBe(12);
  });

  it.each([
    [['compare', '--system', 'a=x', '--system', 'b=y'], 'give either DATA or --qrels FILE', 'usage'],
    [[...runs, 'test.txt'], 'give either DATA or --qrels FILE', 'usage'],
    [['compare', 'test.txt', '--system', 'a=x'], 'at least twice', 'usage'],
    [[...runs, '--system', 'tuned.run'], '--system takes NAME=FILE', 'option-invalid'],
    [[...runs, '--system', 'bm25=tuned.run'], 'two systems are named "bm25"', 'option-invalid'],
    [[...runs, '--baseline', 'bm24'], 'did you mean "bm25"?', 'option-invalid'],
    [[...runs, '--alpha', '5'], '--alpha', 'option-invalid'],
    [[...runs, '--correction', 'bonferroni'], '--correction is one of holm, none, found', 'usage'],
    [[...runs, '--group', 'x'], '--group does not go with --qrels', 'usage'],
    [[...runs, '--system', 'x=-', '--system', 'y=-'], 'only one input can be stdin', 'usage'],
    [[...runs, '--system', 'model=linear.json'], 'linear.json: it is a model', 'data-format'],
  ])('%j is refused', async (args, part, errorCode) => {
    const { code, stdout, stderr } = await run([...args, '--quiet', '--json']);
    expect([code, stdout]).toEqual([2, '']);
    const { error } = JSON.parse(stderr);
    expect(error.code).toBe(errorCode);
    expect(error.message).toContain(part);
  });
});
