import { describe, expect, it } from 'vitest';
import { DriftWatch } from '#listwise/analysis/drift.js';
import { Dataset } from '#listwise/data/dataset.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { binOf, sketchOf, sketchSample } from '#listwise/models/sketch.js';
import { chiSquareTail } from '#listwise/numeric/chi-square.js';
import { Random } from '#listwise/numeric/random.js';
import { train } from '#listwise/training/train.js';

const names = ['normal', 'ofQuery', 'count', 'sometimes', 'always'];
const model = new LinearModel({ featureNames: names, weights: [1, 0.5, 0.1, 0.2, 1], missing: [0, 0, 0, 3, 0] });

/** Lists of different lengths, in which documents are alike: one feature is the same for all of a query. */
function lists(random: Random, queries: number, shift = 0) {
  return Array.from({ length: queries }, (_, q) => {
    const ofQuery = random.gaussian();
    const n = 1 + random.below(20) * (ofQuery > 0 ? 2 : 1);
    return Array.from({ length: n }, () => ({
      qid: String(q),
      label: random.below(3),
      normal: random.gaussian() + shift,
      ofQuery,
      count: Math.floor(-2 * Math.log(1 - random.uniform())),
      sometimes: random.uniform() < 0.3 ? null : random.uniform(),
      always: 1,
    }));
  });
}

type Lists = ReturnType<typeof lists>;

function watched(sketch: ReturnType<typeof sketchOf>, queries: Lists, random: Random): DriftWatch {
  const watch = new DriftWatch(sketch, names);
  for (const documents of queries) {
    const { normal, ofQuery, count, sometimes, always } = documents[random.below(documents.length)]!;
    const row = Float32Array.of(normal, ofQuery, count, sometimes ?? Number.NaN, always);
    watch.add(row, 0, model.scoreRow(row));
  }
  return watch;
}

it('a watch that was cleared is as a new one', () => {
  const sketch = sketchOf(model, sketchSample(Dataset.from(lists(new Random(1), 100).flat())));
  const queries = lists(new Random(2), 50);
  const watch = watched(sketch, lists(new Random(3), 70), new Random(4));
  watch.clear();
  expect(watch.documents).toBe(0);
  const fresh = new DriftWatch(sketch, names);
  for (const [documents] of queries) {
    const { normal, ofQuery, count, sometimes, always } = documents!;
    const row = Float32Array.of(normal, ofQuery, count, sometimes ?? Number.NaN, always);
    for (const each of [watch, fresh]) each.add(row, 0, model.scoreRow(row));
  }
  expect(watch.drifts()).toEqual(fresh.drifts());
});

describe('the sketch', () => {
  it('has shares that add up, edges in order, ranges, and missing values last', () => {
    const { queries, features, scores } = sketchOf(model, sketchSample(Dataset.from(lists(new Random(1), 400).flat())));
    expect(queries).toBe(400);
    expect(scores.queries).toBe(400);
    for (const { edges, shares, range } of [...features, scores]) {
      expect(shares).toHaveLength(edges.length + 2);
      expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 3);
      expect([...edges].sort((a, b) => a - b)).toEqual(edges);
      expect(range![0]).toBeLessThanOrEqual(range![1]);
    }
    expect(features[0]!.edges).toHaveLength(9);
    expect(features[3]!.shares.at(-1)).toBeCloseTo(0.3, 1);
    expect(features[4]!).toEqual({ edges: [], shares: [1, 0], range: [1, 1] });
    // Lists of queries above 0 are twice as long: by document the median would be above 0.
    expect(Math.abs(features[1]!.edges[4]!)).toBeLessThan(0.15);
  });

  it('knows the bin of a value', () => {
    expect([-1, 0, 0.5, 1, 2, Number.NaN].map(value => binOf([0, 1], value))).toEqual([0, 0, 1, 1, 2, 3]);
  });

  it('is in every model that is trained, and in its file', async () => {
    const data = Dataset.from(lists(new Random(2), 60).flat());
    for (const kind of ['linear', 'trees'] as const) {
      const { model: trained } = await train({ model: kind, data });
      const { sketch } = trained.training!;
      expect(sketch!.features.map(({ edges }) => edges.length > 0)).toEqual([true, true, true, true, false]);
      const again = await train({ model: kind, data, threads: 1 });
      expect(again.model.training!.sketch).toEqual(sketch);
      expect(JSON.parse(JSON.stringify(trained)).training.sketch).toEqual(JSON.parse(JSON.stringify(sketch)));
    }
  });
});

describe('drift', () => {
  it('is found where a feature moves, and named', () => {
    const random = new Random(3);
    const sketch = sketchOf(model, sketchSample(Dataset.from(lists(random, 500).flat())));
    const drifts = watched(sketch, lists(random, 1000, 1), random).drifts();
    expect(drifts.filter(({ drifted }) => drifted).map(({ feature }) => feature)).toEqual(['normal', undefined]);
    const [first] = drifts;
    expect(first).toMatchObject({ feature: 'normal', missing: 0 });
    expect(first!.psi).toBeGreaterThan(0.5);
    expect(first!.above).toBeGreaterThan(0);
  });

  it('is named without cause no more often than alpha says', () => {
    const runs = 150;
    let alarms = 0;
    let small = 0;
    for (let run = 0; run < runs; run++) {
      const random = new Random(100 + run);
      const sketch = sketchOf(model, sketchSample(Dataset.from(lists(random, 100).flat())));
      const drifts = watched(sketch, lists(random, 200), random).drifts(0.1);
      alarms += Number(drifts.some(({ drifted }) => drifted));
      small += Number(drifts.some(({ p }) => p < 0.1 / 6));
    }
    // Standard error 2.4 %. The index of 0.1 that is asked for besides makes alarms rarer still.
    expect(small / runs).toBeLessThan(0.1 + 0.075);
    expect(small).toBeGreaterThan(0);
    expect(alarms).toBeLessThanOrEqual(small);
  });
});

it('chi-square tails are those of SciPy', () => {
  // scipy.stats.chi2.sf
  const [x, degrees] = [
    [3.84, 20, 5, 60, 0.1],
    [1, 10, 5, 10, 4],
  ];
  const expected = [
    0.05004352124870519, 0.029252688076961124, 0.4158801869955079, 3.6243009520614924e-9, 0.9987908957257497,
  ];
  for (const [k, p] of expected.entries()) expect(chiSquareTail(x[k]!, degrees[k]!) / p).toBeCloseTo(1, 10);
});
