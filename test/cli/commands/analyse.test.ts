import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyses } from '#listwise/cli/declarations/analyses/all.js';
import { printModel } from '#listwise/models/model-file.js';
import { randomEnsemble } from '../../models/random-trees.js';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const importance = (...args: string[]) => run(['analyse', 'importance', ...args]);

describe('analyse importance', () => {
  it('prints one JSON object: gain first without data, the drop with it', async () => {
    const alone = JSON.parse((await importance('trees.json', '--json')).stdout);
    expect(alone).toMatchObject({ schema: 'listwise/analyse/1', analysis: 'importance' });
    expect(alone.verdict).toBe('Feature 1 matters most to this trees model.');
    expect(alone.results.map((row: { feature: string }) => row.feature)).toEqual(['1', '2', '3']);
    expect(Object.keys(alone.results[0])).toEqual(['feature', 'splits', 'gain']);
    const evaluated = JSON.parse((await importance('linear.json', 'test.txt', '-m', 'ap', '--json')).stdout);
    expect(evaluated).toMatchObject({ repeats: 5, within: 'query', measures: [{ measure: 'ap' }] });
    expect(evaluated.results[0]).toMatchObject({ feature: '1', drops: [{ measure: 'ap' }] });
    expect(evaluated.verdict).toContain(`it costs ${evaluated.results[0].drops[0].mean.toFixed(4)} of ap`);
  });

  it('shows 20 features unless --all is given', async () => {
    const file = join(temporaryDirectory(), 'wide.json');
    writeFileSync(file, printModel(randomEnsemble(1, { features: 30, leaves: [50], grid: 9, skew: 0 })));
    expect((await importance(file)).stdout).toContain('… and 10 more (--all shows every one)');
    expect((await importance(file, '--all')).stdout.trim().split('\n')).toHaveLength(34);
  });

  it.each([
    [
      ['analyse', 'nothing', 'trees.json'],
      `there is no analysis "nothing". Analyses: ${analyses.members.map(({ name }) => name).join(', ')}`,
    ],
    [['analyse', 'importance'], 'write "listwise analyse importance <model> [data]"; found 0 inputs'],
    [['analyse', 'importance', 'a', 'b', 'c'], 'write "listwise analyse importance <model> [data]"; found 3 inputs'],
    [
      ['analyse', 'importance', 'linear.json'],
      'a linear model has no splits to count; give DATA for importance by permutation',
    ],
    [['analyse', 'importance', 'trees.json', '-m', 'ap'], '--measure does not go with a model alone: give DATA'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await run(args);
    expect(stderr).toBe(`listwise: ${message} [usage]\n`);
    expect(code).toBe(2);
  });

  it('refuses repeats that are no whole number', async () => {
    const { code, stderr } = await importance('linear.json', 'test.txt', '--repeats', '0');
    expect([code, stderr]).toEqual([
      2,
      'listwise: --repeats is a whole number of at least 1, found "0" [option-invalid]\n',
    ]);
  });
});
