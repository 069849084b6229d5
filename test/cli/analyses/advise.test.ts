import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const cwd = temporaryDirectory();
const advise = (...args: string[]) => run(['analyse', 'advise', ...args], { cwd });

beforeAll(async () => {
  await run(['generate', 'cubic', '--queries', '60', '--docs', '15', '--features', '5', '--out', 'data.txt'], { cwd });
});

describe('analyse advise', () => {
  it('prints one JSON object: a result a share and candidate', async () => {
    const quick = [
      '--test-measure',
      'p@5',
      '--candidates',
      'ap',
      '--seeds',
      '2',
      '--set',
      'epochs=2',
      '--shares',
      '1,0.5',
    ];
    const result = JSON.parse((await advise('data.txt', ...quick, '--json')).stdout);
    expect(result).toMatchObject({
      schema: 'listwise/analyse/1',
      analysis: 'advise',
      testMeasure: 'p@5',
      seeds: 2,
      shares: [0.5, 1],
      queries: { train: 36, validate: 12, test: 12 },
    });
    expect(result.results.map((row: { candidate: string; queries: number }) => [row.candidate, row.queries])).toEqual([
      ['p@5', 18],
      ['ap', 18],
      ['p@5', 36],
      ['ap', 36],
    ]);
    expect(Object.keys(result.results[1].adjusted)).toEqual(['t', 'wilcoxon', 'sign']);
  });

  it('takes test data of its own', async () => {
    const args = ['--test-measure', 'rr', '--test', join(cwd, 'data.txt'), '--seeds', '1', '--set', 'epochs=1'];
    const { stdout } = await advise('data.txt', ...args, '--candidates', 'ap');
    expect(stdout).toMatch(/on 60 test queries, mean of 1 seed/);
    expect(stdout).toMatch(/^ +48 {2}ap /m);
  });

  it.each([
    [[], 'say what counts in the end: --test-measure p@10 [usage]'],
    [['--test-measure', 'p@5,ap'], '--test-measure takes one measure, found 2 [usage]'],
    [
      ['--test-measure', 'p@5', '--shares', '2'],
      '--shares is numbers separated by commas, each above 0 and at most 1, found "2" [option-invalid]',
    ],
    [['--test-measure', 'p@5', '--candidates', 'p@5'], 'give a candidate beside the test measure p@5 [option-invalid]'],
  ])('%j is refused', async (args, message) => {
    expect(await advise('data.txt', ...args)).toMatchObject({ code: 2, stderr: `listwise: ${message}\n` });
  });
});
