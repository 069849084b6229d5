import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const approximation = (...args: string[]) => run(['analyse', 'approximation', ...args]);

describe('analyse approximation', () => {
  it('trains for each value and prints one JSON object; writes a page', async () => {
    const page = join(temporaryDirectory(), 'page.html');
    const { stdout } = await approximation(
      'test.txt',
      '--vary',
      'alpha=1,50',
      '--set',
      'epochs=3',
      '--report',
      page,
      '--json',
    );
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ schema: 'listwise/analyse/1', analysis: 'approximation', model: 'linear' });
    expect(result.results.map(({ objective }: { objective: string }) => objective)).toEqual([
      'approx(ndcg,alpha=1)',
      'approx(ndcg,alpha=50)',
    ]);
    for (const { iterations } of result.results) {
      expect(iterations.map(({ iteration }: { iteration: number }) => iteration)).toEqual([1, 2, 3]);
      for (const { error } of iterations) expect(error).toBeGreaterThan(0);
    }
    expect(readFileSync(page, 'utf8')).toContain('Error by iteration');
  });

  it('follows the error on validation data, by the protocol of a config file', async () => {
    const config = join(temporaryDirectory(), 'config.json');
    const protocol = { model: 'net', objective: 'softrank(ap)', select: 'p@3', options: { hidden: [2], epochs: 2 } };
    writeFileSync(config, JSON.stringify(protocol));
    const { stdout, stderr } = await approximation('test.txt', '--validate', 'test.txt', '--config', config, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      model: 'net',
      followed: 'test.txt',
      results: [{ objective: 'softrank(ap)', iterations: [{ iteration: 1 }, { iteration: 2 }] }],
    });
    expect(stderr).toContain('not used here, where the analysis itself says: select');
  });

  it('looks at the scores of a model', async () => {
    const { stdout } = await approximation('linear.json', 'test.txt', '--objective', 'softrank(ap)', '--json');
    const [only] = JSON.parse(stdout).results;
    expect(only).toMatchObject({ objective: 'softrank(ap)', queries: 11 });
    expect(only.perQuery).toHaveLength(12);
    expect(only.error).toBeGreaterThan(0);
  });

  it.each([
    [['test.txt', '--objective', 'ranknet'], 'ranknet approximates no measure', 'spec-parameter'],
    [['test.txt', '--vary', 'alpha'], '--vary takes KEY=VALUE,VALUE,…, found "alpha"', 'option-invalid'],
    [['test.txt', '--vary', 'alpha=1,1'], 'approx(ndcg,alpha=1) is given twice', 'usage'],
    [['test.txt', '--vary', 'what=1'], 'approx has no parameter "what"', 'spec-parameter'],
    [['linear.json', 'test.txt', '--set', 'epochs=3'], '--set does not go with a model', 'usage'],
  ])('%j is refused', async (args, message, code) => {
    const outcome = await approximation(...args);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain(message);
    expect(outcome.stderr).toContain(`[${code}]`);
  });
});
