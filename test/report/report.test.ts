import { expect, it } from 'vitest';
import { compareSystems } from '#listwise/analysis/compare.js';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { scoreData } from '#listwise/models/ranker.js';
import type { Report } from '#listwise/report/document.js';
import { report } from '#listwise/report/report.js';
import { ridge } from '#listwise/training/baselines/ridge.js';
import { train } from '#listwise/training/train.js';

const data = generateDataset('mslr', { queries: 20, seed: 3 });
const scores = scoreData(ridge(data), data);
const zeros = new Float64Array(data.rows);

function content(page: string): Report {
  expect(page).toMatch(/^<!doctype html>/);
  return JSON.parse(/<script type="application\/json" id="report">(.*?)<\/script>/s.exec(page)![1]!);
}

it('is the page of a training run', async () => {
  const trained = await train({ model: 'linear', data, options: { epochs: 3 }, holdout: 0.5, seed: 7 });
  const { verdict, origin, sections } = content(report(trained, { command: 'node own.mjs' }));
  expect(verdict).toContain('ndcg@10 reaches');
  expect(origin).toMatchObject({ command: 'node own.mjs', seed: 7, options: { model: 'linear', epochs: '3' } });
  expect(sections[0]!.title).toBe('Learning curves');
});

it('is the page of an evaluation, with the names that measures were asked for by', () => {
  const page = content(report(evaluate(data, scores, 'ndcg_cut_5,ap'), { name: 'ridge', title: 'My page' }));
  expect(page.title).toBe('My page');
  expect(page.verdict).toMatch(/^ridge has ndcg_cut_5 0\.\d+/);
  expect(page.sections.map(({ title }) => title)).toContain('By cut-off');
  expect(page.origin.data).toMatchObject([{ file: 'ridge', queries: 20 }]);
});

it('is the page of a comparison', () => {
  const systems = [
    { name: 'ridge', data, scores },
    { name: 'zeros', data, scores: zeros },
  ];
  const page = content(report(compareSystems(systems, 'ndcg@10,ap')));
  expect(page.verdict).toContain('ridge ranks better than zeros');
  expect(page.sections.map(({ title }) => title)).toContain('Query by query');
  expect(page.origin.data).toHaveLength(1);
});

it('refuses no results', () => {
  expect(() => report([])).toThrow('no results');
});
