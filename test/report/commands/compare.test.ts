import { describe, expect, it } from 'vitest';
import { compareSystems } from '#listwise/analysis/compare.js';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { parseMeasures } from '#listwise/measures/parse.js';
import type { IntervalsChart, LinesChart, SortedBarsChart } from '#listwise/report/charts.js';
import { comparePage, compareVerdict } from '#listwise/report/commands/compare.js';
import type { Block, ChoiceBlock } from '#listwise/report/document.js';
import { origin } from '../origin.js';

const data = generateDataset('cubic', { queries: 30, documents: 20, features: 3, seed: 1 });
const measures = parseMeasures('ndcg@10,ap');
const none = new Float64Array(data.rows);
const noise = Float64Array.from({ length: data.rows }, (_, i) => Math.sin(i * i));

function compared(named: Readonly<Record<string, Float64Array>>) {
  const systems = Object.entries(named).map(([name, scores]) => ({ name, data, scores }));
  return { systems, comparison: compareSystems(systems, measures, { seed: 1 }) };
}

const two = compared({ labels: data.label(), plain: none });
const page = comparePage({ ...two, curves: { context: {}, ties: 'expected' }, origin });
const blocks = page.sections.flatMap(section => section.blocks);
const ofKind = <Kind extends Block['kind']>(kind: Kind) =>
  blocks.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind);

describe('compareVerdict', () => {
  it('says the result of two systems in one sentence, the better one first', () => {
    const sentence =
      /^labels ranks better than plain: ndcg@10 1\.000 against 0\.\d{3}, a difference that chance hardly explains \(randomisation test, p\u00a0<\u00a00\.001\); the same by ap\.$/;
    expect(compareVerdict(two.comparison)).toMatch(sentence);
    expect(compareVerdict(compared({ plain: none, labels: data.label() }).comparison)).toMatch(sentence);
  });

  it('claims nothing where nothing can be', () => {
    const { comparison } = compared({ plain: none, same: none });
    expect(compareVerdict(comparison)).toMatch(/^No difference can be claimed between .* p\u00a0=\u00a01\.000\)/);
  });

  it('of several systems says what can be said of the best', () => {
    const { comparison } = compared({ plain: none, labels: data.label(), twin: data.label(), noise });
    expect(compareVerdict(comparison)).toBe(
      'labels has the highest ndcg@10, 1.000: significantly better than plain and noise; no difference to twin can be claimed (randomisation test); highest by ap, too.',
    );
  });
});

describe('comparePage', () => {
  it('has the sections of a comparison, the verdict on top', () => {
    expect(page.verdict).toBe(compareVerdict(two.comparison));
    expect(page.sections.map(({ title }) => title)).toEqual([
      'Means',
      'Differences',
      'By cut-off',
      'Query by query',
      'Labels',
    ]);
  });

  it('gives curves by cut-off with an interval at each, ending in the value of the table', () => {
    const [ndcg, precision] = ofKind('lines') as [LinesChart, LinesChart];
    expect([ndcg.title, precision.title]).toEqual(['ndcg@k', 'p@k']);
    for (const { x, y, low, high } of [...ndcg.series, ...precision.series]) {
      expect(x).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      y.forEach((value, i) => {
        expect(value).toBeGreaterThanOrEqual(low![i]!);
        expect(value).toBeLessThanOrEqual(high![i]!);
      });
    }
    expect(ndcg.series[1]!.y[9]).toBe(two.comparison.systems[1]!.means['ndcg@10']);
  });

  it('has a bar a query that adds up to the difference of the means', () => {
    const [bars] = ofKind('choice')[0]!.charts as [SortedBarsChart];
    expect(bars.bars).toHaveLength(30);
    const mean = bars.bars.reduce((sum, { value }) => sum + value, 0) / 30;
    expect(mean).toBeCloseTo(two.comparison.pairs[0]!.difference, 12);
  });

  it('matches queries by their id where systems have them in another order', () => {
    const reversed = data.with({ queryIds: [...data.queryIds].reverse() });
    const systems = [two.systems[0]!, { name: 'other', data: reversed, scores: noise }];
    const comparison = compareSystems(systems, measures, { seed: 1 });
    const { sections } = comparePage({ systems, comparison, curves: { context: {}, ties: 'expected' }, origin });
    const choice = sections.flatMap(section => section.blocks).find(block => block.kind === 'choice')!;
    const [bars] = choice.charts as [SortedBarsChart];
    const values = comparison.systems[1]!.results[0]!.values;
    for (const { name, details } of bars.bars) {
      expect(details![1]!.value).toBe(values[reversed.queryIds.indexOf(name)]);
    }
  });

  it('lets choose a pair, those of the best system first and all on one scale, and says how many are left out', () => {
    const many = compared({ a: noise, b: none, c: data.label(), d: noise, e: none, f: noise });
    const { sections } = comparePage({ ...many, curves: { context: {}, ties: 'expected' }, origin });
    const { blocks, lead } = sections.find(({ title }) => title === 'Query by query')!;
    const [choice] = blocks as [ChoiceBlock];
    expect(choice.charts).toHaveLength(10);
    expect(choice.charts.slice(0, 5).every(({ title }) => /\bc\b/.test(title))).toBe(true);
    expect(new Set(choice.charts.map(chart => JSON.stringify((chart as SortedBarsChart).y.domain))).size).toBe(1);
    expect(lead).toContain('10 of 15 pairs can be chosen, those of c first');
  });

  it('draws the paired differences beside zero, those that are significant in another colour', () => {
    const forest = ofKind('intervals')[1] as IntervalsChart;
    expect(forest.reference).toBe(0);
    expect(forest.dots.map(({ label, series, value }) => [label, series, value])).toEqual(
      two.comparison.pairs.map(({ measure, significant, difference }) => [
        measure,
        significant ? 'significant' : 'not significant',
        difference,
      ]),
    );
  });

  it('has the system with the highest mean first, in every picture', () => {
    const [means] = ofKind('intervals') as [IntervalsChart];
    const highest = two.comparison.systems.toSorted((a, b) => b.means['ndcg@10']! - a.means['ndcg@10']!)[0]!.name;
    expect(means.dots[0]!.series).toBe(highest);
    expect((ofKind('lines')[0] as LinesChart).series[0]!.name).toBe(highest);
  });
});
