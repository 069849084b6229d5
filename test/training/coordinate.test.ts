/** Coordinate ascent: never worse, at least a dense grid of steps, the global optimum with few features. */
import { describe, expect, it, vi } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { criterionOf } from '#listwise/measures/criterion.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import type { Measure } from '#listwise/measures/measure.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { scoreData } from '#listwise/models/ranker.js';
import { Random } from '#listwise/numeric/random.js';
import { differentLabels } from '#listwise/training/coordinate/global-search.js';
import { LineSearch } from '#listwise/training/coordinate/line-search.js';
import { type TrainSettings, train } from '#listwise/training/train.js';
import { clean } from '../measures/clean.js';
import { cubic, separable } from './small-data.js';
import '../threads-at-once.js';

const data = cubic(20, 1, 12, 5);
const plain = { standardise: false, restarts: 0 };
const run = (settings: Partial<TrainSettings> = {}) =>
  train({ data, holdout: 0, model: 'coordinate', select: 'ap', threads: 1, ...settings });
const meanOf = (set: Dataset, weights: ArrayLike<number>, measure: string | Measure) => {
  const { featureNames } = set;
  return evaluate(set, scoreData(new LinearModel({ featureNames, weights }), set), [measure])[0]!.mean;
};

describe('coordinate', () => {
  it.each(['ap', 'ndcg@5', 'rr', 'err', 'dcg@3', 'gmap'])(
    'never falls, and says what the model comes to, for %s',
    async spec => {
      const { log, model, best } = await run({ select: spec, options: plain });
      for (let t = 1; t < log.length; t++) {
        expect(log[t]!.facts!.training).toBeGreaterThanOrEqual(log[t - 1]!.facts!.training! - 1e-12);
      }
      expect(meanOf(data, (model as LinearModel).weights, spec)).toBeCloseTo(
        log[best.iteration - 1]!.facts!.training!,
        9,
      );
      expect((model as LinearModel).weights.reduce((sum, weight) => sum + Math.abs(weight), 0)).toBeCloseTo(1, 12);
    },
  );

  it.each(['ap', 'ndcg@3'])('ends where no step along a feature is better, for %s', async spec => {
    const { model, log } = await run({ select: spec, options: { ...plain, tolerance: 0 } });
    const { weights } = model as LinearModel;
    const here = log.at(-1)!.facts!.training!;
    for (let f = 0; f < data.features; f++) {
      for (let k = -200; k <= 200; k++) {
        const altered = weights.slice();
        altered[f]! += k / 40;
        expect(meanOf(data, altered, spec)).toBeLessThanOrEqual(here + 1e-9);
      }
    }
  });

  it('finds the global optimum with two features', async () => {
    const two = cubic(6, 3, 8, 2);
    const { model, log } = await run({ data: two, options: plain });
    expect(log).toHaveLength(1);
    const found = meanOf(two, (model as LinearModel).weights, 'ap');
    expect(found).toBeCloseTo(log[0]!.facts!.training!, 10);
    let most = 0;
    for (let k = 0; k < 5000; k++) {
      const angle = (2 * Math.PI * k) / 5000;
      most = Math.max(most, meanOf(two, [Math.cos(angle), Math.sin(angle)], 'ap'));
    }
    expect(found).toBeGreaterThanOrEqual(most - 1e-12);
  });

  it('finds the global optimum with three features', async () => {
    const random = new Random(5);
    for (let seed = 1; seed <= 3; seed++) {
      const three = cubic(3, seed, 6, 3);
      const { model, log } = await run({ data: three, options: plain });
      const found = meanOf(three, (model as LinearModel).weights, 'ap');
      expect(found).toBeCloseTo(log[0]!.facts!.training!, 10);
      let most = 0;
      for (let k = 0; k < 4000; k++) {
        most = Math.max(most, meanOf(three, [random.gaussian(), random.gaussian(), random.gaussian()], 'ap'));
      }
      expect(found).toBeGreaterThanOrEqual(most - 1e-12);
    }
  });

  it('takes random directions and the gradient of an objective', async () => {
    const options = { ...plain, tolerance: 0, cycles: 3 };
    const found = await run({ options: { ...options, random: 4, gradient: true }, objective: 'lambdarank(ap)' });
    expect(found.objective).toBe('lambdarank(ap)');
    for (let t = 1; t < found.log.length; t++) {
      expect(found.log[t]!.facts!.training).toBeGreaterThanOrEqual(found.log[t - 1]!.facts!.training! - 1e-12);
    }
    await expect(run({ options: { gradient: true } })).rejects.toMatchObject({ code: 'option-invalid' });
  });

  it('ends where the gradient is no direction any more: all pairs are right', async () => {
    const objective = 'lambdarank(ndcg,pairs=misranked)';
    const { stopped, log } = await run({
      data: separable(8, 6, 3),
      select: 'ndcg',
      objective,
      options: { ...plain, gradient: true, cycles: 40 },
    });
    expect(stopped).toBe('finished');
    expect(log.length).toBeLessThan(40);
  });

  it('starts again from random weights', async () => {
    const { log, stopped } = await run({ options: { restarts: 2, tolerance: 0.01 } });
    expect(log.filter(({ event }) => event === 'restart')).toHaveLength(2);
    expect(stopped).toBe('finished');
  });

  it('ends a start once a line along each feature, one after the other, gains no more than the tolerance', async () => {
    const { best: search } = LineSearch.prototype;
    const lines: { direction: unknown; gain: number }[] = [];
    const seen = vi.spyOn(LineSearch.prototype, 'best').mockImplementation(function* (
      this: LineSearch,
      direction,
      now,
    ) {
      const found = yield* search.call(this, direction, now);
      lines.push({ direction, gain: found.value - now });
      return found;
    });
    const tolerance = 0.01;
    const { log } = await run({ options: { ...plain, tolerance } }).finally(() => seen.mockRestore());
    const { features } = data;
    const gained = (end: number) => lines.slice(end - features, end).reduce((sum, { gain }) => sum + gain, 0);
    expect(new Set(lines.slice(-features).map(({ direction }) => direction)).size).toBe(features);
    expect(gained(lines.length)).toBeLessThanOrEqual(tolerance);
    for (let end = features; end < lines.length; end++) expect(gained(end)).toBeGreaterThan(tolerance);
    expect(lines.length).toBeLessThan(log.length * features);
  });

  it('is the same for any number of threads', async () => {
    const large = cubic(120, 1, 40, 5);
    const options = { cycles: 2, restarts: 0 };
    const [one, three] = await Promise.all([1, 3].map(threads => run({ data: large, threads, options })));
    expect(printModel(three!.model)).toBe(printModel(one!.model));
  });

  describe('where features have few values, so that documents tie', () => {
    const few = (rows: (row: number) => number) => {
      const whole = cubic(15, 4, 10, 4);
      const blocks = whole.blocks.map(block => {
        const values = Float32Array.from(block.data, (_, i) => {
          const row = i % block.stride;
          const source = row < block.rows ? rows(block.start + row) - block.start : row;
          return Math.round(block.data[i - row + source]!);
        });
        return { ...block, data: values };
      });
      const moved = (values: Float64Array) => values.map((_, row) => values[rows(row)]!);
      return whole.with({ blocks, labels: new Map([...whole.labels].map(([name, own]) => [name, moved(own)])) });
    };
    const inOrder = few(row => row);

    it.each(['ap', 'ndcg@5', 'rr', 'tau'])('says what evaluation does, for %s', async spec => {
      const { log, model, best } = await run({ data: inOrder, select: spec, options: plain });
      const { facts } = log[best.iteration - 1]!;
      expect(evaluate(inOrder, scoreData(model, inOrder), [parseMeasure(spec)])[0]!.tied).toBeGreaterThan(0);
      expect(meanOf(inOrder, (model as LinearModel).weights, spec)).toBeCloseTo(facts!.training!, 10);
    });

    it.each(['ap', 'err'])('makes the same model for any order of rows, for %s', async spec => {
      const turned = few(row => row + 9 - 2 * (row % 10));
      const [one, other] = [
        await run({ data: inOrder, select: spec, options: plain }),
        await run({ data: turned, select: spec, options: plain }),
      ];
      expect((other.model as LinearModel).weights).toEqual((one.model as LinearModel).weights);
    });
  });

  describe('for a measure of the user’s, of which nothing is known but its value', () => {
    const own = parseMeasure('clean@3', { more: [clean] });

    it('ends where no step along a feature is better', async () => {
      const { model, log } = await run({ select: criterionOf(own), options: { ...plain, tolerance: 0 } });
      const { weights } = model as LinearModel;
      const here = log.at(-1)!.facts!.training!;
      expect(meanOf(data, weights, own)).toBeCloseTo(here, 10);
      for (let f = 0; f < data.features; f++) {
        for (let k = -100; k <= 100; k++) {
          expect(meanOf(data, weights.with(f, weights[f]! + k / 20), own)).toBeLessThanOrEqual(here + 1e-9);
        }
      }
    });

    it('says what evaluation does where documents tie', async () => {
      const blocks = data.blocks.map(block => ({ ...block, data: block.data.map(Math.round) }));
      const tied = data.with({ blocks });
      const options = { ...plain, cycles: 2 };
      const { log, model, best } = await run({ data: tied, select: criterionOf(own), options });
      const [found] = evaluate(tied, scoreData(model, tied), [own]);
      expect(found!.tied).toBeGreaterThan(0);
      expect(found!.mean).toBeCloseTo(log[best.iteration - 1]!.facts!.training!, 10);
    });
  });

  it('refuses constant features, a global search of many, and data that tells nothing apart', async () => {
    const blocks = data.blocks.map(block => ({ ...block, data: new Float32Array(block.data.length).fill(3) }));
    await expect(run({ data: data.with({ blocks }) })).rejects.toMatchObject({ code: 'data-empty' });
    await expect(run({ options: { global: 'always' } })).rejects.toMatchObject({ code: 'option-invalid' });
    const labels = new Map([['label', new Float64Array(data.rows)]]);
    await expect(run({ data: data.with({ labels }), select: 'ap(empty=skip)' })).rejects.toMatchObject({
      code: 'training-without-lambda',
    });
  });

  it('refuses a global search of more pairs than it can hold, before it holds any', async () => {
    const set = generateDataset('cubic', { queries: 1, documents: 30_000, features: 3, seed: 1 });
    await expect(run({ data: set, options: { global: 'always' } })).rejects.toMatchObject({
      code: 'data-too-large',
      message: expect.stringMatching(/labels: \d{3},\d{3},\d{3} here, 2,000,000 at most; train with global=auto/),
    });
  });

  it('goes on from a model', async () => {
    const set = separable(10, 8, 4);
    const first = await run({ data: set, options: { cycles: 1, restarts: 0, tolerance: 0 } });
    const second = await run({ data: set, from: first.model, options: { cycles: 1, restarts: 0, tolerance: 0 } });
    expect(second.log[0]!.facts!.training).toBeGreaterThanOrEqual(first.log[0]!.facts!.training! - 1e-12);
  });
});

it('pairs of different labels are counted, however many: a long query is not walked pair by pair', () => {
  const random = new Random(1, 'labels');
  for (let n = 1; n < 40; n++) {
    const labels = Float64Array.from({ length: n }, () => [0, 1, 2, Number.NaN][random.below(4)]!);
    let walked = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) if (labels[i] !== labels[j]) walked++;
    expect(differentLabels(labels)).toBe(walked);
  }
  expect(differentLabels(Float64Array.from({ length: 1e6 }, (_, i) => i % 2))).toBe(0.25e12);
});
