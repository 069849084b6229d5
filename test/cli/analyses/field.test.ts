import { describe, expect, it } from 'vitest';
import { run } from '../run.js';

const field = (...args: string[]) => run(['analyse', 'field', ...args]);

describe('analyse field', () => {
  it('prints one JSON object: a result an objective, with the lambdas on one query', async () => {
    const result = JSON.parse(
      (await field('test.txt', '--objective', 'ranknet', '--objective', 'lambdarank(ap)', '--json')).stdout,
    );
    expect(result).toMatchObject({ schema: 'listwise/analyse/1', analysis: 'field', scores: 'random', points: 4 });
    expect(result.results).toMatchObject([
      { objective: 'ranknet', kind: 'gradient', convex: true },
      { objective: 'lambdarank(ap)', kind: 'gradient between swaps', convex: true },
    ]);
    const [lambdas, others] = result.results.map((row: { lambdas: unknown }) => row.lambdas);
    const sum = lambdas.documents.reduce((total: number, { lambda }: { lambda: number }) => total + lambda, 0);
    expect(Math.abs(sum)).toBeLessThan(1e-12);
    // The same scores for every objective.
    const scores = (of: { documents: { score: number }[] }) => of.documents.map(({ score }) => score);
    expect(scores(lambdas)).toEqual(scores(others));
    expect(scores(lambdas)).toEqual(scores(lambdas).toSorted((a: number, b: number) => b - a));
  });

  it('looks at the scores of a model', async () => {
    const { stdout } = await field('test.txt', 'linear.json', '--objective', 'lambdarank(ndcg)', '--queries', '2');
    expect(stdout).toContain('The worst of 2 score vectors.');
    expect(stdout).toMatch(/^lambdarank\(ndcg\): the lambdas sum to zero/);
  });

  it('looks at scores that are given', async () => {
    const asked = ['test.txt', '--query', '1', '--objective', 'ranknet', '--at', '-1,2,3.5,0,1e-3,-4', '--json'];
    const { scores, points, results } = JSON.parse((await field(...asked)).stdout);
    expect([scores, points]).toEqual([[-1, 2, 3.5, 0, 0.001, -4], 1]);
    const found = results[0].lambdas.documents.map(({ score }: { score: number }) => score);
    expect(found).toEqual([3.5, 2, 0.001, 0, -1, -4]);
  });

  it.each([
    [
      ['test.txt', '--query', '1', '--at', '1,2'],
      '--at is a score for each document: query "1" has 6, found 2 [option-invalid]',
    ],
    [['test.txt', '--at', '1,2'], '--at needs --query ID [usage]'],
    [
      ['test.txt', '--query', '1', '--at', '1', '--points', '9'],
      '--points does not go with --at, which gives the scores [usage]',
    ],
    [['test.txt', 'linear.json', '--points', '9'], '--points does not go with the scores of a model [usage]'],
    [['test.txt', '--deviation', '0'], '--deviation is a number above 0, found "0" [option-invalid]'],
    [['test.txt', '-m', 'ap'], "unknown option '-m' [usage]"],
  ])('%j is refused', async (args, message) => {
    expect(await field(...args)).toMatchObject({ code: 2, stderr: `listwise: ${message}\n` });
  });
});
