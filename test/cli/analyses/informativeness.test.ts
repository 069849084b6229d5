import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const informativeness = (...args: string[]) => run(['analyse', 'informativeness', ...args]);
const runs = ['--qrels', 'qrels.txt', '--system', 'bm25=bm25.run', '--system', 'tuned=tuned.run'];

describe('analyse informativeness', () => {
  it('prints one JSON object: errors of curves and predictions for each measure; writes a page', async () => {
    const page = join(temporaryDirectory(), 'page.html');
    const { stdout } = await informativeness(
      ...runs,
      '-m',
      'map,p@3',
      '--predict',
      'ndcg,rr',
      '--report',
      page,
      '--json',
    );
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      schema: 'listwise/analyse/1',
      analysis: 'informativeness',
      systems: ['bm25', 'tuned'],
      verdict: expect.stringMatching(/^\w+ tells most of 2 measures: /),
    });
    const [ap, top] = result.results;
    expect(ap).toMatchObject({ measure: 'map', lists: 22, empty: 2 });
    expect(ap.rms).toBeLessThan(top.rms);
    expect(ap.predictions.map(({ measure }: { measure: string }) => measure)).toEqual(['ndcg', 'rr']);
    expect(ap.predictions[0].systems).toHaveLength(2);
    expect(readFileSync(page, 'utf8')).toContain('Mean precision by recall');
  });

  it.each([
    [['-m', 'rr'], 'labels cannot be inferred from rr', 'spec-parameter'],
    [['--predict', 'bpref'], 'cannot predict bpref', 'spec-parameter'],
    [['-m', 'nope'], 'there is no measure "nope"', 'spec-unknown'],
  ])('%j is refused', async (args, message, code) => {
    const outcome = await informativeness(...runs, ...args);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain(message);
    expect(outcome.stderr).toContain(`[${code}]`);
  });

  it('takes the models along training as systems, the last one too', async () => {
    const flags = ['--train', 'test.txt', '--objective', 'ranknet', '--set', 'epochs=5', '--set', 'patience=0'];
    const { stdout } = await informativeness('test.txt', ...flags, '--every', '2', '-m', 'ap', '--json');
    expect(JSON.parse(stdout).systems).toEqual(['ranknet after 2', 'ranknet after 4', 'ranknet after 5']);
  });

  it.each([
    [['test.txt', '--system', 'a=linear.json', '--every', '2'], '--every does not go with systems alone'],
    [['--qrels', 'qrels.txt', '--train', 'test.txt'], '--train does not go with --qrels'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await informativeness(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('needs a system', async () => {
    const { code, stderr } = await informativeness('test.txt');
    expect([code, stderr]).toEqual([2, 'listwise: give --system NAME=FILE at least once, found 0 [usage]\n']);
  });
});
