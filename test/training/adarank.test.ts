/** AdaRank against its reference, its bound, and what it does beside. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { scoreData } from '#listwise/models/ranker.js';
import { type TrainSettings, train } from '#listwise/training/train.js';
import { temporaryDirectory } from '../temporary.js';
import { adarankByEvaluation } from './adarank.reference.js';
import { cubic, separable } from './small-data.js';
import '../threads-at-once.js';

const data = separable(24, 15, 6);
const plain = { aside: 0, stall: 0, standardise: false };
const run = (settings: Partial<TrainSettings> = {}) =>
  train({ data, holdout: 0, model: 'adarank', select: 'ap', threads: 1, ...settings });

function reference(set: Dataset, spec: string, rounds: number, directions: readonly (1 | -1)[]) {
  const { featureNames } = set;
  const valuesOf = (weights: Float64Array) =>
    evaluate(set, scoreData(new LinearModel({ featureNames, weights }), set), [parseMeasure(spec)])[0]!.values;
  return adarankByEvaluation(set.features, valuesOf, rounds, directions);
}

describe('adarank', () => {
  it.each(['ap', 'ndcg@5', 'rr', 'err'])('is its reference, for %s', async spec => {
    const rounds = reference(data, spec, 8, [1, -1]);
    const found = await run({ select: spec, options: { ...plain, rounds: 8, patience: 0 } });
    expect(found.log.map(({ facts }) => facts!.feature)).toEqual(rounds.map(({ feature }) => feature + 1));
    for (const [t, { rate }] of found.log.entries()) expect(rate).toBeCloseTo(rounds[t]!.alpha, 12);
    const best = found.best.iteration;
    const weights = new Float64Array(data.features);
    for (const { feature, direction, alpha } of rounds.slice(0, best)) weights[feature]! += direction * alpha;
    const model = found.model as LinearModel;
    for (const [f, weight] of weights.entries()) expect(model.weights[f]).toBeCloseTo(weight, 12);
  });

  it.each(['gmap', 'ap', 'ap(empty=skip)', 'ndcg@5'])('logs what evaluation says of the model, for %s', async spec => {
    // Nothing in the first query is relevant.
    const labels = new Map([['label', data.label('label').map((label, row) => (row < data.offsets[1]! ? 0 : label))]]);
    const set = data.with({ labels });
    const notes: string[] = [];
    const options = { rounds: 4, stall: 0 };
    const { log, model, best } = await run({ data: set, select: spec, options, note: text => notes.push(text) });
    const { mean } = evaluate(set, scoreData(model, set), spec)[0]!;
    const { facts, training } = log[best.iteration - 1]!;
    expect(facts!.training).toBeCloseTo(mean, 10);
    expect(training).toEqual([facts!.training]);
    expect(notes.some(text => text.includes('trains for the arithmetic mean'))).toBe(spec === 'gmap');
  });

  it('keeps the bound of the paper', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.constantFrom('ap', 'ndcg', 'p@3'), fc.boolean(), (seed, spec, both) => {
        const rounds = reference(cubic(6, seed, 8, 4), spec, 6, both ? [1, -1] : [1]);
        let product = 1;
        for (const { phi, alpha, weak, before, after } of rounds) {
          const least = Math.min(...after.map((value, i) => value - before[i]! - alpha * weak[i]!));
          product *= Math.exp(-least) * Math.sqrt(1 - phi ** 2);
          const mean = after.reduce((sum, value) => sum + value, 0) / after.length;
          expect(mean).toBeGreaterThanOrEqual(1 - product - 1e-9);
        }
      }),
      { numRuns: 30 },
    );
  });

  it.each([0, 1, 2])('keeps it as a trainer, whichever feature it takes: aside=%d', async aside => {
    // Queries without a relevant document take no part.
    const valuesOf = (set: Dataset, weights: Float64Array, spec: string) => {
      const model = new LinearModel({ featureNames: set.featureNames, weights });
      return evaluate(set, scoreData(model, set), `${spec}(empty=skip)`)[0]!.values.filter(
        value => !Number.isNaN(value),
      );
    };
    const drawn = fc.record({ seed: fc.nat(1000), spec: fc.constantFrom('ap', 'ndcg'), both: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(drawn, async ({ seed, spec, both }) => {
        const set = cubic(6, seed, 8, 4);
        const models: Float64Array[] = [];
        const directions = both ? 'both' : 'up';
        const { log } = await run({
          data: set,
          select: spec,
          options: { ...plain, aside, directions, rounds: 6, patience: 0 },
          onIteration: (_record, _total, model) => models.push((model!() as LinearModel).weights),
        });
        let product = 1;
        for (const [t, { rate: alpha, facts }] of log.entries()) {
          const weights = models[t]!;
          const earlier = models[t - 1] ?? new Float64Array(set.features);
          const after = valuesOf(set, weights, spec);
          const before = t === 0 ? after.map(() => 0) : valuesOf(set, earlier, spec);
          const weak = valuesOf(
            set,
            weights.map((weight, f) => Math.sign(weight - earlier[f]!)),
            spec,
          );
          const least = Math.min(...after.map((value, i) => value - before[i]! - alpha * weak[i]!));
          product *= Math.exp(-least) * Math.sqrt(1 - facts!.phi! ** 2);
          const mean = after.reduce((sum, value) => sum + value, 0) / after.length;
          expect(mean).toBeGreaterThanOrEqual(1 - product - 1e-9);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('trains for another measure than it is selected by, and says what that came to', async () => {
    const found = await run({ select: 'ndcg@5', options: { measure: 'ap', rounds: 5 } });
    const own = await run({ select: 'ap', options: { rounds: 5 } });
    expect(found.log.map(({ facts }) => facts)).toEqual(own.log.map(({ facts }) => facts));
    expect(found.log[0]!.training).toEqual([]);
    expect(own.log[0]!.training).toEqual([own.log[0]!.facts!.training]);
  });

  it('refuses measures that are not between 0 and 1, by name', async () => {
    await expect(run({ options: { measure: 'dcg' } })).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining('dcg is between 0 and Infinity'),
    });
    await expect(run({ select: 'tau' })).rejects.toMatchObject({ code: 'option-invalid' });
  });

  it('refuses features that tell nothing apart', async () => {
    const blocks = data.blocks.map(block => ({ ...block, data: new Float32Array(block.data.length).fill(3) }));
    await expect(run({ data: data.with({ blocks }) })).rejects.toMatchObject({ code: 'data-empty' });
  });

  it('says so where no query can be told apart', async () => {
    const labels = new Map([['label', new Float64Array(data.rows)]]);
    await expect(run({ data: data.with({ labels }) })).rejects.toMatchObject({ code: 'training-without-lambda' });
  });

  it('sets a feature aside that was chosen k times running', async () => {
    const longest = (features: readonly number[]) => {
      let most = 0;
      for (let i = 0, count = 0; i < features.length; i++) {
        count = features[i] === features[i - 1] ? count + 1 : 1;
        most = Math.max(most, count);
      }
      return most;
    };
    for (const aside of [1, 2]) {
      const { log } = await run({ options: { aside, rounds: 30, stall: 0 } });
      expect(longest(log.map(({ facts }) => facts!.feature!))).toBeLessThanOrEqual(aside);
    }
  });

  it('sets it aside in either direction, until all features were or the measure is better than ever', async () => {
    const tolerance = 1; // No round is better than the first.
    const { log } = await run({ options: { aside: 1, rounds: 30, stall: 0, tolerance } });
    const features = log.map(({ facts }) => facts!.feature!);
    for (let i = 0; i + data.features <= features.length; i += data.features) {
      const turn = features.slice(i, i + data.features);
      expect(new Set(turn).size, turn.join(' ')).toBe(data.features);
      expect(turn[0]).toBe(features[0]);
    }
  });

  it('stops when the training measure stands still', async () => {
    const { log, stopped } = await run({ options: { stall: 5 } });
    expect(stopped).toBe('finished');
    expect(log.length).toBeLessThan(500);
    const values = log.map(({ facts }) => facts!.training!);
    const best = Math.max(...values.slice(0, -5));
    for (const value of values.slice(-5)) expect(value).toBeLessThanOrEqual(best + 0.0001);
  });

  it('goes on from a checkpoint to the same model', async () => {
    const directory = temporaryDirectory();
    const whole = await run({ options: { rounds: 9, aside: 1 } });
    await run({ options: { rounds: 4, aside: 1 }, checkpoint: { directory } });
    const resumed = await run({ options: { rounds: 9, aside: 1 }, checkpoint: { directory, resume: true } });
    expect(printModel(resumed.model)).toBe(printModel(whole.model));
    expect(resumed.log.map(({ facts }) => facts)).toEqual(whole.log.map(({ facts }) => facts));
  });

  it('is the same for any number of threads', async () => {
    const large = cubic(120, 1, 40, 5);
    const [one, three] = await Promise.all(
      [1, 3].map(threads => run({ data: large, threads, options: { rounds: 6 } })),
    );
    expect(printModel(three!.model)).toBe(printModel(one!.model));
  });
});
