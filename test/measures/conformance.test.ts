/**
 * One suite over every measure of the list, many parameters and cut-offs each: value, swap change, invariants, strings.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureDefinitions } from '#listwise/measures/all.js';
import { expectedSums } from '#listwise/measures/forms/expectation.js';
import { swapChange } from '#listwise/measures/forms/swap.js';
import { commonParameters, type Measure, type MeasureDefinition } from '#listwise/measures/measure.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { anyList, clickList, completeList, datasetOf, type List, manyLabels, viewOf } from './lists.js';
import { naive, type Values } from './naive.js';

/** Values to try for each parameter, by name; a new parameter must be added here. */
const trials: Readonly<Record<string, readonly string[]>> = {
  gain: ['exp', 'linear', '0/1/1/5/31'],
  discount: ['log2', 'letor'],
  ideal: ['judged', 'list'],
  rel: ['1', '2', '0.5'],
  divisor: ['relevant', 'cut'],
  floor: ['0.00001', '0.2'],
  p: ['0.8', '0.5', '0.95'],
  grades: ['binary', 'graded'],
  max: ['4', '5.5', '30', '50'],
  recall: ['0', '0.1', '0.5', '0.75', '1'],
  rounding: ['nearest', 'up'],
  over: ['cut', 'list'],
};

interface Setting {
  spec: string;
  values: Values;
  cut: number;
  measure: Measure;
}

const cutsOf = { none: [undefined], required: [1, 3, 10], optional: [undefined, 1, 2, 5, 20] } as const;

/** Every combination of the trial values of a definition's parameters and cut-offs. */
function settings(definition: MeasureDefinition): Setting[] {
  let combinations: Record<string, string>[] = [{}];
  for (const key of Object.keys(definition.parameters)) {
    const tried = trials[key];
    if (tried === undefined) throw new Error(`no trial values for parameter ${key} of ${definition.name}`);
    combinations = combinations.flatMap(values => tried.map(value => ({ ...values, [key]: value })));
  }
  return combinations.flatMap(values =>
    cutsOf[definition.cutoff].map(cut => {
      const named = Object.entries(values).map(([key, value]) => `${key}=${value}`);
      const spec = `${definition.name}${named.length > 0 ? `(${named.join(',')})` : ''}${cut ? `@${cut}` : ''}`;
      return { spec, values, cut: cut ?? Infinity, measure: parseMeasure(spec) };
    }),
  );
}

/** Lists that a setting can evaluate: click labels where it takes only those, whole grades where it has a table. */
function listsFor(setting: Setting): fc.Arbitrary<List> {
  if (setting.measure.spec.startsWith('cndcg')) return clickList;
  if (String(setting.values.gain).includes('/')) {
    const whole = (labels: readonly number[]) => labels.map(label => Math.floor(label));
    return anyList.map(list => ({ ...list, labels: whole(list.labels), outside: whole(list.outside) }));
  }
  return anyList;
}

/** Equal up to rounding; an undefined value (NaN) only where the other is undefined too. */
function expectSame(spec: string, value: number, expected: number): void {
  if (Number.isNaN(expected)) expect(value, spec).toBeNaN();
  else expect(value, spec).toBeCloseTo(expected, 12);
}

/** Trades the scores of every two documents in turn, judged or not, and evaluates anew. */
function expectSwapsAsBruteForce(measure: Measure, list: List): void {
  const view = viewOf(list);
  const change = swapChange(measure, view);
  const value = measure.value(view);
  expect(change === undefined).toBe(Number.isNaN(value));
  if (change === undefined) return;
  const before = measure.aggregate.of(value);
  const order = [...view.order];
  const swapped = new DatasetView(datasetOf(list));
  const scores = [...list.scores];
  for (const [b, lower] of order.entries()) {
    for (const [a, upper] of order.slice(0, b).entries()) {
      scores[upper] = list.scores[lower]!;
      scores[lower] = list.scores[upper]!;
      const after = measure.aggregate.of(measure.value(swapped.moveTo(0, scores)));
      scores[upper] = list.scores[upper]!;
      scores[lower] = list.scores[lower]!;
      const tolerance = 1e-12 * Math.max(1, Math.abs(before), Math.abs(after));
      if (!(Math.abs(change(a, b) - (after - before)) <= tolerance)) {
        expect.fail(`${measure.spec}, ranks ${a} and ${b}: ${change(a, b)}, brute force ${after - before}`);
      }
    }
  }
}

for (const definition of measureDefinitions as readonly MeasureDefinition[]) {
  const all = settings(definition);
  // Few lists where there are many settings, so that every measure costs about the same.
  const runs = Math.max(4, Math.ceil(240 / all.length));
  const each = (check: (setting: Setting, list: List) => void) => {
    for (const setting of all)
      fc.assert(
        fc.property(listsFor(setting), list => check(setting, list)),
        { numRuns: runs },
      );
  };

  describe(`${definition.name}, ${all.length} settings`, () => {
    it('has the value of its definition', () => {
      each(({ spec, values, cut, measure }, list) => {
        expectSame(spec, measure.value(viewOf(list)), naive[definition.name]!(list, values, cut));
      });
    });

    it('changes by a swap as brute force says', () =>
      each(({ measure }, list) => expectSwapsAsBruteForce(measure, list)));

    it('has itself as its expected value where labels are certain, if it declares one', () => {
      each(({ spec, measure }, list) => {
        const { expectation } = measure;
        if (expectation === undefined) return;
        const view = viewOf(list);
        const discount = new Float64Array(view.n);
        const norm = expectation.fill(view, discount);
        const gains = Float64Array.from(view.ranked(measure.labels).subarray(0, view.n), expectation.gain);
        expect(discount, spec).toEqual(discount.toSorted((a, b) => b - a));
        expectSame(spec, norm * expectedSums[expectation.form](discount, gains), measure.value(view));
      });
    });

    it('stays in its range', () => {
      const [least, largest] = definition.range;
      each(({ spec, measure }, list) => {
        const value = measure.value(viewOf(list));
        if (Number.isNaN(value)) return;
        expect(value, spec).toBeGreaterThanOrEqual(least - 1e-12);
        expect(value, spec).toBeLessThanOrEqual(largest + 1e-12);
      });
    });

    it('depends on scores by their order alone, and not on the order of rows', () => {
      each(({ measure }, list) => {
        const value = measure.value(viewOf(list));
        const moved = { ...list, scores: list.scores.map(score => 8 * score + 1024) };
        expect(measure.value(viewOf(moved))).toBe(value);
        const turned = { ...list, labels: list.labels.toReversed(), scores: list.scores.toReversed() };
        expect(measure.value(viewOf(turned))).toBe(value);
      });
    });

    it('is the same with ties broken in input order as its definition says', () => {
      each(({ spec, values, cut, measure }, list) => {
        const coarse = { ...list, scores: list.scores.map(score => Math.floor(score)) };
        expectSame(spec, measure.value(viewOf(coarse)), naive[definition.name]!(coarse, values, cut));
      });
    });

    it('prints a string that parses back to itself', () => {
      for (const { measure } of all) expect(parseMeasure(measure.spec).spec).toBe(measure.spec);
      const texts = fc.record(
        Object.fromEntries(
          Object.keys({ ...definition.parameters }).map(key => [key, fc.constantFrom(...trials[key]!)]),
        ),
        { requiredKeys: [] },
      );
      const common = fc.record(
        { labels: fc.constantFrom('label', 'clicks'), empty: fc.constantFrom('0', '1', 'skip', '0.5') },
        { requiredKeys: [] },
      );
      fc.assert(
        fc.property(texts, common, fc.constantFrom(...cutsOf[definition.cutoff]), (own, shared, cut) => {
          const named = Object.entries({ ...shared, ...own }).map(([key, value]) => `${key}=${value}`);
          const asked = `${definition.name}(${named.join(', ')})${cut ? `@${cut}` : ''}`;
          const measure = parseMeasure(asked);
          expect(parseMeasure(measure.spec).spec).toBe(measure.spec);
          expect(measure.labels).toBe(shared.labels ?? commonParameters.labels.default);
          expect(String(measure.empty)).toBe(shared.empty ?? '0');
        }),
      );
    });
  });
}

describe('a perfect ranking', () => {
  const perfect = (list: List): List => ({ ...list, scores: list.labels.map((label, i) => label - i * 1e-9) });
  const normalised = [
    'ndcg',
    'ndcg@3',
    'ap',
    'ap(divisor=cut)@2',
    'rr',
    'recall',
    'success@1',
    'rprec',
    'wta',
    'bpref',
  ];

  it.each([...normalised, 'pairs', 'gamma', 'iprec(recall=1)', '11pt', 'gmap'])('scores 1 on %s', spec => {
    const measure = parseMeasure(spec);
    fc.assert(
      fc.property(completeList, list => {
        const value = measure.value(viewOf(perfect(list)));
        if (!Number.isNaN(value)) expect(value).toBeCloseTo(1, 12);
      }),
    );
  });

  it('scores 1 on tau where no labels tie', () => {
    expect(parseMeasure('tau').value(viewOf({ labels: [0, 3, 1, 2], scores: [0, 3, 1, 2], outside: [] }))).toBe(1);
  });
});

describe('very many distinct labels', () => {
  it.each(['pairs', 'gamma', 'tau', 'ndcg', 'err'])('%s changes by a swap as brute force says', spec => {
    fc.assert(
      fc.property(manyLabels, list => expectSwapsAsBruteForce(parseMeasure(spec), list)),
      { numRuns: 2 },
    );
  });
});
