import { describe, expect, it } from 'vitest';
import { directionCount, randomDirection } from '#listwise/analysis/optimality/directions.js';
import {
  localOptimality,
  type OptimalityOptions,
  optimalityVerdict,
  randomised,
  shareAtMost,
} from '#listwise/analysis/optimality/local-optimality.js';
import type { Dataset } from '#listwise/data/dataset.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import type { Measure } from '#listwise/measures/measure.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import { type Ranker, scoreData } from '#listwise/models/ranker.js';
import { Random } from '#listwise/numeric/random.js';
import { randomEnsemble } from '../../models/random-trees.js';
import { separable } from '../../training/small-data.js';
import '../../threads-at-once.js';

const measures = [parseMeasure('ndcg@5'), parseMeasure('ap'), parseMeasure('gmap')];
/** Labels are a sum of features 1 to 3 with weights 1, -1/2, 1/3, cut in grades. */
const data = separable(40, 20, 3);
const truth = new LinearModel({ featureNames: data.featureNames, weights: [1, -1 / 2, 1 / 3] });
const random = new Random(4);
const models: Record<string, Ranker> = {
  linear: new LinearModel({ featureNames: data.featureNames, weights: [1, 0.2, 0.4] }),
  net: new NetModel({
    featureNames: data.featureNames,
    hidden: [4],
    activation: 'tanh',
    parameters: Array.from({ length: 21 }, () => random.gaussian()),
  }),
  trees: randomEnsemble(5, { features: 3, leaves: [6, 2, 9], grid: 20, skew: 0.5 }),
};

/** The definition: a model for every alteration, scored and evaluated anew. */
function bruteLambda(model: Ranker, set: Dataset, measure: Measure, directions: number, steps: readonly number[]) {
  const perturbation = model.perturbation!();
  const { parameters } = perturbation;
  const meanOf = (ranker: Ranker) => evaluate(set, scoreData(ranker, set), [measure])[0]!.mean;
  const value = meanOf(perturbation.at(parameters));
  const altered = Array.from({ length: directions }, (_, d) => {
    const direction = randomDirection(1, d, parameters.length, 1);
    return steps.map(step => meanOf(perturbation.at(parameters.map((p, i) => p + step * direction[i]!))));
  });
  return { value, altered };
}

describe('directionCount', () => {
  it('is 459 for 0.01 and 0.01', () => {
    expect(directionCount(0.01, 0.01)).toBe(459);
    expect(directionCount(0.05, 0.05)).toBe(59);
  });

  it('is the least count that misses a share epsilon with probability at most delta', () => {
    for (const [epsilon, delta] of [
      [0.1, 0.3],
      [0.02, 0.001],
    ] as const) {
      const count = directionCount(epsilon, delta);
      expect((1 - epsilon) ** count).toBeLessThanOrEqual(delta);
      expect((1 - epsilon) ** (count - 1)).toBeGreaterThan(delta);
    }
  });

  it('refuses shares that are none', () => {
    expect(() => directionCount(0, 0.01)).toThrow('epsilon is a number above 0 and below 1, found 0');
    expect(() => directionCount(0.1, 1)).toThrow('delta is a number above 0 and below 1, found 1');
  });
});

describe('random directions', () => {
  it('have the length asked for, differ, and are uniform on the sphere', () => {
    const made = Array.from({ length: 4000 }, (_, d) => randomDirection(9, d, 3, 2));
    for (const direction of made) expect(Math.hypot(...direction)).toBeCloseTo(2, 12);
    expect(new Set(made.map(direction => direction[0])).size).toBe(4000);
    // A coordinate of a uniform point on a sphere in three dimensions is uniform (Archimedes): quarters are equally
    // likely.
    for (const coordinate of [0, 1, 2]) {
      const low = made.filter(direction => direction[coordinate]! < -1).length;
      expect(Math.abs(low - 1000)).toBeLessThan(5 * Math.sqrt(4000 * 0.25 * 0.75));
    }
  });
});

describe.each(Object.entries(models))('local optimality of a %s model', (kind, model) => {
  const options: OptimalityOptions = { directions: 12, steps: [0.1, 0.7], curves: 12 };

  it('equals scoring and evaluating a model for every alteration', async () => {
    const results = await localOptimality(model, data, measures, options);
    // Nets are altered in float32, where a near tie may fall the other way.
    const digits = kind === 'net' ? 3 : 12;
    for (const [m, result] of results.entries()) {
      const { value, altered } = bruteLambda(model, data, measures[m]!, 12, options.steps!);
      expect(result.value).toBeCloseTo(value, digits);
      for (const [d, row] of altered.entries()) {
        for (const [k, after] of row.entries()) expect(result.curves[d]!.values[k]).toBeCloseTo(after, digits);
      }
      if (kind === 'net') continue;
      const gains = altered.map(row => row.map(after => after - value));
      expect(result.random).toMatchObject({
        directions: 12,
        alterations: 24,
        improved: gains.flat().filter(gain => gain > 1e-12).length,
        above: gains.flat().filter(gain => gain > 0.003).length,
        directionsImproved: gains.filter(row => row.some(gain => gain > 1e-12)).length,
        directionsAbove: gains.filter(row => row.some(gain => gain > 0.003)).length,
      });
      expect(result.random.best.gain).toBeCloseTo(Math.max(...gains.flat()), 12);
      for (const [k, { low, high }] of result.envelope.entries()) {
        expect(low).toBeCloseTo(Math.min(...altered.map(row => row[k]!)), 12);
        expect(high).toBeCloseTo(Math.max(...altered.map(row => row[k]!)), 12);
      }
    }
  });

  it('is the same for any number of threads', async () => {
    const one = await localOptimality(model, data, measures, { ...options, directions: 30, singles: 4 });
    const specs = measures.map(({ spec }) => spec);
    const three = await localOptimality(model, data, specs, { ...options, directions: 30, singles: 4, threads: 3 });
    const plain = (results: typeof one) => results.map(({ measure, ...rest }) => ({ ...rest, measure: measure.spec }));
    expect(plain(three)).toEqual(plain(one));
  });

  it('is not found of random weights', async () => {
    for (const seed of [1, 2, 3]) {
      const [result] = await localOptimality(randomised(model, seed), data, measures, { directions: 100 });
      expect(result!.standing).toBe('no optimum');
    }
  });
});

describe('local optimality', () => {
  it('is found where the measure cannot rise', async () => {
    const [result] = await localOptimality(truth, data, [measures[0]!]);
    expect(result).toMatchObject({ value: 1, standing: 'optimum', parameters: 3 });
    expect(result!.random).toMatchObject({ directions: 459, alterations: 4590, improved: 0, above: 0 });
    expect(result!.confidence).toBeGreaterThan(0.99);
    expect(result!.shareAtMost.improved).toBeCloseTo(0.01, 12);
    expect(optimalityVerdict('ndcg@5', result!)).toBe(
      'A local optimum of ndcg@5 (1.0000): none of 459 random directions raises it (99 % confidence that fewer than 1 % of all directions would).',
    );
  });

  it('counts equal values where asked to', async () => {
    const options = { directions: 20, steps: [1e-9], equalCounts: true };
    const [result] = await localOptimality(truth, data, [measures[0]!], options);
    expect(result!.random).toMatchObject({ improved: 20, above: 0, changed: 0 });
    // Steps too short to change any ranking tell nothing, counted as they may be.
    expect(result!.standing).toBe('flat');
  });

  it('alters one parameter at a time, both ways, as often as asked for', async () => {
    const [result] = await localOptimality(models.linear!, data, [measures[0]!], { directions: 5, singles: 100 });
    expect(result!.single).toMatchObject({ directions: 3, alterations: 60 });
    // Its second weight has the wrong sign.
    expect(result!.single!.describe).toBe('weight of feature "2"');
    expect(result!.single!.best).toMatchObject({ direction: 1 });
    expect(result!.single!.best.step).toBeLessThan(0);
    const [some] = await localOptimality(models.linear!, data, [measures[0]!], { directions: 5, singles: 2 });
    expect(some!.single!.directions).toBe(2);
  });

  it('takes steps in proportion to the weights where asked to', async () => {
    const scaled = new LinearModel({ featureNames: data.featureNames, weights: [1000, 200, 400] });
    const relative = { directions: 10, relative: true };
    const [small] = await localOptimality(models.linear!, data, [measures[0]!], relative);
    const [large] = await localOptimality(scaled, data, [measures[0]!], relative);
    expect(large!.random.improved).toBe(small!.random.improved);
    expect(large!.length).toBeCloseTo(1000 * small!.length, 6);
  });

  it('evaluates a measure of a program of its own', async () => {
    const own: Measure = { ...parseMeasure('ap'), spec: 'mine' };
    const options = { directions: 10, threads: 2 };
    const [result] = await localOptimality(models.linear!, data, [own], options);
    const [ap] = await localOptimality(models.linear!, data, [parseMeasure('ap')], options);
    expect(result!.random).toEqual(ap!.random);
  });

  it('takes a measure of a program for what it is, whatever its name', async () => {
    const own: Measure = { ...parseMeasure('ap'), value: () => 0.5 };
    const [result] = await localOptimality(models.linear!, data, [own], { directions: 40, threads: 2 });
    expect(result).toMatchObject({ value: 0.5, standing: 'flat' });
  });

  it('refuses a model without parameters', async () => {
    const stub = { scoreBlock() {}, scoreRow: () => 0, scoreRows() {}, toJSON: () => ({}) };
    const none: Ranker = { kind: 'odd', featureNames: [], ...stub };
    await expect(localOptimality(none, data, measures)).rejects.toThrow(
      'models of the kind "odd" have no parameters to alter',
    );
  });
});

describe('shareAtMost', () => {
  it('is the closed form where nothing was found', () => {
    for (const tried of [1, 10, 459]) expect(shareAtMost(0, tried, 0.01)).toBeCloseTo(1 - 0.01 ** (1 / tried), 12);
  });

  it('gives what was found the probability alpha, by adding up the binomial distribution', () => {
    for (const [found, tried, alpha] of [
      [3, 20, 0.05],
      [10, 12, 0.1],
    ] as const) {
      const p = shareAtMost(found, tried, alpha);
      let probability = 0;
      let ways = 1;
      for (let k = 0; k <= found; k++) {
        probability += ways * p ** k * (1 - p) ** (tried - k);
        ways *= (tried - k) / (k + 1);
      }
      expect(probability).toBeCloseTo(alpha, 10);
    }
    expect(shareAtMost(5, 5, 0.01)).toBe(1);
  });
});
