import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const optimality = (...args: string[]) => run(['analyse', 'optimality', ...args]);

describe('analyse optimality', () => {
  it('prints one JSON object: a result a model, data and measure', async () => {
    const { stdout } = await optimality(
      'linear.json',
      'trees.json',
      'test.txt',
      '-m',
      'ndcg@3,ap',
      '--weights',
      '2',
      '--json',
    );
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      schema: 'listwise/analyse/1',
      analysis: 'optimality',
      epsilon: 0.01,
      delta: 0.01,
      threshold: 0.003,
    });
    expect(result.results.map((row: { model: string; measure: string }) => `${row.model} ${row.measure}`)).toEqual([
      'linear.json ndcg@3',
      'linear.json ap',
      'trees.json ndcg@3',
      'trees.json ap',
    ]);
    const [first] = result.results;
    expect(first.random).toMatchObject({ directions: 459, alterations: 4590 });
    expect(first.single).toMatchObject({ directions: 2, alterations: 40 });
    expect(first.curves).toHaveLength(4);
    expect(first.verdict).toMatch(/^A local optimum of ndcg@3/);
    expect(result.verdict).toMatch(/^Of 4 cases 3 are local optima /);
  });

  it('says one sentence first, and finds random weights out', async () => {
    const { stdout } = await optimality('linear.json', 'test.txt', '-m', 'ndcg@3', '--directions', '100', '--control');
    expect(stdout.split('\n')[0]).toMatch(/^Of 2 cases 1 is a local optimum /);
    expect(stdout).toMatch(/linear\.json, random +test\.txt +ndcg@3 .* no$/m);
  });

  it('alters a model whose file names only the features that it uses', async () => {
    const file = join(temporaryDirectory(), 'weights.json');
    writeFileSync(file, '{"1": 1}');
    const { code, stdout } = await optimality(
      file,
      'test.txt',
      '-m',
      'ndcg@3',
      '--directions',
      '20',
      '--control',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results).toHaveLength(2);
  });

  it('tells the length of the parameters, and where steps are short beside it', async () => {
    const args = ['linear.json', 'test.txt', '-m', 'ndcg@3', '--directions', '20'];
    const { norm } = JSON.parse((await optimality(...args, '--json')).stdout).results[0];
    const short = await optimality(...args, '--steps', String(norm / 20));
    expect(short.stderr).toContain('linear.json: the longest step is 5 % of the length of the weights');
    expect(short.stdout).toMatch(/, together of length [\d.]+; a step of 1 has length 1, [\d.e+]+ % of that\.$/m);
    const relative = await optimality(...args, '--relative');
    expect(relative.stderr).not.toContain('longest step');
    expect(relative.stdout).toMatch(/, together of length ([\d.]+); a step of 1 has length \1, 100 % of that\.$/m);
  });

  it.each([
    [['linear.json', 'trees.json'], 'give at least one model file and one DATA, found 2 and 0', 'usage'],
    [['test.txt', 'test.txt'], 'give at least one model file and one DATA, found 0 and 2', 'usage'],
    [
      ['linear.json', 'test.txt', '--epsilon', '1'],
      '--epsilon is a number above 0 and below 1, found "1"',
      'option-invalid',
    ],
    [
      ['linear.json', 'test.txt', '--steps', '0.1,x'],
      '--steps is numbers separated by commas, each above 0, found "x"',
      'option-invalid',
    ],
    [
      ['linear.json', 'test.txt', '--directions', '0'],
      '--directions is a whole number of at least 1, found "0"',
      'option-invalid',
    ],
  ])('%j is refused', async (args, message, code) => {
    expect(await optimality(...args)).toMatchObject({ code: 2, stderr: `listwise: ${message} [${code}]\n` });
  });
});
