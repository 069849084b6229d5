/** What pages say, against values computed in another way. */
import { beforeAll, describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { inspectDataset } from '#listwise/data/inspect.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasures } from '#listwise/measures/parse.js';
import type { LinesChart } from '#listwise/report/charts.js';
import { evaluatePage } from '#listwise/report/commands/evaluate.js';
import { inspectPage } from '#listwise/report/commands/inspect.js';
import { trainPage } from '#listwise/report/commands/train.js';
import type { Block, Report } from '#listwise/report/document.js';
import { featureProfiles } from '#listwise/report/feature-profile.js';
import { shownOn } from '#listwise/report/shown-on.js';
import { type Trained, train } from '#listwise/training/train.js';
import { origin } from './origin.js';

function blocks<Kind extends Block['kind']>(report: Report, kind: Kind): Extract<Block, { kind: Kind }>[] {
  return report.sections
    .flatMap(section => section.blocks)
    .filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind);
}

const data = generateDataset('mslr', { queries: 40, seed: 1 });

describe('evaluatePage', () => {
  const asked = parseMeasures('ndcg@10,ndcg(empty=skip)@10');
  const scores = data.column(0);
  const results = evaluate(
    data,
    scores,
    asked.map(({ measure }) => measure),
  );
  const page = evaluatePage({
    system: { name: 'first feature', data, scores },
    results,
    asked: asked.map(({ asked: name }) => name),
    curves: { context: {}, ties: 'expected', alpha: 0.05 },
    origin,
  });

  it('says the first value in one sentence', () => {
    expect(page.verdict).toMatch(
      new RegExp(
        `^first feature has ndcg@10 ${results[0]!.mean.toFixed(3)} \\(95 % interval 0\\.\\d{3} to 0\\.\\d{3}\\) over 40 queries`,
      ),
    );
  });

  it('counts every query that counts in the distribution', () => {
    const totals = blocks(page, 'histogram').map(({ bins }) => bins.reduce((sum, { count }) => sum + count, 0));
    expect(totals).toEqual(results.map(({ queries }) => queries));
  });

  it('lists all queries, worst first', () => {
    const { rows } = blocks(page, 'table').find(({ title }) => title === 'Queries')!;
    expect(rows).toHaveLength(40);
    // Queries that no order could make better follow those that fail.
    const key = (row: (typeof rows)[number]) => Number(row[1]) + (row.at(-1) === 0 ? 100 : 0);
    const values = rows.map(key);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(rows.some(row => row.at(-1) === 0)).toBe(true);
  });

  it('evaluates its curves by the label source of the measures', () => {
    const clicks = data.with({ labels: new Map([['clicks', data.label()]]) });
    const [{ measure }] = parseMeasures('ndcg(labels=clicks)@10') as [(typeof asked)[number]];
    const { sections } = evaluatePage({
      system: { name: 'x', data: clicks, scores },
      results: evaluate(clicks, scores, [measure]),
      asked: ['ndcg@10'],
      curves: { context: {}, ties: 'expected', alpha: 0.05 },
      origin,
    });
    const lines = sections
      .flatMap(section => section.blocks)
      .find((block): block is LinesChart => block.kind === 'lines')!;
    expect(lines.series[0]!.y[9]).toBe(results[0]!.mean);
  });
});

describe('inspectPage', () => {
  it('says what is odd in one sentence', () => {
    const { verdict } = inspectPage({ data, inspection: inspectDataset(data), origin });
    expect(verdict).toMatch(/^40 queries with [\d,]+ documents and 136 features(: .+|; nothing is odd)\.$/);
    const odd = data.with({ labels: new Map([['label', new Float64Array(data.rows)]]) });
    expect(inspectPage({ data: odd, inspection: inspectDataset(odd), origin }).verdict).toContain(
      '40 queries have no label above 0',
    );
  });

  it('correlates features with the label', () => {
    const labels = data.label();
    const [same, opposite, constant] = [
      Float64Array.from(data.column(0), value => 3 * value + 1),
      Float64Array.from(data.column(0), value => -value),
      new Float64Array(data.rows).fill(7),
    ].map(values => featureProfiles(data, values)[0]!.correlation);
    expect(same).toBeCloseTo(1, 6);
    expect(opposite).toBeCloseTo(-1, 6);
    expect(constant).toBeNaN();
    expect(Math.abs(featureProfiles(data, labels)[0]!.correlation)).toBeLessThan(1);
  });

  it('takes data without features or labels', () => {
    const bare = data.with({ featureNames: [], labels: new Map() });
    const { sections } = inspectPage({ data: bare, inspection: inspectDataset(bare), origin });
    expect(shownOn('page', sections).map(({ title }) => title)).toEqual(['Size', 'Queries']);
  });
});

describe('trainPage', () => {
  let linear: Trained;
  let trees: Trained;
  beforeAll(async () => {
    linear = await train({ data, model: 'linear', threads: 1, options: { epochs: 5 } });
    const select = 'graded(ndcg@10,ap,tolerance=0.01)';
    trees = await train({ data, model: 'trees', threads: 1, select, options: { trees: 6, diagnostics: true } });
  });

  it('draws training and validation as the log has them, the best iteration marked', () => {
    const [curves] = blocks(trainPage({ trained: linear, origin }), 'lines') as [LinesChart];
    expect(curves.series.map(({ name }) => name)).toEqual(['training', 'holdout']);
    expect(curves.series[1]!.y).toEqual(linear.log.map(({ validation }) => validation[0]));
    expect(curves.marks).toEqual([{ x: linear.best.iteration, label: `best: ${linear.best.iteration}` }]);
  });

  it('has a chart for each measure that selects, and those of the diagnostics', () => {
    const titles = blocks(trainPage({ trained: trees, origin }), 'lines').map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining([
        'ndcg@10 by iteration',
        'ap by iteration',
        'Labels in the top 3',
        'Lambda by label',
        'Labels that the lambda on highly relevant documents comes from',
      ]),
    );
  });

  it('shows shares of gain that add up, and weights, largest first', () => {
    const [shares] = blocks(trainPage({ trained: trees, origin }), 'bars');
    expect(shares!.bars.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(1, 12);
    const [weights] = blocks(trainPage({ trained: linear, origin }), 'bars');
    const sizes = weights!.bars.map(({ value }) => Math.abs(value));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });

  it('says one sentence', () => {
    expect(trainPage({ trained: linear, origin }).verdict).toMatch(
      /^ndcg@10 reaches 0\.\d{4} on 8 holdout queries, at iteration \d of 5; all iterations were done\.$/,
    );
  });
});
