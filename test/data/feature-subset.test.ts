import { describe, expect, it } from 'vitest';
import { readFeatureChoice, selectFeatures } from '#listwise/data/feature-subset.js';
import { memoryInput } from '#listwise/io/inputs.js';
import { datasetOf } from './datasets.js';

const data = datasetOf(
  [
    ['a', 0, 1, 2, 3],
    ['a', 1, 4, 5, 6],
    ['b', 2, 7, 8, 9],
  ],
  ['bm25', 'tf', 'c#'],
);
const read = async (text: string) => {
  const choice = await readFeatureChoice(memoryInput('features', Buffer.from(text)));
  return selectFeatures(data, choice(data.featureNames, true));
};

describe('feature subset files', () => {
  it('keep the features named, in the order of the data', async () => {
    const kept = await read('# chosen\nc#\n\n  bm25   # the best one\r\n');
    expect(kept.featureNames).toEqual(['bm25', 'c#']);
    expect([...kept.column(0), ...kept.column(1)]).toEqual([1, 4, 7, 3, 6, 9]);
    expect([...kept.label()]).toEqual([0, 1, 2]);
  });

  it('refuse unknown and repeated names with their line, and files that name none', async () => {
    await expect(read('tf\nbm52\n')).rejects.toMatchObject({
      code: 'feature-mismatch',
      message: 'features:2: the data has no feature "bm52"; did you mean "bm25"? It has bm25, tf, c#',
    });
    await expect(read('tf\n\ntf\n')).rejects.toMatchObject({ code: 'feature-duplicate', place: { line: 3 } });
    await expect(read('# none\n')).rejects.toMatchObject({ code: 'data-empty' });
  });
});
