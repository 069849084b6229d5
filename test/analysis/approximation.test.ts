import { describe, expect, it } from 'vitest';
import {
  approximationAlongTraining,
  approximationError,
  approximationOf,
  variedSpecs,
} from '#listwise/analysis/approximation.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { scoreData } from '#listwise/models/ranker.js';
import { Random } from '#listwise/numeric/random.js';
import type { Objective } from '#listwise/objectives/objective.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { separable } from '../training/small-data.js';

const data = separable(15, 12, 3);
const random = new Random(2);
const scores = Float64Array.from({ length: data.rows }, () => random.gaussian());

/** ApproxNDCG and NDCG of one query, straight from their definitions. */
function naive(labels: readonly number[], own: readonly number[], alpha: number): { smooth: number; exact: number } {
  const gain = (label: number) => 2 ** label - 1;
  const ideal = labels.toSorted((a, b) => b - a).reduce((sum, label, r) => sum + gain(label) / Math.log2(2 + r), 0);
  const value = (position: (i: number) => number) =>
    labels.reduce((sum, label, i) => sum + gain(label) / Math.log2(1 + position(i)), 0) / ideal;
  return {
    smooth: value(i => own.reduce((sum, s, j) => (j === i ? sum : sum + 1 / (1 + Math.exp(alpha * (own[i]! - s)))), 1)),
    exact: value(i => own.reduce((sum, s) => sum + (s > own[i]! ? 1 : 0), 1)),
  };
}

describe('error at given scores', () => {
  it.each([1, 10, 100])('is the mean of |ApproxNDCG - NDCG|, alpha %d', alpha => {
    const found = approximationError(parseObjective(`approx(ndcg,alpha=${alpha})`), data, scores);
    const byQuery = data.queryIds.map((_, q) => {
      const [start, end] = [data.offsets[q]!, data.offsets[q + 1]!];
      return naive([...data.label().slice(start, end)], [...scores.slice(start, end)], alpha);
    });
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const errors = byQuery.map(({ smooth, exact }) => Math.abs(smooth - exact));
    expect(found.exact).toBeCloseTo(mean(byQuery.map(({ exact }) => exact)), 12);
    expect(found.smooth).toBeCloseTo(mean(byQuery.map(({ smooth }) => smooth)), 10);
    expect(found.error).toBeCloseTo(mean(errors), 10);
    expect(found.worst.error).toBeCloseTo(Math.max(...errors), 10);
    expect(found.worst.query).toBe(data.queryIds[errors.indexOf(Math.max(...errors))]);
  });

  it.each(['approx(ap,beta=1000,alpha=KEY)', 'approx(ndcg,alpha=KEY)', 'approx(rr,beta=1000,alpha=KEY)'])(
    '%s falls as the positions become exact',
    spec => {
      const errors = [1, 100, 1e6].map(
        alpha => approximationError(parseObjective(spec.replace('KEY', String(alpha))), data, scores).error,
      );
      expect(errors).toEqual(errors.toSorted((a, b) => b - a));
      expect(errors[2]).toBeLessThan(1e-6);
    },
  );

  it('softrank: falls with sigma', () => {
    const error = (sigma: number) =>
      approximationError(parseObjective(`softrank(ndcg@5,sigma=${sigma})`), data, scores).error;
    expect(error(1e-6)).toBeLessThan(1e-9);
    expect(error(0.1)).toBeLessThan(error(1));
  });

  it('leaves out queries for which the measure is undefined', () => {
    const none = data.with({ labels: new Map([['label', data.label().map((label, i) => (i < 12 ? 0 : label))]]) });
    const found = approximationError(parseObjective('approx(ndcg)'), none, scores);
    expect(found.queries).toBe(14);
    expect(found.errors[0]).toBeNaN();
  });

  it('works for any objective that declares what it approximates', () => {
    const measure = parseMeasure('ap');
    const halved: Objective = {
      ...parseObjective('ranknet'),
      form: { kind: 'smooth', measure, begin: () => view => measure.value(view) / 2 },
    };
    const { exact, error } = approximationError(halved, data, scores);
    expect(error).toBeCloseTo(exact / 2, 12);
  });

  it.each(['lambdarank(ndcg)', 'ranknet', 'sum(approx(ndcg),ranknet)'])('%s is refused by name', spec => {
    expect(() => approximationOf(parseObjective(spec))).toThrow(
      expect.objectContaining({
        code: 'spec-parameter',
        message: expect.stringMatching(/approximates no measure; .* softrank\(…\), approx\(…\)/),
      }),
    );
  });
});

describe('error along training', () => {
  it.each([
    ['linear', { epochs: 6 }, 1e-4, ['exact', 'smooth', 'error']],
    ['net', { epochs: 4 }, 1e-4, ['exact', 'smooth', 'error']],
    // Few leaves give equal scores, which training orders by a hash; smooth values do not depend on that.
    ['trees', { trees: 6, leaves: 4, minDocuments: 1 }, 1e-9, ['smooth']],
  ] as const)(
    '%s: at the best iteration it is the error at the scores of the model',
    async (model, options, tolerance, names) => {
      const objective = parseObjective('approx(ndcg,alpha=5)');
      const { iterations, trained } = await approximationAlongTraining({ data, model, options, objective, threads: 1 });
      expect(iterations.map(({ iteration }) => iteration)).toEqual(iterations.map((_, i) => i + 1));
      const best = iterations[trained.best.iteration - 1]!;
      const anew = approximationError(objective, data, scoreData(trained.model, data));
      for (const name of names) {
        expect(Math.abs(best[name] - anew[name])).toBeLessThan(tolerance);
      }
      expect(best.exact).toBe(Math.max(...iterations.map(({ exact }) => exact)));
    },
  );
});

describe('objectives that differ in a parameter', () => {
  it('are written once for each value, in place of one that is there', () => {
    expect(variedSpecs('approx(ap,alpha=1,beta=2)', 'alpha', ['10', '20'])).toEqual([
      'approx(ap,alpha=10,beta=2)',
      'approx(ap,alpha=20,beta=2)',
    ]);
  });

  it('need a value', () => {
    expect(() => variedSpecs('approx', 'alpha', [''])).toThrow(expect.objectContaining({ code: 'option-invalid' }));
  });
});
