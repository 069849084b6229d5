/** Ties: the mean over all orders of documents with equal scores, and nothing that depends on the order of rows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import { measureDefinitions } from '#listwise/measures/all.js';
import { evaluate, evaluateQuery } from '#listwise/measures/evaluate.js';
import { defineMeasure, type MeasureDefinition } from '#listwise/measures/measure.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { datasetOf, type List, viewOf } from './lists.js';

/** A measure that looks at scores, order and labels together, and has no closed form. */
const steep = defineMeasure({
  name: 'steep',
  title: 'A measure of a user',
  description: 'The square of the sum of label / rank^2.',
  citation: 'none',
  cutoff: 'none',
  range: [0, 1000],
  parameters: {},
  create: (_, { labels }) => ({
    value(view) {
      const byRank = view.ranked(labels);
      let sum = 0;
      for (let r = 0; r < view.n; r++) sum += (byRank[r] || 0) / (r + 1) ** 2;
      return sum ** 2;
    },
  }),
});

const more: readonly MeasureDefinition[] = [steep];
const settings = [...(measureDefinitions as readonly MeasureDefinition[]), steep].flatMap(({ name, cutoff }) => {
  const cuts = { none: [''], required: ['@1', '@3', '@10'], optional: ['', '@1', '@2', '@4'] }[cutoff];
  const own = { ndcg: ['', '(gain=linear)'], ap: ['', '(divisor=cut)'], rbp: ['', '(grades=graded)'] }[name] ?? [''];
  return own.flatMap(parameters => cuts.map(cut => `${name}${parameters}${cut}`));
});

/** Lists of few distinct scores; labels that sums of doubles do not hold exactly. */
function tiedList(most: number, label: fc.Arbitrary<number>): fc.Arbitrary<List> {
  return fc
    .array(
      fc.record({
        label: fc.oneof({ weight: 5, arbitrary: label }, { weight: 1, arbitrary: fc.constant(Number.NaN) }),
        score: fc.integer({ min: 0, max: 2 }),
      }),
      { minLength: 1, maxLength: most, size: 'max' },
    )
    .chain(documents =>
      fc.record({
        labels: fc.constant(documents.map(document => document.label)),
        scores: fc.constant(documents.map(document => document.score)),
        outside: fc.array(label, { maxLength: 2 }),
      }),
    );
}

const labelOf = (spec: string) =>
  spec.startsWith('cndcg')
    ? fc.integer({ min: 0, max: 10 }).map(value => value / 10)
    : fc.oneof(
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 40 }).map(value => value / 10),
      );

function* permutations(items: readonly number[]): Iterable<number[]> {
  if (items.length === 0) yield [];
  for (const [i, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(i, 1))) yield [item, ...rest];
  }
}

/** Every order of the rows, each ranked with ties in input order: every order of tied documents equally often. */
function bruteMean(spec: string, list: List): number {
  const measure = parseMeasure(spec, { more });
  let sum = 0;
  let count = 0;
  for (const rows of permutations(list.labels.map((_, i) => i))) {
    const view = new DatasetView(datasetOf(permuted(list, rows)), 'input');
    sum += measure.value(view.moveTo(0, permuted(list, rows).scores));
    count++;
  }
  return sum / count;
}

function permuted(list: List, rows: readonly number[]): List {
  return { ...list, labels: rows.map(row => list.labels[row]!), scores: rows.map(row => list.scores[row]!) };
}

const expected = (spec: string, list: List) => evaluateQuery(parseMeasure(spec, { more }), viewOf(list));

describe.each(settings)('%s', spec => {
  const closed = parseMeasure(spec, { more }).overTies !== undefined;

  // Without a closed form, orders are drawn where five documents or more are tied in one way.
  it(`is the mean over all orders of tied documents, ${closed ? 6 : 4} at most`, () => {
    fc.assert(
      fc.property(tiedList(closed ? 6 : 4, labelOf(spec)), list => {
        const mean = bruteMean(spec, list);
        if (Number.isNaN(mean)) expect(expected(spec, list)).toBeNaN();
        else expect(expected(spec, list)).toBeCloseTo(mean, 12);
      }),
      { numRuns: 25 },
    );
  });

  it('does not depend on the order of rows, to the bit', () => {
    const lists = tiedList(40, labelOf(spec)).chain(list =>
      fc.record({
        list: fc.constant(list),
        rows: fc.shuffledSubarray(
          list.labels.map((_, i) => i),
          { minLength: list.labels.length },
        ),
      }),
    );
    fc.assert(
      fc.property(lists, ({ list, rows }) => {
        expect(expected(spec, permuted(list, rows))).toBe(expected(spec, list));
      }),
      { numRuns: 25 },
    );
  });

  it('is its plain value where no scores are tied', () => {
    fc.assert(
      fc.property(tiedList(12, labelOf(spec)), list => {
        const apart = { ...list, scores: list.scores.map((score, i) => score + i / 100) };
        const view = viewOf(apart);
        expect(view.tied).toBeUndefined();
        expect(evaluateQuery(parseMeasure(spec, { more }), view)).toBe(parseMeasure(spec, { more }).value(view));
      }),
      { numRuns: 10 },
    );
  });
});

// Two systems that rank equally well are equal, one with ties and one without: tests of significance look at signs.
// Kendall's tau counts ties of scores by itself.
it.each(settings.filter(spec => spec !== 'tau'))(
  '%s is its plain value to the bit where tied documents have equal labels',
  spec => {
    const measure = parseMeasure(spec, { more });
    const grades = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(grades, labels => {
        const scale = spec.startsWith('cndcg') ? 0.1 : 1;
        const list = { labels: labels.map(label => label * scale), scores: labels, outside: [] };
        const scores = labels.map((label, i) => label - i / 100);
        expect(evaluateQuery(measure, viewOf(list))).toBe(evaluateQuery(measure, viewOf({ ...list, scores })));
      }),
      { numRuns: 25 },
    );
  },
);

describe('orders drawn', () => {
  const many: List = {
    labels: Array.from({ length: 30 }, (_, i) => i % 4),
    scores: Array.from({ length: 30 }, (_, i) => i % 3),
    outside: [],
  };

  it('come close to the closed form', () => {
    const { overTies, ...withoutForm } = parseMeasure('ap');
    expect(overTies).toBeDefined();
    expect(evaluateQuery(withoutForm, viewOf(many))).toBeCloseTo(expected('ap', many), 2);
  });

  it('are other ones for another query', () => {
    const ofQuery = (id: string) =>
      evaluateQuery(
        parseMeasure('iprec(recall=0.5)'),
        new DatasetView(datasetOf(many).with({ queryIds: [id] })).moveTo(0, many.scores),
      );
    expect(ofQuery('a')).toBe(ofQuery('a'));
    expect(ofQuery('a')).not.toBe(ofQuery('b'));
  });

  it('see the labels of every source with their documents', () => {
    const both = defineMeasure({
      ...steep,
      name: 'both',
      create: () => ({
        value: view => view.ranked('label')[0]! + 10 * view.ranked('clicks')[0]!,
      }),
    });
    const measure = parseMeasure('both', { more: [both] });
    const value = (rows: readonly number[]) => {
      const list = permuted({ labels: [0, 1, 2, 3, 0, 1, 2], scores: [0, 0, 0, 0, 0, 0, 0], outside: [] }, rows);
      const clicks = rows.map(row => [1, 0, 1, 0, 0, 1, 1][row]!);
      return evaluateQuery(measure, new DatasetView(datasetOf(list, { clicks })).moveTo(0, list.scores));
    };
    expect(value([6, 5, 4, 3, 2, 1, 0])).toBe(value([0, 1, 2, 3, 4, 5, 6]));
  });
});

describe('evaluate', () => {
  const of = (labels: readonly number[][]) =>
    new Dataset({
      featureNames: [],
      blocks: [],
      offsets: Uint32Array.from([0, ...labels.map((_, q) => labels.slice(0, q + 1).flat().length)]),
      queryIds: labels.map((_, q) => `q${q}`),
      labels: new Map([['label', Float64Array.from(labels.flat())]]),
    });
  const measures = ['ndcg@10', 'ap', 'rr', '11pt'].map(spec => parseMeasure(spec));

  it('gives a constant scorer the same on sorted and on shuffled data', () => {
    const sorted = of([
      [3, 2, 1, 0, 0, 0, 0],
      [1, 0, 0],
    ]);
    const shuffled = of([
      [0, 2, 0, 3, 0, 0, 1],
      [0, 0, 1],
    ]);
    const [a, b] = [sorted, shuffled].map(data => evaluate(data, new Float64Array(10), measures));
    expect(a!.map(({ mean }) => mean)).toEqual(b!.map(({ mean }) => mean));
    const [input] = evaluate(sorted, new Float64Array(10), measures, { ties: 'input' });
    expect(input!.mean).toBe(1);
    expect(a![0]!.mean).toBeLessThan(0.75);
  });

  it.each(['expected', 'input', 'document'] as const)('counts tied documents with ties=%s', ties => {
    const data = of([[3, 2, 1, 0, 0], [1, 0, 0], [1]]);
    const [result] = evaluate(data, [1, 1, 2, 2, 2, 3, 2, 1, 1], measures, { ties });
    expect(result!.tied).toBe(5);
    expect(evaluate(data, [1, 2, 3, 4, 5, 1, 2, 3, 1], measures, { ties })[0]!.tied).toBe(0);
  });
});

it('a view gives positions to objectives where the data has them', () => {
  const data = datasetOf({ labels: [1, 0], scores: [], outside: [] });
  expect(new DatasetView(data).moveTo(0, [1, 2]).positions).toBeUndefined();
  const shown = data.with({ positions: Float64Array.of(2, 1) });
  expect(new DatasetView(shown).moveTo(0, [1, 2]).positions).toEqual(Float64Array.of(2, 1));
});
