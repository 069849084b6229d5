/** The exact line against evaluation between every two crossings, for every measure. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { LineMeasure } from '#listwise/lines/line-measure.js';
import { middle, PiecewiseConstant } from '#listwise/lines/piecewise.js';
import { measureDefinitions } from '#listwise/measures/all.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { Random } from '#listwise/numeric/random.js';
import { atOnce } from '#listwise/steps.js';
import { plateausOf } from '../../src/lines/query-sweep.reference.js';
import '../threads-at-once.js';

const cut = (name: string) =>
  measureDefinitions.find(known => known.name === name)!.cutoff === 'required' ? '@3' : '';
const all = measureDefinitions.map(({ name }) => `${name}${cut(name)}`).filter(spec => spec !== 'cndcg');
const specs = [
  ...all,
  'ap(rel=2)@3',
  'ndcg@3',
  'ndcg(empty=skip)',
  'rr@2',
  'err@3',
  'recall@2',
  'cndcg(labels=clicks)',
];

/** Labels and lines with few distinct values, so that lines are parallel, equal, or meet in a point. */
function lines(sizes: readonly number[], seed: number, values: number) {
  const random = new Random(seed, 'lines');
  const builder = new DatasetBuilder({ absent: 0 });
  for (const [q, n] of sizes.entries()) {
    const label = Float64Array.from({ length: n }, () => (random.uniform() < 0.1 ? Number.NaN : random.below(4)));
    const queries = [{ id: `q${q}`, rows: n }];
    const labels = { label, clicks: label.map(value => value / 4) };
    builder.append({ rows: n, width: 1, stride: n, columns: new Float32Array(n), labels, queries });
  }
  const data = builder.finish();
  const draw = () => (values > 0 ? random.below(values) / 3 - 1 : random.gaussian());
  const start = Float64Array.from({ length: data.rows }, draw);
  const slope = Float64Array.from({ length: data.rows }, draw);
  return { data, start, slope };
}

async function along(spec: string, { data, start, slope }: ReturnType<typeof lines>, threads = 1) {
  const measure = parseMeasure(spec);
  const portable = { measures: [spec], modules: [] };
  const line = await LineMeasure.start({ data, measure, threads, portable });
  line.start.set(start);
  line.slope.set(slope);
  const found = atOnce(line.along());
  await line.close();
  return found;
}

describe.each(specs)('%s', spec => {
  it('is what evaluation between every two crossings gives', async () => {
    const cases = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(), fc.constantFrom(0, 3, 6), async (sizes, seed, values) => {
        const given = lines(sizes, seed, values);
        const { data, start, slope } = given;
        const measure = parseMeasure(spec);
        const found = await along(spec, given);
        for (const plateau of found.plateaus()) {
          const { from, to, value } = plateau;
          if (to - from < 1e-9) continue; // rounding may part what meets in one point
          const t = from === -Infinity && to === Infinity ? Math.SQRT1_2 : middle(plateau);
          const { mean } = evaluate(
            data,
            start.map((a, d) => a + t * slope[d]!),
            [measure],
          )[0]!;
          if (Number.isNaN(mean)) expect(value).toBeNaN();
          else expect(measure.aggregate.finish(value)).toBeCloseTo(mean, 9);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('the best of a line', () => {
  it.each(specs)('is the best of all breakpoints, for %s', async spec => {
    const cases = fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(), fc.constantFrom(0, 3, 6), async (sizes, seed, values) => {
        const measure = parseMeasure(spec);
        const { data, start, slope } = lines(sizes, seed, values);
        const line = await LineMeasure.start({ data, measure, threads: 1, portable: undefined });
        line.start.set(start);
        line.slope.set(slope);
        const found = atOnce(line.along());
        const best = found.best();
        const here = found.here().value;
        const peak = atOnce(line.peak(here + 1e-10));
        if (!(best.value > here + 1e-10)) expect(peak).toBeUndefined();
        else {
          expect(peak!.value).toBeCloseTo(best.value, 10);
          const t = middle(peak!);
          const inside = [...found.plateaus()].find(({ to }) => to > t)!;
          expect(inside.value).toBeCloseTo(best.value, 10);
        }
        const { mean } = evaluate(data, start, [measure])[0]!;
        const before = measure.aggregate.finish(atOnce(line.here()));
        if (Number.isNaN(mean)) expect(before).toBeNaN();
        else expect(before).toBeCloseTo(mean, 9);
        await line.close();
      }),
      { numRuns: 60 },
    );
  });

  it.each(['ap', 'ndcg'])(
    'is what evaluation says where most queries hardly move along the line, for %s',
    async spec => {
      const given = lines(Array(12).fill(20), 4, 0);
      const { data, start } = given;
      const slope = given.slope.map((value, row) => (row < 40 ? value : 1e-14 * value));
      const line = await LineMeasure.start({ data, measure: parseMeasure(spec), threads: 1, portable: undefined });
      line.start.set(start);
      line.slope.set(slope);
      const best = atOnce(line.along()).best();
      const peak = atOnce(line.peak(0))!;
      await line.close();
      for (const { value, ...plateau } of [best, peak]) {
        const t = middle({ ...plateau, value });
        const scores = start.map((a, row) => a + t * slope[row]!);
        expect(evaluate(data, scores, [parseMeasure(spec)])[0]!.mean).toBeCloseTo(value, 10);
      }
      expect(peak.value).toBeCloseTo(best.value, 10);
    },
  );

  it.each([
    ['thousands', 30, 60],
    ['millions', 5, 1200],
  ])('is found among %s of crossings, for any number of threads', async (_, queries, documents) => {
    const given = lines(Array(queries).fill(documents), 11, 0);
    const best = (await along('ap', given)).best();
    const peaks = await Promise.all(
      [1, 3].map(async threads => {
        const portable = { measures: ['ap'], modules: [] };
        const line = await LineMeasure.start({ data: given.data, measure: parseMeasure('ap'), threads, portable });
        line.start.set(given.start);
        line.slope.set(given.slope);
        const peak = atOnce(line.peak(0));
        await line.close();
        return peak;
      }),
    );
    expect(peaks[0]!.value).toBeCloseTo(best.value, 12);
    expect(best.from).toBeLessThanOrEqual(peaks[0]!.from);
    expect(best.to).toBeGreaterThanOrEqual(peaks[0]!.to);
    expect(peaks[1]).toEqual(peaks[0]);
  });
});

it('has every breakpoint of the reference', async () => {
  const given = lines([8], 3, 0);
  const measure = parseMeasure('ndcg');
  const view = new DatasetView(given.data);
  const { at, values } = plateausOf(measure, given.start, given.slope, scores => view.moveTo(0, scores));
  const found = await along('ndcg', given);
  const changed = at.filter((_, k) => Math.abs(values[k + 1]! - values[k]!) > 1e-12);
  const ends = [...found.plateaus()].slice(0, -1).map(({ to }) => to);
  expect(ends).toHaveLength(changed.length);
  for (const [k, end] of ends.entries()) expect(end).toBeCloseTo(changed[k]!, 12);
});

it.each(specs)('does not depend on the order of rows for %s', async spec => {
  const given = lines([9, 1, 14, 7], 8, 4);
  const { data } = given;
  const random = new Random(3, 'rows');
  const order = Uint32Array.from({ length: data.rows }, (_, i) => i);
  for (let q = 0; q < data.queries; q++) {
    const own = order.subarray(data.offsets[q], data.offsets[q + 1]);
    own.set(random.shuffle([...own]));
  }
  const moved = (values: Float64Array) => Float64Array.from(order, row => values[row]!);
  const labels = new Map([...data.labels].map(([name, values]) => [name, moved(values)]));
  const shuffled = { data: data.with({ labels }), start: moved(given.start), slope: moved(given.slope) };
  expect([...(await along(spec, shuffled)).plateaus()]).toEqual([...(await along(spec, given)).plateaus()]);
});

it('does not depend on the number of threads', async () => {
  const given = lines(Array(60).fill(40), 5, 0);
  const [one, three] = [await along('ap', given), await along('ap', given, 3)];
  expect([...three.plateaus()]).toEqual([...one.plateaus()]);
});

it('finds the same when lines of a name come again, in any order of rows before', async () => {
  const given = lines(Array(20).fill(30), 7, 5);
  const line = await LineMeasure.start({
    data: given.data,
    measure: parseMeasure('ap'),
    threads: 1,
    portable: undefined,
  });
  const peakOf = (slope: Float64Array, name?: number) => {
    line.start.set(given.start);
    line.slope.set(slope);
    return atOnce(line.peak(0, name));
  };
  const first = peakOf(given.slope, 0);
  const other = given.slope.map(value => Math.sin(5 * value));
  const second = peakOf(other, 1);
  expect(second).not.toEqual(first);
  expect([peakOf(given.slope, 0), peakOf(other), peakOf(given.slope)]).toEqual([first, second, first]);
  await line.close();
});

it.each([0, 5])('finds the same by names after short and long steps, as without, with %i values', async values => {
  const { data, start, slope } = lines([60, 1, 33, 8, 90], 11, values);
  const job = { data, measure: parseMeasure('ap'), threads: 1, portable: undefined };
  const [named, unnamed] = [await LineMeasure.start(job), await LineMeasure.start(job)];
  const slopes = [slope, slope.map(value => Math.sin(5 * value)), slope.map(value => Math.round(value))];
  for (const [k, step] of [0, 1e-6, 1e-3, 0.1, -3, 40, -0.02, 1e-9].entries()) {
    for (let row = 0; row < start.length; row++) start[row]! += step * slopes[k % 3]![row]!;
    for (const [name, own] of slopes.entries()) {
      for (const line of [named, unnamed]) {
        line.start.set(start);
        line.slope.set(own);
      }
      expect(atOnce(named.peak(0, name))).toEqual(atOnce(unnamed.peak(0)));
    }
  }
  await Promise.all([named.close(), unnamed.close()]);
});

describe('PiecewiseConstant', () => {
  const line = new PiecewiseConstant(1, Float64Array.of(-2, -1, -1, 3, 5), Float64Array.of(2, -1, -1, 1, 1));
  it('adds up equal breakpoints', () => {
    const expected = [
      [-Infinity, -2, 1],
      [-2, -1, 3],
      [-1, 3, 1],
      [3, 5, 2],
      [5, Infinity, 3],
    ];
    expect([...line.plateaus()].map(({ from, to, value }) => [from, to, value])).toEqual(expected);
  });
  it('says where it is, what is best nearby, and how far nothing rises', () => {
    expect(line.here()).toEqual({ from: -1, to: 3, value: 1 });
    expect(line.best()).toEqual({ from: -2, to: -1, value: 3 });
    expect(line.withoutRise()).toEqual({ from: -1, to: 3 });
    expect(line.withoutRise(1)).toEqual({ from: -1, to: 5 });
    expect(line.withoutRise(5)).toEqual({ from: -Infinity, to: Infinity });
    expect(middle(line.best())).toBeCloseTo(-1.51, 2);
  });
});
