/** `JSON.stringify(model)` is a model file, for every kind. */
import { expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { parseModel, printModel } from '#listwise/models/model-file.js';
import { scoreData } from '#listwise/models/ranker.js';
import { trainNamed } from '#listwise/training/train.js';

const data = generateDataset('mslr', { queries: 12, seed: 3 });

it.each([
  ['trees', { trees: 5 }],
  ['linear', { epochs: 3 }],
  ['net', { epochs: 3 }],
])('%s', async (model, options) => {
  const trained = await trainNamed({ model, data, options, holdout: 0, seed: 2 });
  const copy = parseModel(JSON.stringify(trained.model));
  expect(scoreData(copy, data)).toEqual(scoreData(trained.model, data));
  expect(printModel(copy)).toBe(printModel(trained.model));
  expect(JSON.stringify(JSON.parse(printModel(copy)))).toBe(JSON.stringify(trained.model));
  expect(() => parseModel(JSON.stringify({ ...trained.model.toJSON(), featureNames: ['1'] }))).toThrow(
    'does not match its checksum',
  );
});
