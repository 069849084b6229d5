/** Exact optimality along lines, against steps that are sampled densely. */
import { describe, expect, it } from 'vitest';
import { randomDirection, singleDirection } from '#listwise/analysis/optimality/directions.js';
import { exactOptimality, exactStanding, exactVerdict } from '#listwise/analysis/optimality/exact-optimality.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import { scoreData } from '#listwise/models/ranker.js';
import { train } from '#listwise/training/train.js';
import { cubic } from '../../training/small-data.js';
import '../../threads-at-once.js';

const data = cubic(12, 2, 10, 4);
const model = new LinearModel({ featureNames: data.featureNames, weights: [1, -0.5, 0.25, 0.1] });
const meanAt = (weights: Float64Array) =>
  evaluate(data, scoreData(model.with({ weights }), data), [parseMeasure('ap')])[0]!.mean;

describe('exactOptimality', () => {
  it('says how far nothing rises, and what the best step gains', async () => {
    const [found] = await exactOptimality(model, data, ['ap'], { directions: 6, seed: 3 });
    expect(found!.value).toBeCloseTo(meanAt(model.weights), 12);
    const directions = [
      ...[0, 1, 2, 3].map(f => singleDirection(f, 4, 1)),
      ...[0, 1, 2, 3, 4, 5].map(d => randomDirection(3, d, 4, 1)),
    ];
    for (const [l, line] of [...found!.single, ...found!.random].entries()) {
      const at = (t: number) => meanAt(model.weights.map((weight, f) => weight + t * directions[l]![f]!));
      if (line.gain > 0) expect(at(line.step)).toBeCloseTo(found!.value + line.gain, 9);
      for (let k = -300; k <= 300; k++) {
        const t = k / 60;
        expect(at(t)).toBeLessThanOrEqual(found!.value + line.gain + 1e-9);
        if (t > line.from + 1e-9 && t < line.to - 1e-9) expect(at(t)).toBeLessThanOrEqual(found!.value + 1e-9);
      }
      if (Number.isFinite(line.to)) expect(at(line.to + 1e-7)).toBeGreaterThan(found!.value);
      if (Number.isFinite(line.from)) expect(at(line.from - 1e-7)).toBeGreaterThan(found!.value);
    }
    expect(exactStanding(found!)).toBe('no optimum');
    expect(exactVerdict('ap', found!)).toMatch(/^No optimum of ap/);
  });

  it('proves what coordinate ascent comes to along every coordinate, for any number of threads', async () => {
    const options = { standardise: false, tolerance: 0, restarts: 0 };
    const trained = await train({ data, holdout: 0, model: 'coordinate', select: 'ap', threads: 1, options });
    const results = [1, 2].map(threads => exactOptimality(trained.model, data, ['ap'], { directions: 3, threads }));
    const [one, two] = (await Promise.all(results)).map(([first]) => first);
    expect(one!.single.every(({ gain }) => gain === 0)).toBe(true);
    expect(one!.single.every(({ from, to }) => from === -Infinity && to === Infinity)).toBe(true);
    expect(two!.random).toEqual(one!.random);
  });

  it('finds the same where lists are so long that threads look at one line together', async () => {
    // One document in 2,000 is relevant, so that crossings that count are few.
    const long = cubic(2, 3, 4000, 4);
    const label = long.label().map((_, i) => (i % 2000 === 7 ? 1 : 0));
    const rare = long.with({ labels: new Map([['label', label]]) });
    const results = [1, 2].map(threads => exactOptimality(model, rare, ['ap'], { directions: 2, threads }));
    const [one, two] = (await Promise.all(results)).map(([first]) => first);
    expect(one!.single.some(({ gain }) => gain > 0)).toBe(true);
    expect([two!.value, two!.single, two!.random]).toEqual([one!.value, one!.single, one!.random]);
  });

  it('refuses models that are not linear in their parameters', async () => {
    const net = new NetModel({
      featureNames: data.featureNames,
      hidden: [2],
      activation: 'tanh',
      parameters: new Float64Array(13).fill(0.1),
    });
    await expect(exactOptimality(net, data, ['ap'])).rejects.toMatchObject({ code: 'option-invalid' });
  });
});
