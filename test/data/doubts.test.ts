/** Data that is allowed and hardly ever meant. */
import { describe, expect, it } from 'vitest';
import { Dataset, type DatasetParts } from '#listwise/data/dataset.js';
import { doubtfulFeatures, sharedQueries } from '#listwise/data/doubts.js';

/** Two queries of three documents; features as columns by name, in two blocks. */
function dataOf(features: Readonly<Record<string, readonly number[]>>, parts: Partial<DatasetParts> = {}): Dataset {
  const columns = Object.values(features);
  const block = (start: number) => ({
    start,
    rows: 3,
    stride: 3,
    data: Float32Array.from(columns.flatMap(column => column.slice(start, start + 3))),
  });
  return new Dataset({
    featureNames: Object.keys(features),
    blocks: [block(0), block(3)],
    offsets: Uint32Array.of(0, 3, 6),
    queryIds: ['a', 'b'],
    labels: new Map([['label', Float64Array.of(2, 1, 0, 0.1, 0, Number.NaN)]]),
    ...parts,
  });
}

const varied = [1, 2, 3, 4, 5, 6];
const codes = (data: Dataset) => doubtfulFeatures(data, 'label').map(({ code }) => code);

describe('features', () => {
  it('without doubt', () => expect(codes(dataOf({ x: varied, product_weight: varied }))).toEqual([]));

  it('constant within every query, missing values as well', () => {
    const data = dataOf({
      x: varied,
      user: [7, 7, 7, 8, 8, 8],
      none: Array(6).fill(Number.NaN),
      last: [1, 1, 1, 1, 1, 2],
    });
    expect(doubtfulFeatures(data, 'label')).toEqual([
      {
        code: 'feature-constant',
        text: '2 features constant within every query: "user", "none"; alone they change no order, so leave them out unless trees are to combine them with others',
      },
    ]);
  });

  it('equal to the label wherever there is one', () => {
    const data = dataOf({ x: varied, grade: [2, 1, 0, 0.1, 0, 9], close: [2, 1, 0, 0.1, 1, 9] });
    expect(doubtfulFeatures(data, 'label')).toEqual([
      {
        code: 'feature-is-label',
        text: '1 feature equal to the label "label" of every document: "grade"; a model learns nothing else, so leave such features out',
      },
    ]);
  });

  it('equal to labels that are all the same tell nothing of a leak', () => {
    const labels = new Map([['label', new Float64Array(6)]]);
    expect(codes(dataOf({ zero: Array(6).fill(0) }, { labels }))).toEqual(['feature-constant']);
  });

  it.each([
    ['position', 'the position at which a document was shown'],
    ['Display_Pos', 'the position at which a document was shown'],
    ['weight', 'a weight'],
    ['sample-weight', 'a weight'],
    ['clicked', 'clicks'],
  ])('named %s read like %s', (name, role) => {
    const [doubt, ...others] = doubtfulFeatures(dataOf({ [name]: varied }), 'label');
    expect(doubt).toMatchObject({ code: 'feature-named', text: expect.stringContaining(`like ${role}: "${name}"`) });
    expect(others).toEqual([]);
  });
});

describe('queries', () => {
  const data = dataOf({ x: varied });
  const before = { name: 'training', data };

  it('of other ids are no doubt', () => {
    expect(sharedQueries('test', data.with({ queryIds: ['c', 'd'] }), before)).toEqual([]);
  });

  it('of the same ids are', () => {
    expect(sharedQueries('test', data.with({ queryIds: ['c', 'a'] }), before)).toEqual([
      {
        code: 'query-shared',
        text: '1 of 2 test queries have the id of a training query: "a"; unless each file numbers its queries anew, values on them are too good, so split the data by query',
      },
    ]);
  });

  it('all the same are the same data, read twice or not', () => {
    const twice = data.with({ labels: new Map([['label', data.label().slice()]]) });
    for (const other of [data, twice]) {
      expect(sharedQueries('validation', other, before)[0]!.text).toBe(
        'the validation data is the training data: values on it are too good; give other queries',
      );
    }
    const others = data.with({ labels: new Map([['label', new Float64Array(6)]]) });
    expect(sharedQueries('validation', others, before)[0]!.text).toMatch(/^2 of 2 validation queries have the id/);
  });
});
