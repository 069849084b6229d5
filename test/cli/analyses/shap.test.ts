import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const analyse = (...args: string[]) => run(['analyse', ...args]);
const background = ['--background', 'test.txt'];

interface Shapley {
  how: string;
  base: number;
  documents: number;
  verdict: string;
  results: { feature: string; mean: number; share: number; direction: number | null }[];
  interactions: { features: [string, string]; mean: number }[];
}

describe('analyse shap', () => {
  it('says what features add, in JSON, text and page alike, on any number of threads', async () => {
    const page = join(temporaryDirectory(), 'page.html');
    const args = ['shap', 'trees.json', 'test.txt', ...background, '--interactions'];
    const { stdout } = await analyse(...args, '--json', '--report', page, '--threads', '2');
    const found: Shapley = JSON.parse(stdout);
    expect(found).toMatchObject({ analysis: 'shap', how: 'background', documents: 71 });
    expect(found.results.map(({ feature }) => feature)).toEqual(['1', '2', '3']);
    expect(found.results.at(-1)).toMatchObject({ mean: 0, share: 0, direction: null });
    expect(found.results.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(found.interactions.map(({ features }) => features)).toEqual([['1', '2']]);
    const text = (await analyse(...args, '--threads', '1')).stdout;
    expect(text).toContain(`${found.verdict}\n`);
    expect(text).toMatch(/^1 +0\.\d+ +\d+\.\d %/m);
    expect(readFileSync(page, 'utf8')).toContain('Shapley values by document');
  });

  it('takes linear models, where every feature acts alone, and a part of the documents', async () => {
    const args = ['shap', 'linear.json', 'test.txt', ...background, '--interactions', '--documents', '20', '--json'];
    const found: Shapley = JSON.parse((await analyse(...args)).stdout);
    expect(found).toMatchObject({ documents: 20, interactions: [] });
    expect(found.results.map(({ direction }) => Number(direction!.toFixed(6)))).toEqual([1, 1, 1]);
  });

  it.each([
    [['shap', 'trees.json', 'test.txt'], 'give documents to compare with as --background [background-missing]'],
    [['shap', 'trees.json', 'test.txt', '--feature', 'x'], 'the model has no feature "x"'],
    [['dependence', 'trees.json', 'test.txt'], 'give --feature NAME'],
    [['dependence', 'trees.json', 'test.txt', '--feature', 'x'], 'the model has no feature "x"'],
    [['tree', 'linear.json'], 'a linear model has no trees to draw'],
    [['tree', 'trees.json', '--tree', '2'], 'the model has 1 tree; --tree is 2'],
  ])('%j says what to do', async (args, message) => {
    const { code, stdout, stderr } = await analyse(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('analyse tree', () => {
  it('draws a tree line by line', async () => {
    const { stdout } = await analyse('tree', 'trees.json');
    expect(stdout).toContain('Tree 1 of 1: 4 leaves, 2 features.');
    expect(stdout).toContain('feature 1 <= 0.93');
    expect(stdout).toMatch(/\| {2}\| {2}yes: leaf 0 .*-0\.1301/);
  });

  it('of XGBoost, whose documents are weights', async () => {
    const file = fileURLToPath(new URL('../../interop/recorded/xgboost-ndcg.json', import.meta.url));
    const { stdout } = await analyse('tree', file, '--tree', '2');
    expect(stdout).toMatch(/^tree +weight +gain +adds$/m);
  });
});
