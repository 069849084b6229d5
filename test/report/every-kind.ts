/** A report that holds every kind of block and chart, with names and values that are hard to draw. */
import type { Chart } from '#listwise/report/charts.js';
import type { Report } from '#listwise/report/document.js';

const steps = Array.from({ length: 60 }, (_, i) => i + 1);
const wave = (i: number, shift: number) => 0.5 - 0.3 * Math.exp(-i / 12) + 0.01 * Math.sin(i + shift);
const nasty = 'a <b>long</b> &\u0001 "quoted" name </script> that does not fit anywhere at all';
/** Cut in the middle they would be the same. */
export const longNames = ['Gradient', 'Cost'].map(name => `Table 1: Local${name} less RankNetWeightPairs`);

export const charts: { readonly [Kind in Chart['kind']]: Extract<Chart, { kind: Kind }> } = {
  lines: {
    kind: 'lines',
    title: 'Learning curves: ndcg@10',
    note: 'Bands are 95 % confidence intervals.',
    x: { label: 'iteration', style: 'count' },
    y: { label: 'ndcg@10', style: 'value' },
    series: [
      { name: 'training', x: steps, y: steps.map(i => wave(i, 0) + 0.05) },
      {
        name: 'validation',
        x: steps,
        y: steps.map(i => (i === 20 ? Number.NaN : wave(i, 2))),
        low: steps.map(i => wave(i, 2) - 0.03),
        high: steps.map(i => wave(i, 2) + 0.03),
      },
      { name: nasty, x: steps, y: steps.map(i => wave(i, 4) - 0.1) },
    ],
    marks: [{ x: 47, label: 'best: 47' }],
  },
  intervals: {
    kind: 'intervals',
    title: 'Means',
    x: { label: 'mean', style: 'value' },
    dots: [...longNames, 'ap', 'rr'].flatMap((label, m) =>
      ['trees', 'ridge', nasty].map((series, s) => {
        const value = 0.3 + 0.1 * m - 0.04 * s;
        return { label, series, value, low: value - 0.02, high: value + 0.02 };
      }),
    ),
  },
  'sorted-bars': {
    kind: 'sorted-bars',
    title: 'Wins and losses: ndcg@10',
    y: { label: 'difference', style: 'difference' },
    item: 'query',
    above: 'trees better',
    below: 'ridge better',
    bars: Array.from({ length: 120 }, (_, i) => ({
      name: String(100 + i),
      value: i % 10 === 0 ? 0 : Math.sin(i) * 0.4 + 0.1,
      details: [
        { label: 'trees', value: 0.5 + Math.sin(i) * 0.4, style: 'value' as const },
        { label: 'ridge', value: 0.4, style: 'value' as const },
      ],
    })),
  },
  bars: {
    kind: 'bars',
    title: 'Importance by gain',
    x: { label: 'share of the gain', style: 'percent' },
    item: 'feature',
    bars: Array.from({ length: 32 }, (_, i) => ({
      name: i === 2 ? nasty : `feature ${i + 1}`,
      value: 0.3 * 0.8 ** i,
      low: 0.27 * 0.8 ** i,
      high: 0.33 * 0.8 ** i,
      details: [{ label: 'splits', value: 100 - i, style: 'count' as const }],
    })),
  },
  histogram: {
    kind: 'histogram',
    title: 'Queries by ndcg@10',
    x: { label: 'ndcg@10' },
    y: { label: 'queries', style: 'count' },
    bins: Array.from({ length: 20 }, (_, i) => ({ from: i / 20, to: (i + 1) / 20, count: 4 * i * (21 - i) })),
    marks: [{ x: 0.53, label: 'mean 0.53' }],
  },
  scatter: {
    kind: 'scatter',
    title: 'Query by query',
    x: { label: 'ridge', style: 'value' },
    y: { label: 'trees', style: 'value' },
    item: 'query',
    diagonal: true,
    points: Array.from({ length: 90 }, (_, i) => ({
      name: String(i),
      x: 0.5 + 0.4 * Math.sin(i * 7),
      y: 0.5 + 0.4 * Math.sin(i * 7 + 0.5),
      series: i % 2 === 0 ? 'seen' : 'unseen',
    })),
  },
  'heat-map': {
    kind: 'heat-map',
    title: 'Trained for one measure, evaluated by another',
    rowLabel: 'trained for',
    columnLabel: 'evaluated by',
    valueLabel: 'mean',
    rows: ['ndcg', 'ap', 'p@10', 'rr'],
    columns: ['ndcg', 'ap', 'p@10', 'rr'],
    values: [0, 1, 2, 3].map(r =>
      [0, 1, 2, 3].map(c => (r === 3 && c === 0 ? Number.NaN : 0.5 - 0.05 * Math.abs(r - c))),
    ),
  },
  slopes: {
    kind: 'slopes',
    title: 'Ranks under two models',
    item: 'document',
    from: 'ridge',
    to: nasty,
    lines: Array.from({ length: 30 }, (_, i) => ({
      name: i === 4 ? nasty : `d${i + 1}`,
      from: ((i * 7) % 30) + 1,
      to: i + 1,
      series: i % 5 === 0 ? 'unjudged' : `label ${i % 3}`,
    })),
  },
  waterfall: {
    kind: 'waterfall',
    title: 'From d2 to d1',
    x: { label: 'score', style: 'value' },
    item: 'feature',
    from: { name: 'd2 (rank 4)', value: -0.5 },
    to: {
      name: nasty,
      value: -0.5 + Array.from({ length: 16 }, (_, i) => Math.sin(i) / (i + 1)).reduce((a, b) => a + b),
    },
    steps: Array.from({ length: 16 }, (_, i) => ({
      name: i === 2 ? nasty : i === 15 ? 'together' : `feature ${i + 1}`,
      adds: Math.sin(i) / (i + 1),
      details: [{ label: 'd1', value: i }],
      ofAll: i === 15,
    })),
  },
  arrows: {
    kind: 'arrows',
    title: 'Lambdas on the documents of query 7',
    x: { label: 'score' },
    item: 'document',
    lengthLabel: 'lambda',
    arrows: Array.from({ length: 12 }, (_, i) => ({
      name: `d${i + 1}`,
      at: 3 - i / 3,
      length: Math.sin(3 * i) / 4,
      series: `label ${i % 3}`,
    })),
  },
  swarm: {
    kind: 'swarm',
    title: 'Shapley values by document',
    x: { label: 'adds to the score', style: 'difference' },
    item: 'document',
    rowItem: 'feature',
    names: steps.map(String),
    rows: [
      ...['bm25', nasty, 'the same for all'].map((name, r) => ({
        name,
        x: steps.map(i => (r === 2 ? 0 : Math.sin(i * (r + 1)) * wave(i, r))),
        values: steps.map(i => (i % 7 === 0 ? Number.NaN : Math.sin(i * (r + 1)))),
      })),
      { name: 'brand', names: ['a', 'b', 'c'], x: [-0.5, 0.25, 1], texts: ['level 0', 'level 1', 'level 2'] },
    ],
  },
  tree: {
    kind: 'tree',
    title: 'Tree 1',
    note: 'Lines are as thick as the share of training documents.',
    valueLabel: 'adds to the score',
    nodes: [
      { label: '', depth: 1, parent: 1, answer: 'yes, missing', share: 0.7, value: -0.5 },
      { label: `feature ${nasty} <= 3.5`, depth: 0, answer: '', share: 1 },
      { label: '', depth: 2, parent: 3, answer: 'yes', share: 0.1, value: 0.25 },
      { label: 'feature bm25 <= -0.125', depth: 1, parent: 1, answer: 'no', share: Number.NaN },
      { label: '', depth: 2, parent: 3, answer: 'no, missing', share: 0.2, value: 0 },
    ],
  },
};

export const everyKind: Report = {
  title: `Every kind of block, and ${nasty}`,
  verdict: `The verdict is one sentence, whatever ${nasty} it names.`,
  sections: [
    {
      title: 'Numbers',
      lead: 'A lead says how to read what follows.',
      blocks: [
        {
          kind: 'values',
          values: [
            { label: 'best iteration', value: 47, style: 'count', note: 'of 60' },
            { label: 'ndcg@10', value: 0.51234, style: 'value', note: '0.4872 to 0.5375' },
            { label: 'time', value: 12.4, style: 'seconds' },
            { label: 'objective', value: 'lambdarank(ndcg@10)' },
          ],
        },
        { kind: 'text', text: `A remark that names ${nasty}.` },
        {
          kind: 'table',
          title: 'Differences',
          columns: [{ title: 'pair' }, { title: 'difference', style: 'difference' }, { title: 'p', style: 'p' }],
          rows: Array.from({ length: 31 }, (_, i) => [
            i === 3 ? nasty : `pair ${i}`,
            { value: i === 5 ? Number.NaN : Math.sin(i), note: `${i} to ${i + 1}` },
            10 ** -i,
          ]),
        },
        {
          kind: 'table',
          title: 'More columns than paper takes at their own width',
          columns: [
            { title: 'objective' },
            ...Array.from({ length: 12 }, (_, i) => ({ title: `minDocuments${i}`, style: 'value' as const })),
          ],
          rows: [
            [
              'normalise(lambdarank(ndcg@10))',
              ...Array.from({ length: 12 }, () => ({ value: 1, note: '0.4614 to 0.5852' })),
            ],
          ],
        },
        {
          kind: 'table',
          title: 'More rows than paper takes',
          columns: [{ title: 'row', style: 'count' }],
          rows: Array.from({ length: 1234 }, (_, i) => [i]),
        },
      ],
    },
    ...Object.values(charts).map(chart => ({ title: chart.kind, blocks: [chart] })),
    { title: 'Side by side', blocks: [charts.histogram, charts.scatter] },
    { title: 'Three', blocks: [charts.histogram, charts.scatter, charts.lines] },
    { title: 'One of several', blocks: [{ kind: 'choice', label: 'Pair', charts: [charts.bars, charts.lines] }] },
  ],
  origin: {
    command: `listwise train '${nasty}'`,
    options: { model: 'trees', trees: 100, resume: false, label: nasty },
    version: '0.0.0',
    node: '20.0.0',
    data: [{ file: nasty, fingerprint: '0123456789abcdef', queries: 1000, documents: 123456, features: 136 }],
    seed: 1,
  },
};
