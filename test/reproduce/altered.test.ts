import { describe, expect, it } from 'vitest';
import type { Ranker } from '#listwise/models/ranker.js';
import { alter, riseCells, riseColumns } from '#listwise/reproduce/altered.js';
import { generatedPart } from '#listwise/reproduce/generated.js';
import { Lab } from '#listwise/reproduce/index.js';
import { train } from '#listwise/training/train.js';
import '../threads-at-once.js';

const data = generatedPart({ generator: 'cubic', documents: 15, features: 6, training: 40 }, 'training', 3);
const lab = (threads: number) => new Lab({ seed: 3, threads, signal: new AbortController().signal });

describe('alterations of a model as plain data', () => {
  it('counts rises of every measure, the same on any number of threads', async () => {
    const { model } = await train({ data, model: 'linear', holdout: 0, options: { epochs: 3 }, seed: 3, threads: 1 });
    const wanted = { directions: 20, threshold: 0.003, singles: 2 };
    const [one, two] = [
      await alter(model, data, ['ndcg', 'rr'], 'one', wanted, lab(1)),
      await alter(model, data, ['ndcg', 'rr'], 'one', wanted, lab(2)),
    ];
    expect(two).toEqual(one);
    expect(JSON.parse(JSON.stringify(one))).toEqual(one);
    expect(one.map(({ measure }) => measure)).toEqual(['ndcg', 'rr']);
    for (const { random, single, curves, steps, value } of one) {
      expect([random.directions, random.alterations, single!.directions]).toEqual([20, 200, 2]);
      expect(random.improved > 0).toBe(random.gain > 0);
      expect(random.above > 0).toBe(random.gain > 0.003);
      expect(curves.every(curve => curve.length === steps.length)).toBe(true);
      expect(curves.flat().every(after => after - value <= random.gain + 1e-12)).toBe(true);
    }
  });

  it('steps times the weights of a linear model are those from the same weights at length 1', async () => {
    const { model } = await train({ data, model: 'linear', holdout: 0, options: { epochs: 3 }, seed: 3, threads: 1 });
    const wanted = { directions: 20, threshold: 0.003, singles: 2 };
    const [relative] = await alter(model, data, ['ndcg'], 'weights', wanted, lab(1));
    const { parameters, at } = perturbed(model);
    const [scaled] = await alter(
      at(parameters.map(weight => weight / relative!.length)),
      data,
      ['ndcg'],
      'one',
      wanted,
      lab(1),
    );
    expect(scaled!.length).toBeCloseTo(1, 12);
    expect(relative!.length).toBeCloseTo(Math.hypot(...parameters), 12);
    expect([relative!.value, relative!.curves]).toEqual([scaled!.value, scaled!.curves]);
    expect([relative!.random, relative!.single]).toEqual([scaled!.random, scaled!.single]);
  });

  it('fills its columns with counts of directions or of alterations', async () => {
    const { model } = await train({ data, model: 'linear', holdout: 0, options: { epochs: 1 }, seed: 3, threads: 1 });
    const wanted = { directions: 20, threshold: 0.003, singles: 0 };
    const [altered] = await alter(model, data, ['ndcg'], 'one', wanted, lab(1));
    const { random, value, length } = altered!;
    for (const counted of ['directions', 'alterations'] as const) {
      expect(riseColumns(counted, 0.003)).toHaveLength(riseCells(counted, altered!).length);
    }
    expect(random.directionsImproved).toBeLessThan(random.improved);
    expect(riseCells('directions', altered!)).toEqual([
      value,
      length,
      20,
      random.directionsImproved,
      random.directionsAbove,
      random.gain,
    ]);
    expect(riseCells('alterations', altered!)).toEqual([
      value,
      length,
      200,
      random.improved,
      random.above,
      random.gain,
    ]);
  });
});

function perturbed(model: Ranker) {
  const perturbation = model.perturbation!();
  return { parameters: perturbation.parameters, at: (values: Float64Array) => perturbation.at(values) };
}
