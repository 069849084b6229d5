/** Bounds of wide sections of a line, against every plateau of the line. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { PLACES } from '#listwise/kernels/layouts/line-buckets.js';
import { LineBuckets, sliceArrays } from '#listwise/kernels/line-buckets.js';
import { placeOf, stepOf } from '#listwise/kernels/line-places.js';
import { countedForm } from '#listwise/lines/counted-form.js';
import { createLineMemory } from '#listwise/lines/line-memory.js';
import { createSweep } from '#listwise/lines/line-slices.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { Random } from '#listwise/numeric/random.js';

const SECTIONS = 32;

/** Lines of one query with few values: many are the same, whatever their labels. */
function lines(n: number, seed: number, values: number) {
  const random = new Random(seed, 'sections');
  const label = Float64Array.from({ length: n }, (_, i) => (i === 0 ? 1 : random.below(3)));
  const builder = new DatasetBuilder({ absent: 0 });
  const columns = new Float32Array(n);
  builder.append({ rows: n, width: 1, stride: n, columns, labels: { label }, queries: [{ id: 'q', rows: n }] });
  const draw = () => (values > 0 ? random.below(values) / 3 - 1 : random.gaussian());
  const [start, slope] = [0, 1].map(() => Float64Array.from({ length: n }, draw)) as [Float64Array, Float64Array];
  return { data: builder.finish(), start, slope };
}

function sectionsOf(spec: string, { data, start, slope }: ReturnType<typeof lines>): Float64Array {
  const measure = parseMeasure(spec);
  const form = countedForm(data, measure);
  const sweep = createSweep(data, measure, form);
  const cuts = { buckets: 64, sections: SECTIONS };
  const { buckets } = createLineMemory({ data, measure, sweep, form, cuts });
  buckets!.start.set(start);
  buckets!.slope.set(slope);
  new LineBuckets(buckets!).sections(0);
  return sliceArrays(buckets!)[0]!.sections;
}

it.each(['ap', 'ap@4', 'ndcg', 'ndcg@3', 'precision@5'])('of %s are never below what is found within', spec => {
  const measure = parseMeasure(spec);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 24 }), fc.nat(), fc.constantFrom(0, 3, 6), (n, seed, values) => {
      const given = lines(n, seed, values);
      const bounds = sectionsOf(spec, given);
      const random = new Random(seed, 'steps');
      for (let k = 0; k < 60; k++) {
        const step = stepOf(random.uniform() * PLACES, 1);
        if (!Number.isFinite(step)) continue;
        const scores = given.start.map((score, i) => score + step * given.slope[i]!);
        const { mean } = evaluate(given.data, scores, [measure])[0]!;
        const section = Math.floor((placeOf(step, 1) * SECTIONS) / PLACES);
        expect(bounds[section]).toBeGreaterThanOrEqual(mean - 1e-9);
      }
    }),
    { numRuns: 100 },
  );
});

it.each(['ap', 'ap@4', 'ndcg', 'ndcg@3', 'precision@5'])('of %s are what there is where nothing crosses', spec => {
  const { data, start } = lines(20, 5, 0);
  const slope = new Float64Array(20);
  const { mean } = evaluate(data, start, [parseMeasure(spec)])[0]!;
  for (const bound of sectionsOf(spec, { data, start, slope })) expect(bound).toBeCloseTo(mean, 12);
});
