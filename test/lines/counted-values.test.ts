/** Values by counting against evaluation, which ranks every list. */
import { describe, expect, it } from 'vitest';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { CountedValues } from '#listwise/lines/counted-values.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { Random } from '#listwise/numeric/random.js';

function lists(sizes: readonly number[], seed: number) {
  const random = new Random(seed, 'lists');
  const builder = new DatasetBuilder({ absent: 0 });
  for (const [q, n] of sizes.entries()) {
    const label = Float64Array.from({ length: n }, () => (random.uniform() < 0.1 ? Number.NaN : random.below(5)));
    builder.append({
      rows: n,
      width: 1,
      stride: n,
      columns: new Float32Array(n),
      labels: { label },
      queries: [{ id: `q${q}`, rows: n }],
    });
  }
  return { data: builder.finish(), random };
}

const specs = ['ndcg', 'ndcg@3', 'ndcg(empty=skip)', 'ap(rel=2)', 'ap@3', 'p@5', 'rbp', 'recall@2', 'dcg@4'];

describe.each(specs)('%s', spec => {
  // Few values of scores tie many documents.
  it.each([0, 2, 5])('is what evaluation says (%i values of scores)', values => {
    const sizes = [1, 2, 3, 8, 9, 40, 41, 128];
    const { data, random } = lists(sizes, 7);
    const draw = () => (values > 0 ? random.below(values) : random.gaussian());
    const scores = Float64Array.from({ length: data.rows }, draw);
    const counted = CountedValues.of(data, parseMeasure(spec), data.rows, data.queries)!;
    const expected = evaluate(data, scores, [spec.replace('(empty=skip)', '')])[0]!.values;
    for (const [first, last] of [
      [0, 8],
      [3, 6],
      [7, 8],
    ] as const) {
      counted.show(first, last);
      const found = counted.at(scores.subarray(data.offsets[first]!));
      for (let q = first; q < last; q++) {
        const value = found[q - first]!;
        // Undefined for the query: what it counts then is for the caller.
        expect(Number.isNaN(value) ? 0 : value).toBeCloseTo(expected[q]!, 12);
      }
    }
  });
});

it('leaves long lists and other measures to those who rank', () => {
  const { data } = lists([129], 1);
  expect(CountedValues.of(data, parseMeasure('ndcg'), 200, 1)).toBeUndefined();
  expect(CountedValues.of(lists([4], 1).data, parseMeasure('rr'), 4, 1)).toBeUndefined();
});
