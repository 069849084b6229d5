import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '#listwise/numeric/random.js';
import { gridValues, placeOf, valueAt } from '#listwise/tuning/dimension.js';
import { type MethodName, methods } from '#listwise/tuning/methods/all.js';
import { type EvaluatedTrial, keyOf, type Proposal } from '#listwise/tuning/methods/method.js';
import { Parzen } from '#listwise/tuning/methods/parzen.js';
import type { SearchSpace } from '#listwise/tuning/space.js';
import { quality, space } from './spaces.js';

/** Runs a search over the known function; gives every batch. */
function searched(name: MethodName, trials: number, options: { seed?: number; over?: SearchSpace } = {}) {
  const search = methods[name].start({
    space: options.over ?? space,
    trials,
    batch: 5,
    random: new Random(options.seed ?? 1, 'test'),
    compare: (a, b) => a[0]! - b[0]!,
  });
  const evaluated: EvaluatedTrial[] = [];
  const batches: Proposal[][] = [];
  let next = 1;
  for (let batch = search.next(evaluated); batch.length > 0; batch = search.next(evaluated)) {
    batches.push(batch);
    evaluated.push(
      ...batch.map(({ values, share, trial }) => ({
        trial: trial ?? next++,
        values,
        share,
        results: [quality(values)],
      })),
    );
  }
  return { evaluated, batches };
}

const best = (evaluated: readonly EvaluatedTrial[]) => Math.max(...evaluated.map(({ results }) => results[0]!));

const dimension = fc.oneof(
  fc.record({
    choices: fc.uniqueArray(fc.oneof(fc.integer(), fc.string(), fc.boolean()), {
      minLength: 1,
      selector: (value: unknown) => JSON.stringify(value),
    }),
  }),
  fc
    .record({
      from: fc.double({ min: 0.001, max: 10, noNaN: true }),
      by: fc.double({ min: 0.1, max: 100, noNaN: true }),
      scale: fc.constantFrom('linear' as const, 'log' as const),
    })
    .map(({ from, by, scale }) => ({ from, to: from + by, scale, whole: false })),
  fc
    .record({
      from: fc.integer({ min: 1, max: 50 }),
      by: fc.integer({ min: 1, max: 500 }),
      scale: fc.constantFrom('linear' as const, 'log' as const),
    })
    .map(({ from, by, scale }) => ({ from, to: from + by, scale, whole: true })),
);
const place = fc.double({ min: 0, max: 1, noNaN: true });

describe('dimension', () => {
  it('gives values within it, which have a place that gives them back', () => {
    fc.assert(
      fc.property(dimension, place, (given, at) => {
        const value = valueAt(given, at);
        const back = placeOf(given, value);
        expect(back).toBeDefined();
        if ('choices' in given || given.whole) expect(valueAt(given, back!)).toEqual(value);
        else {
          expect(value).toBeGreaterThanOrEqual(given.from);
          expect(value).toBeLessThanOrEqual(given.to);
          expect(valueAt(given, back!)).toBeCloseTo(value as number, 2);
        }
      }),
    );
  });

  it('reaches every choice and both ends of whole numbers evenly', () => {
    const counts = new Map<unknown, number>();
    for (let i = 0; i < 5000; i++) {
      const value = valueAt({ from: 2, to: 6, scale: 'linear', whole: true }, i / 5000);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts]).toEqual([2, 3, 4, 5, 6].map(value => [value, 1000]));
  });

  it('knows the values of a grid', () => {
    expect(gridValues({ from: 0.01, to: 1, scale: 'log', whole: false, steps: 3 })).toEqual([0.01, 0.1, 1]);
    expect(gridValues({ from: 1, to: 3, scale: 'linear', whole: true, steps: 9 })).toEqual([1, 2, 3]);
    expect(gridValues({ from: 1, to: 3, scale: 'linear', whole: false })).toBeUndefined();
  });

  it('has no place for what it does not hold', () => {
    expect(placeOf({ choices: [1, [2]] }, [3])).toBeUndefined();
    expect(placeOf({ from: 1, to: 2, scale: 'linear', whole: false }, 'auto')).toBeUndefined();
    expect(placeOf({ from: 1, to: 2, scale: 'linear', whole: false }, 3)).toBeUndefined();
  });
});

describe('density', () => {
  it('sums to one over the cube', () => {
    const points = [
      { rate: 0.01, leaves: 4, featureShare: 0.15, step: 'auto' },
      { rate: 0.9, leaves: 60, featureShare: 0.9, step: 'gradient' },
    ];
    const density = new Parzen(space, points);
    const random = new Random(1, 'cube');
    const n = 10_000;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const values = Object.fromEntries(
        Object.entries(space.search).map(([key, given]) => [key, valueAt(given, random.uniform())]),
      );
      sum += Math.exp(density.logDensity(values));
    }
    expect(Math.abs(sum / n - 1)).toBeLessThan(0.1);
  });

  it('is larger near its points, and drawn from there', () => {
    const near = { rate: 0.01, leaves: 8, featureShare: 0.5, step: 'newton' };
    const density = new Parzen(space, [near, near]);
    expect(density.logDensity(near)).toBeGreaterThan(density.logDensity({ ...near, rate: 0.9 }));
    expect(density.logDensity(near)).toBeGreaterThan(density.logDensity({ ...near, step: 'auto' }));
    const random = new Random(2, 'draws');
    const draws = Array.from({ length: 600 }, () => density.sample(random));
    const same = draws.filter(({ step }) => step === 'newton').length;
    // Two kernels of three are around the point, the third is anywhere.
    expect(same).toBeGreaterThan(600 / 3 + 60);
  });
});

describe.each(Object.keys(methods) as MethodName[])('%s', name => {
  const over = name === 'grid' ? { ...space, search: gridOf() } : space;

  it('proposes the same again, each configuration once a share', () => {
    const { evaluated, batches } = searched(name, 30, { over });
    expect(searched(name, 30, { over }).batches).toEqual(batches);
    const keys = evaluated.map(({ values, share }) => `${keyOf(values)} ${share}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(evaluated.map(({ trial }) => trial)).size).toBe(name === 'grid' ? 24 : 30);
  });

  it('ends where a small space has no more', () => {
    const small: SearchSpace = {
      model: 'trees',
      search: { depth: { choices: [1, 2, 3] }, step: { choices: ['auto', 'newton'] } },
    };
    const search = methods[name].start({
      space: small,
      trials: 50,
      batch: 5,
      random: new Random(1, 'small'),
      compare: (a, b) => a[0]! - b[0]!,
    });
    const evaluated: EvaluatedTrial[] = [];
    const seen = new Set<string>();
    for (let batch = search.next([]); batch.length > 0; batch = search.next(evaluated)) {
      for (const { values, share, trial } of batch) {
        seen.add(keyOf(values));
        evaluated.push({ trial: trial ?? evaluated.length + 1, values, share, results: [evaluated.length] });
      }
    }
    expect(seen.size).toBe(6);
  });
});

function gridOf(): SearchSpace['search'] {
  return {
    rate: { from: 0.01, to: 1, scale: 'log', whole: false, steps: 3 },
    leaves: { choices: [4, 8, 16, 32] },
    featureShare: { choices: [0.5, 1] },
    step: { choices: ['newton'] },
  };
}

describe('methods that say that they grow', () => {
  const growing = Object.values(methods).filter(({ grows }) => grows);

  it.each(growing.map(({ name }) => name as MethodName))('%s begins a longer search with the same trials', name => {
    const over = name === 'grid' ? { ...space, search: gridOf() } : space;
    const [short, long] = [15, 24].map(trials =>
      searched(name, trials, { over }).evaluated.map(({ values }) => values),
    );
    expect(long!.slice(0, 15)).toEqual(short);
  });
});

describe('grid', () => {
  it('needs steps in a range', () => {
    expect(() => searched('grid', 30)).toThrow('search.rate: a grid needs "steps"');
  });
});

describe('sequential', () => {
  it('finds better than random draws do, on average over seeds', () => {
    const seeds = Array.from({ length: 12 }, (_, i) => i + 1);
    const mean = (name: MethodName) =>
      seeds.reduce((sum, seed) => sum + best(searched(name, 40, { seed }).evaluated), 0) / seeds.length;
    expect(mean('sequential')).toBeGreaterThan(mean('random') + 0.02);
  });
});

describe('sequential, given the defaults', () => {
  const search = () =>
    methods.sequential.start({
      space,
      trials: 40,
      batch: 30,
      random: new Random(4, 'defaults'),
      compare: (a, b) => a[0]! - b[0]!,
    });
  const values = { rate: 0.002, leaves: 'auto', featureShare: 0.15, step: 'gradient' };

  it('looks around them where they are good, and nowhere for what the space does not hold', () => {
    const near = (result: number) => {
      const begun = search();
      const first = begun.next([]).map(({ values: own }, i) => ({ trial: i + 1, values: own, share: 1, results: [i] }));
      const next = begun.next(first, { trial: 0, values, share: 1, results: [result] });
      expect(next).toHaveLength(30);
      return next.filter(proposal => proposal.values.step === 'gradient' && Number(proposal.values.rate) < 0.02).length;
    };
    expect(near(100)).toBeGreaterThan(near(-100) + 5);
  });
});

describe('halving', () => {
  it('goes on with the best third, to the full number of iterations', () => {
    const { batches, evaluated } = searched('halving', 27);
    expect(batches.map(batch => batch.length)).toEqual([27, 9, 3, 1]);
    expect(batches.map(batch => batch[0]!.share)).toEqual([1 / 27, 1 / 9, 1 / 3, 1]);
    const order = [...evaluated.slice(0, 27)].sort((a, b) => b.results[0]! - a.results[0]!);
    expect(new Set(batches[1]!.map(({ trial }) => trial))).toEqual(
      new Set(order.slice(0, 9).map(({ trial }) => trial)),
    );
    expect(batches[3]![0]!.trial).toBe(order[0]!.trial);
  });
});
