import { expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { createLineMemory } from '#listwise/lines/line-memory.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { inOneStep } from '#listwise/steps.js';

it('says what to do where there is no room for all crossings', () => {
  const data = generateDataset('cubic', { queries: 2, documents: 7, features: 3, seed: 1 });
  const sweep = { most: () => 2 ** 44, run: () => inOneStep(() => 0) };
  const job = { data, measure: parseMeasure('ap'), sweep, form: undefined, cuts: { buckets: 64, sections: 32 } };
  expect(() => createLineMemory(job)).toThrow(
    expect.objectContaining({
      code: 'data-too-large',
      message: expect.stringMatching(
        /crossing of two documents: 35,184,372,088,832 here, 524,288 GiB, .* 7 documents; train on fewer/,
      ),
    }),
  );
});
