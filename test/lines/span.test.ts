/** How long lines are: the kernel against the plain loops, to the bit. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { LineBuckets } from '#listwise/kernels/line-buckets.js';
import { countedForm } from '#listwise/lines/counted-form.js';
import { createLineMemory } from '#listwise/lines/line-memory.js';
import { createSweep } from '#listwise/lines/line-slices.js';
import { extentsOf, spanOf } from '#listwise/lines/span.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { Random } from '#listwise/numeric/random.js';
import { alone } from '#listwise/ranks/transport.js';

/** Queries of so many documents, some of which have scores that are no numbers. */
function linesOf(lengths: readonly number[], seed: number, gaps: boolean) {
  const random = new Random(seed, 'span');
  const rows = lengths.reduce((sum, n) => sum + n, 0);
  const builder = new DatasetBuilder({ absent: 0 });
  builder.append({
    rows,
    width: 1,
    stride: rows,
    columns: new Float32Array(rows),
    labels: { label: Float64Array.from({ length: rows }, () => random.below(3)) },
    queries: lengths.map((n, q) => ({ id: `q${q}`, rows: n })),
  });
  const draw = () => (gaps && random.below(4) === 0 ? Number.NaN : random.gaussian());
  const [start, slope] = [0, 1].map(() => Float64Array.from({ length: rows }, draw)) as [Float64Array, Float64Array];
  return { data: builder.finish(), start, slope };
}

it('are the same by the kernel', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lengths, fc.nat(), fc.boolean(), (lengths, seed, gaps) => {
      const { data, start, slope } = linesOf(lengths, seed, gaps);
      const measure = parseMeasure('ap');
      const form = countedForm(data, measure);
      const cuts = { buckets: 64, sections: 32 };
      const memory = createLineMemory({ data, measure, sweep: createSweep(data, measure, form), form, cuts });
      memory.start.set(start);
      memory.slope.set(slope);
      const plain = memory.slices.map(slice => extentsOf(data, slice, { start, slope }));
      const found = new LineBuckets(memory.buckets!).extents();
      expect(found.map(extents => [...extents])).toEqual(plain.map(extents => [...extents]));
      expect(spanOf(found, alone)).toEqual(spanOf(plain, alone));
    }),
    { numRuns: 60 },
  );
});

it('are a power of 2 near to what scores differ by over what they grow by', () => {
  const data = { offsets: Uint32Array.of(0, 2) };
  const slice = { firstQuery: 0, lastQuery: 1, firstRow: 0, lastRow: 2 };
  const line = { start: Float64Array.of(1, -9), slope: Float64Array.of(0.5, -2) };
  expect(spanOf([extentsOf(data, slice, line)], alone)).toEqual({ typical: 4, least: 4.5 });
});
