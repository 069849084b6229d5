import { describe, expect, it } from 'vitest';
import { alter } from '#listwise/reproduce/altered.js';
import { generatedPart } from '#listwise/reproduce/generated.js';
import { Lab } from '#listwise/reproduce/index.js';
import { train } from '#listwise/training/train.js';

const data = generatedPart({ generator: 'cubic', documents: 15, features: 6, training: 40 }, 'training', 3);
const lab = (threads: number) => new Lab({ seed: 3, threads, signal: new AbortController().signal });

describe('alterations of a model as plain data', () => {
  it('counts rises of every measure, the same on any number of threads', async () => {
    const { model } = await train({ data, model: 'linear', holdout: 0, options: { epochs: 3 }, seed: 3, threads: 1 });
    const wanted = { directions: 20, threshold: 0.003, singles: 2 };
    const [one, two] = [
      await alter(model, data, ['ndcg', 'rr'], wanted, lab(1)),
      await alter(model, data, ['ndcg', 'rr'], wanted, lab(2)),
    ];
    expect(two).toEqual(one);
    expect(JSON.parse(JSON.stringify(one))).toEqual(one);
    expect(one.map(({ measure }) => measure)).toEqual(['ndcg', 'rr']);
    for (const { random, single, curves, steps, value } of one) {
      expect([random.directions, random.alterations, single!.directions]).toEqual([20, 200, 2]);
      expect(random.improved > 0).toBe(random.gain > 0);
      expect(random.above > 0).toBe(random.gain > 0.003);
      expect(curves.every(curve => curve.length === steps.length)).toBe(true);
      expect(curves.flat().every(figure => figure - value <= random.gain + 1e-12)).toBe(true);
    }
  });
});
