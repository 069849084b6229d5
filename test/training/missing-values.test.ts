/** What a missing value counts as in linear models and nets, in training as in scoring. */
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { exportModel } from '#listwise/interop/convert.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { scoreData } from '#listwise/models/ranker.js';
import { Random } from '#listwise/numeric/random.js';
import { trainNamed } from '#listwise/training/train.js';
import { separable } from './small-data.js';

/** Values shifted off 0, a third of some features' values missing. */
function holed(seed: number, features: readonly number[]): Dataset {
  const data = separable(20, 12, 4, seed);
  const random = new Random(seed, 'holes');
  const blocks = data.blocks.map(block => {
    const values = block.data.map(value => value + 3);
    for (const f of features) {
      for (let i = 0; i < block.rows; i++) if (random.below(3) === 0) values[f * block.stride + i] = Number.NaN;
    }
    return { ...block, data: values };
  });
  return data.with({ blocks });
}

describe('a missing value', () => {
  it('counts as the mean in a linear model, and as 0 where training saw none of the feature', async () => {
    const { model } = await trainNamed({ data: holed(1, [2]), model: 'linear', options: { epochs: 2 } });
    if (!(model instanceof LinearModel)) throw new Error(model.kind);
    expect([...model.missing]).toEqual([0, 0, model.mean[2], 0]);
    expect(model.mean[2]).toBeGreaterThan(2);
  });

  it('is no loss for RankLib and the engines in a model of data without any', async () => {
    const { model } = await trainNamed({ data: holed(1, []), model: 'linear', options: { epochs: 2 } });
    expect(exportModel(model, { to: 'ranklib' }).losses).toEqual([]);
    expect(exportModel(model, { to: 'linear' }).losses).toEqual([expect.stringContaining('there is no intercept')]);
  });

  it.each(['linear', 'net'])('counts the same while a %s is trained and when it scores', async model => {
    const validate = holed(2, [0, 1, 2, 3]);
    const trained = await trainNamed({
      data: holed(1, [2]),
      validate,
      model,
      select: 'ndcg@5',
      options: { epochs: 3 },
    });
    const [result] = evaluate(validate, scoreData(trained.model, validate), [parseMeasure('ndcg@5')]);
    expect(result!.mean).toBeCloseTo(trained.best!.values[0]!, 9);
  });
});
