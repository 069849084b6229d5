import { describe, expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import { createRanker } from '#listwise/models/create-ranker.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { rank } from '#listwise/models/rank.js';
import { scoreData } from '#listwise/models/ranker.js';
import { train } from '#listwise/training/train.js';
import { randomEnsemble } from './random-trees.js';

const model = new LinearModel({ featureNames: ['bm25', 'clicks'], weights: [1, 0.1], missing: [0, 5] });

it.each([1, 3])('refuses rows that are too short for %s documents', n => {
  const ranker = createRanker(randomEnsemble(1, { features: 4, leaves: [4], grid: 9, skew: 0 }));
  ranker.scoreRows(
    Float32Array.from({ length: 40 }, (_, i) => i),
    10,
  );
  const rows = new Float32Array(4 * n - 1);
  expect(() => ranker.scoreRows(rows, n)).toThrow(
    `the rows have ${4 * n - 1} values; ${n} documents of 4 features need`,
  );
  expect(() => ranker.why(rows, n)).toThrow(expect.objectContaining({ code: 'feature-mismatch' }));
});

describe('rank', () => {
  it('gives documents best first, equal scores as they came, missing features as missing values', () => {
    const documents = [
      { id: 'a', features: { bm25: 1, clicks: 0 } },
      { id: 'b', features: { bm25: 3, clicks: null } },
      { id: 'c', features: { bm25: 1, clicks: 0 } },
      { id: 'd', features: { clicks: 100 } },
    ];
    expect(rank(model, documents).map(({ document, score, rank }) => [rank, document.id, score])).toEqual([
      [1, 'd', 10],
      [2, 'b', 3.5],
      [3, 'a', 1],
      [4, 'c', 1],
    ]);
    expect(rank(model, [])).toEqual([]);
  });

  it('refuses features that the model does not know, or leaves them out with a note', () => {
    const documents = [{ features: { bm25: 1, click: 2 } }];
    expect(() => rank(model, documents)).toThrow('the documents have "click", which the model does not know');
    const notes: string[] = [];
    expect(rank(model, documents, { others: 'ignore', note: text => notes.push(text) })[0]!.score).toBe(1.5);
    expect(notes).toEqual(['ignored 1 feature that the model does not know: "click"']);
  });

  it.each([
    ['text', 'cheap'],
    ['an infinity', -Infinity],
    ['too large a number', 1e39],
  ])('refuses %s', (_, bm25) => {
    expect(() => rank(model, [{ features: { clicks: 1 } }, { features: { bm25 } }])).toThrow(
      `document 2: feature "bm25" is "${bm25}"`,
    );
  });

  it('codes categories, dates and booleans as the data that the model was trained on', async () => {
    const brands = ['Acme', 'Zenith', 'Omni'];
    const rows = Array.from({ length: 120 }, (_, i) => ({
      qid: String(i % 11),
      docid: String(i),
      label: i % 3,
      brand: brands[i % 3],
      since: new Date(Date.UTC(2024, 0, 1 + (i % 28))),
      stock: i % 2 === 0,
    }));
    const data = Dataset.from(rows, { categories: ['brand'], dates: ['since'] });
    const { model } = await train({ model: 'trees', data, holdout: 0, options: { trees: 20, minDocuments: 1 } });
    const scores = scoreData(model, data);
    const expected = new Map(rows.map((_, row) => [data.documentId(row), scores[row]]));
    const documents = rows.map(({ docid, brand, since, stock }) => ({ docid, features: { brand, since, stock } }));
    for (const { document, score } of rank(model, documents)) expect(score).toBe(expected.get(document.docid));
    const texts = rows.map(({ brand, since, stock }) => ({
      features: { brand, since: since.toISOString(), stock: Number(stock) },
    }));
    expect(rank(model, texts).map(({ score }) => score)).toEqual(rank(model, documents).map(({ score }) => score));
  });
});

describe('createRanker', () => {
  const ranker = createRanker(model);

  it('takes rows in the order of the features, and gives scores as documents came', () => {
    const rows = [{ features: [1, 0] }, { features: Float32Array.of(3, Number.NaN) }, { features: { bm25: 2 } }];
    expect([...ranker.scores(rows)]).toEqual([1, 3.5, 2.5]);
    expect(ranker.rank(rows).map(({ rank: place, score }) => [place, score])).toEqual([
      [1, 3.5],
      [2, 2.5],
      [3, 1],
    ]);
    expect(() => ranker.scores([{ features: [1] }])).toThrow(
      'document 1 is a row of 1 value; the model has 2 features',
    );
    const trees = createRanker(randomEnsemble(1, { features: 2, leaves: [8], grid: 9, skew: 0 }));
    const kept = trees.rows([{ features: [1, 2] }]);
    trees.scores([{ features: [3, 4] }]);
    expect([...kept]).toEqual([1, 2]); // not in the memory that the next list takes
  });

  it('says what each feature adds over the mean of the list', () => {
    const documents = [{ features: { bm25: 1, clicks: 0 } }, { features: { bm25: 3, clicks: 10 } }];
    const [first] = ranker.rank(documents, { why: true });
    expect(first!.why).toEqual([
      { feature: 'bm25', value: 3, adds: 1 },
      { feature: 'clicks', value: 10, adds: 0.5 },
    ]);
    expect(ranker.rank(documents, { why: 1 })[0]!.why).toHaveLength(1);
    expect(ranker.rank(documents)[0]!.why).toBeUndefined();
  });

  it('leaves out what other models know', () => {
    const others = createRanker(model, { known: new Set(['price']) });
    expect([...others.scores([{ features: { bm25: 1, clicks: 0, price: 3 } }])]).toEqual([1]);
    expect(() => others.scores([{ features: { prize: 3 } }])).toThrow('"prize", which the model does not know');
  });

  it('refuses scores that are no numbers', () => {
    const steep = createRanker(new LinearModel({ featureNames: ['x'], weights: [1e300] }));
    expect(() => steep.scores([{ features: { x: 1 } }, { features: { x: 1e30 } }])).toThrow('document 2 is Infinity');
  });
});
