/** Files of damaged-models.ts, always the same ones. */
import { describe, expect, it } from 'vitest';
import { importModel } from '#listwise/interop/convert.js';
import { Random } from '#listwise/numeric/random.js';
import { modelFiles, readDamagedModel, trees, writtenAs } from './damaged-models.js';

describe.each(modelFiles)('%s', (_, content) => {
  it('is a model', () => expect(importModel(content).model.featureNames.length).toBeGreaterThan(2));

  it('is read or refused, however it is damaged', () => {
    const random = new Random(1, 'damage');
    const counts = { read: 0, refused: 0 };
    for (let i = 0; i < 400; i++) counts[readDamagedModel(random, content)]++;
    expect(counts.refused).toBeGreaterThan(100);
  });
});

it.each(['2147483648', '99999999', '4294967297'])('feature %s is refused', feature => {
  const text = String(writtenAs(trees, 'ranklib')).replace(/<feature>\d+/, `<feature>${feature}`);
  expect(() => importModel(text)).toThrow(/columns; there can be 1048577/);
});
