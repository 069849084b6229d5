import { expect, it } from 'vitest';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { modelFile } from '#listwise/models/model-schema.js';
import { NetModel } from '#listwise/models/net/net.js';
import { randomEnsemble } from './random-trees.js';

const shape = { features: 2, leaves: [4, 1], grid: 5, skew: 0 };

it.each([
  ['trees', randomEnsemble(1, shape)],
  ['trees of version 2', randomEnsemble(1, { ...shape, sums: 'float32', zeroMissing: 0.5 })],
  ['trees of version 3', randomEnsemble(1, { ...shape, categories: { share: 1, levels: 9 } })],
  ['linear', new LinearModel({ featureNames: ['a'], weights: [2] })],
  ['net', new NetModel({ featureNames: ['a'], hidden: [1], activation: 'tanh', parameters: [1, 2, 3, 4] })],
])('%s are written as the schema says', (_, model) => {
  const json = JSON.parse(printModel(model));
  expect(modelFile.safeParse(json).error).toBeUndefined();
  expect(modelFile.safeParse({ ...json, more: 1 }).success).toBe(false);
});
