/** Maximum-entropy inference against closed forms, brute force, the conditions of an optimum, and enumerated lists. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedValue, type InferredLabels, inferLabels } from '#listwise/analysis/informativeness/infer.js';
import type { QueryView } from '#listwise/measures/measure.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { Random } from '#listwise/numeric/random.js';
import { anyList, ranked, viewOf } from '../../measures/lists.js';

const infer = (spec: string, labels: readonly number[], value?: number, outside: readonly number[] = []) =>
  inferLabels(parseMeasure(spec), viewOf(ranked(labels, outside)), value)!;

/** Probability of the label at each rank. */
function row({ n, labels, probabilities }: InferredLabels, label: number): number[] {
  const v = labels.indexOf(label);
  return [...probabilities.subarray(v * n, (v + 1) * n)];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const binaryEntropy = (p: readonly number[]) =>
  sum(p.map(x => (x > 0 && x < 1 ? -x * Math.log(x) - (1 - x) * Math.log(1 - x) : 0)));
/** E[AP] written out: the sum over r of p_r / r times (1 + the sum over t < r of p_t), over R. */
const expectedAp = (p: readonly number[], relevant: number) =>
  sum(p.map((x, r) => (x / (r + 1)) * (1 + sum(p.slice(0, r))))) / relevant;

const closeTo = (found: readonly number[], expected: readonly number[], digits = 9) => {
  expect(found).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, digits);
};

describe('closed forms', () => {
  it('p@k: the value at the first k ranks, what is left shared by the others', () => {
    closeTo(row(infer('p@4', [1, 0, 0, 0, 1, 1, 0, 0, 0, 0]), 1), [...Array(4).fill(0.25), ...Array(6).fill(2 / 6)]);
  });

  it('R-precision is precision at R, judged documents outside the list included', () => {
    const found = row(infer('rprec', [1, 0, 0, 1, 0, 0], undefined, [1, 0]), 1);
    closeTo(found, [...Array(3).fill(1 / 3), ...Array(3).fill(1 / 3)]);
    closeTo(row(infer('rprec', [1, 1, 0, 0, 0, 1], undefined, [1, 0]), 1), [...Array(4).fill(0.5), 0.5, 0.5]);
  });

  it('a measure that sees the whole list alike says nothing', () => {
    closeTo(row(infer('recall', [1, 0, 0, 1]), 1), Array(4).fill(0.5));
  });

  it('grades that a measure cannot tell apart keep their shares', () => {
    const found = infer('p@2', [2, 0, 1, 1, 0, 0]);
    closeTo(
      row(found, 2),
      [1 / 2, 1 / 2, 1 / 2, 1 / 2, 1 / 2, 1 / 2].map(p => p / 3),
    );
    closeTo(
      row(found, 1),
      row(found, 2).map(p => 2 * p),
    );
  });

  it('two documents and NDCG: linear in the value', () => {
    const discount = 1 / Math.log2(3);
    for (const p of [0.1, 0.5, 0.8]) {
      closeTo(row(infer('ndcg', [3, 0], p + (1 - p) * discount), 3), [p, 1 - p]);
    }
  });

  it('two documents and AP: p + (1 - p^2) / 2', () => {
    for (const p of [0.1, 0.5, 0.8, 0.99]) closeTo(row(infer('ap', [1, 0], p + (1 - p * p) / 2), 1), [p, 1 - p], 7);
  });
});

describe('ends', () => {
  it.each(['ap', 'ndcg', 'rbp', 'dcg'])('%s: the best and the worst list are certain', spec => {
    const labels = [2, 2, 1, 0, 0, 0];
    for (const list of [labels, labels.toReversed()]) {
      const found = infer(spec, list);
      for (const label of [0, 1, 2]) {
        const relevant = spec === 'ap' || spec === 'rbp' ? (x: number) => Number(x >= 1) : (x: number) => x;
        // Binary measures leave open which relevant document is where.
        const same = list.map(x => (relevant(x) === relevant(label) ? 1 : 0));
        const share = list.filter(x => x === label).length / sum(same);
        closeTo(
          row(found, label),
          same.map(x => x * share),
        );
      }
      expect(Math.abs(found.multiplier)).toBe(Infinity);
    }
  });

  it('a cut-off leaves the rest open', () => {
    closeTo(row(infer('ndcg@2', [1, 1, 0, 1, 0]), 1), [1, 1, 1 / 3, 1 / 3, 1 / 3]);
    closeTo(row(infer('ap@2', [0, 0, 0, 1, 0]), 1), [0, 0, 1 / 3, 1 / 3, 1 / 3]);
    closeTo(row(infer('p@2', [0, 0, 1, 1, 1]), 1), [0, 0, 1, 1, 1]);
  });

  it('is undefined where the measure is', () => {
    expect(inferLabels(parseMeasure('ap'), viewOf(ranked([0, 0])))).toBeUndefined();
  });

  it.each([
    ['ap', 0.2, 0.325, 1],
    ['ndcg', 1.1, undefined, 1],
    ['p@2', 0.6, 0, 0.5],
    ['ap', Number.NaN, 0.325, 1],
  ])('%s = %d is refused with the feasible range', (spec, value, low, high) => {
    const labels = spec === 'p@2' ? [0, 0, 1, 0] : [0, 0, 0, 1, 1];
    expect(() => infer(spec, labels, value)).toThrow(
      expect.objectContaining({
        code: 'value-infeasible',
        message: expect.stringMatching(new RegExp(`cannot be ${value} .* allow ${low ?? '\\S+'} to ${high}`)),
      }),
    );
  });

  it.each(['rr', 'bpref'])('%s is refused by name', spec => {
    expect(() => infer(spec, [1, 0])).toThrow(
      expect.objectContaining({ code: 'spec-parameter', message: expect.stringContaining(`inferred from ${spec}`) }),
    );
  });
});

const binaryList = fc
  .array(fc.integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 40, size: 'max' })
  .filter(labels => labels.includes(1));
/** Where in the feasible range, near both ends too. */
const share = fc.oneof(
  fc.double({ min: 0.001, max: 0.999, noNaN: true }),
  fc.integer({ min: 1, max: 8 }).map(power => 10 ** -power),
  fc.integer({ min: 1, max: 8 }).map(power => 1 - 10 ** -power),
);

describe('average precision', () => {
  const within = (labels: readonly number[], at: number) => {
    const relevant = sum(labels);
    const best = labels.toSorted((a, b) => b - a);
    const low = expectedAp(best.toReversed(), relevant);
    return low + at * (expectedAp(best, relevant) - low);
  };

  it('meets its constraints, and every logit is a constant plus a multiple of the slope', () => {
    fc.assert(
      fc.property(binaryList, share, (labels, at) => {
        const relevant = sum(labels);
        if (relevant === labels.length) return;
        const value = within(labels, at);
        const found = infer('ap', labels, value);
        const p = row(found, 1);
        const q = row(found, 0);
        expect(Math.abs(sum(p) - relevant)).toBeLessThan(1e-8);
        expect(Math.abs(expectedAp(p, relevant) - value)).toBeLessThan(1e-8);
        if (!Number.isFinite(found.multiplier)) return;
        const slope = p.map(
          (_, r) => ((1 + sum(p.slice(0, r))) / (r + 1) + sum(p.map((x, t) => (t > r ? x / (t + 1) : 0)))) / relevant,
        );
        const level = p.map((x, r) => Math.log(x) - Math.log(q[r]!) - found.multiplier * slope[r]!);
        const certain = (r: number) => p[r]! < 1e-300 || q[r]! < 1e-300;
        const some = level.filter((_, r) => !certain(r));
        const scale = 1 + Math.abs(found.multiplier);
        expect(Math.max(...some) - Math.min(...some)).toBeLessThan(1e-8 * scale);
      }),
      { numRuns: 200 },
    );
  });

  it('three documents: no point of a fine grid on the constraints has more entropy', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2), fc.double({ min: 0.02, max: 0.98, noNaN: true }), (relevant, at) => {
        const labels = [1, relevant - 1, 0];
        const value = within(labels, at);
        const best = binaryEntropy(row(infer('ap', labels, value), 1));
        let found = 0;
        for (let i = 0; i <= 4000; i++) {
          // Given p_1 and p_3 = m - p_1 - p_2, E[AP] = value is a quadratic in p_2.
          const first = i / 4000;
          const of = (second: number) => expectedAp([first, second, relevant - first - second], relevant) - value;
          const [c, one, minus] = [of(0), of(1), of(-1)] as const;
          const a = (one + minus) / 2 - c;
          const b = (one - minus) / 2;
          const root = Math.sqrt(b * b - 4 * a * c);
          for (const second of a === 0 ? [-c / b] : [(-b + root) / (2 * a), (-b - root) / (2 * a)]) {
            const p = [first, second, relevant - first - second];
            if (p.every(x => x >= 0 && x <= 1)) found = Math.max(found, binaryEntropy(p));
          }
        }
        expect(found).toBeLessThan(best + 1e-9);
        expect(found).toBeGreaterThan(best - 1e-3);
      }),
      { numRuns: 40 },
    );
  });

  it('no random point on the constraints has more entropy', () => {
    fc.assert(
      fc.property(binaryList, fc.double({ min: 0.01, max: 0.99, noNaN: true }), fc.nat(), (labels, at, seed) => {
        const n = Math.min(labels.length, 7);
        const list = labels.slice(0, n).with(0, 1).with(-1, 0);
        const relevant = sum(list);
        const value = within(list, at);
        const best = binaryEntropy(row(infer('ap', list, value), 1));
        const random = new Random(seed);
        for (let trial = 0; trial < 100; trial++) {
          const found = randomFeasible(n, relevant, value, random);
          if (found !== undefined) expect(binaryEntropy(found)).toBeLessThan(best + 1e-7);
        }
      }),
      { numRuns: 40 },
    );
  });

  /** A random list of probabilities with the given sum, mixed with another so that E[AP] is right. */
  function randomFeasible(n: number, relevant: number, value: number, random: Random): number[] | undefined {
    const draw = () => {
      const tilt = 4 * random.gaussian();
      const raw = Array.from({ length: n }, (_, r) => 2 * random.gaussian() - (tilt * r) / n);
      let [low, high] = [-60, 60];
      const at = (level: number) => raw.map(x => 1 / (1 + Math.exp(-x - level)));
      for (let k = 0; k < 60; k++) {
        if (sum(at((low + high) / 2)) < relevant) low = (low + high) / 2;
        else high = (low + high) / 2;
      }
      return at(low);
    };
    const [a, b] = [draw(), draw()];
    const mix = (t: number) => a.map((x, r) => (1 - t) * x + t * b[r]!);
    const miss = (t: number) => expectedAp(mix(t), relevant) - value;
    if (miss(0) * miss(1) > 0) return undefined;
    let [low, high] = miss(0) < 0 ? [0, 1] : [1, 0];
    for (let k = 0; k < 60; k++) {
      if (miss((low + high) / 2) < 0) low = (low + high) / 2;
      else high = (low + high) / 2;
    }
    return mix(low);
  }
});

describe('linear measures', () => {
  const specs = ['ndcg', 'ndcg@5', 'ndcg(gain=linear)', 'rbp', 'dcg@10', 'p@3', 'recall@4', 'cndcg(discount=letor)'];

  it('meet their constraints; odds ratios are exp(lambda times difference of gains times difference of discounts)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...specs), anyList, (spec, list) => {
        const clicks = spec.startsWith('cndcg');
        const labels = list.labels.map(label => (clicks ? label / 4 : label));
        const outside = list.outside.map(label => (clicks ? label / 4 : label));
        const measure = parseMeasure(spec);
        const view = viewOf({ ...list, labels, outside });
        const found = inferLabels(measure, view);
        const value = measure.value(view);
        expect(found === undefined).toBe(Number.isNaN(value));
        if (found === undefined) return;
        expect(Math.abs(expectedValue(measure, view, found) - value)).toBeLessThan(1e-8 * Math.max(1, value));
        const { n, probabilities } = found;
        const at = (v: number, r: number) => probabilities[v * n + r]!;
        for (const [v, label] of found.labels.entries()) {
          const count = labels.filter(other => Object.is(other, label)).length;
          expect(sum(Array.from({ length: n }, (_, r) => at(v, r)))).toBeCloseTo(count, 8);
        }
        for (let r = 0; r < n; r++) expect(sum([...found.labels.keys()].map(v => at(v, r)))).toBeCloseTo(1, 9);
        if (!Number.isFinite(found.multiplier)) return;
        const discount = new Float64Array(n);
        const norm = measure.expectation!.fill(view, discount);
        const gains = found.labels.map(measure.expectation!.gain);
        for (let v = 1; v < gains.length; v++) {
          for (let r = 1; r < n; r++) {
            const expected = found.multiplier * norm * (gains[v]! - gains[v - 1]!) * (discount[r]! - discount[r - 1]!);
            const odds =
              Math.log(at(v, r)) - Math.log(at(v - 1, r)) - Math.log(at(v, r - 1)) + Math.log(at(v - 1, r - 1));
            if (Number.isFinite(odds)) expect(Math.abs(odds - expected)).toBeLessThan(1e-6 * (1 + Math.abs(expected)));
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('long lists', () => {
  it.each(['ap', 'ndcg', 'p@10', 'rprec'])('%s: 1,000 documents', spec => {
    const random = new Random(7, spec);
    for (const density of [0.003, 0.05, 0.5]) {
      for (const bias of [-6, 0, 6]) {
        const labels = Array.from({ length: 1000 }, (_, r) =>
          random.uniform() < (2 * density) / (1 + Math.exp((bias * (r - 500)) / 500)) ? 1 + random.below(3) : 0,
        ).with(400, 1);
        const measure = parseMeasure(spec);
        const view = viewOf(ranked(labels));
        const found = inferLabels(measure, view)!;
        expect(Math.abs(expectedValue(measure, view, found) - measure.value(view))).toBeLessThan(1e-8);
      }
    }
  });

  it('one relevant document among 1,000, at any rank', () => {
    const measure = parseMeasure('ap');
    for (const rank of [1, 2, 3, 10, 100, 500, 900, 990, 998, 999, 1000]) {
      const view = viewOf(ranked(Array.from({ length: 1000 }, (_, r) => Number(r + 1 === rank))));
      const found = inferLabels(measure, view)!;
      expect(Math.abs(expectedValue(measure, view, found) - 1 / rank)).toBeLessThan(1e-8);
    }
  });
});

describe('lists near the worst', () => {
  it('few relevant documents, all far down: a run of TREC-COVID, where no start of a shape leads anywhere', () => {
    const ranks = [708, 780, 809, 822, 942, 949, 989];
    const labels = Array.from({ length: 1000 }, (_, r) => (ranks.includes(r + 1) ? 1 : 0));
    const p = row(infer('ap', labels, undefined, Array(51).fill(1)), 1);
    expect(sum(p)).toBeCloseTo(7, 7);
    expect(expectedAp(p, 58)).toBeCloseTo(0.0005389508714875414, 9);
  });
});

describe('expected values', () => {
  it.each([
    'ap',
    'ap@2',
    'ap(divisor=cut)@3',
    'ndcg',
    'ndcg@2',
    'p@3',
    'rprec',
    'rbp',
    'f1@2',
    'rr',
    'rr@2',
    'success@2',
    'err',
    'err@3',
  ])('%s is the mean over all lists, each as probable as its labels', spec => {
    const measure = parseMeasure(spec);
    const labels = [1, 0, 2, 0];
    const view = viewOf(ranked(labels, [1]));
    const random = new Random(3, spec);
    const raw = labels.map(() => [random.uniform(), random.uniform(), random.uniform()]);
    const byRank = raw.map(row => row.map(x => x / sum(row)));
    const probabilities = Float64Array.from([0, 1, 2].flatMap(v => byRank.map(row => row[v]!)));
    let mean = 0;
    for (let code = 0; code < 3 ** 4; code++) {
      const list = labels.map((_, r) => Math.floor(code / 3 ** r) % 3);
      // The same judgments as to what the best list is and how many are relevant.
      const drawn: QueryView = {
        ...shown(view),
        labels: () => Float64Array.from(list),
        ranked: () => Float64Array.from(list),
      };
      mean += byRank.reduce((product, row, r) => product * row[list[r]!]!, 1) * measure.value(drawn);
    }
    const inferred = { n: 4, labels: Float64Array.of(0, 1, 2), probabilities, entropy: 0, multiplier: 0 };
    expect(expectedValue(measure, view, inferred)).toBeCloseTo(mean, 12);
  });

  const shown = (view: QueryView) => ({
    query: 0,
    number: 0,
    n: view.n,
    scores: view.scores,
    order: view.order,
    ideal: (source: string, over: 'list' | 'judged') => view.ideal(source, over),
  });
});

describe('long lists on which a full step goes too far', () => {
  /** Found by trial: whole steps took every probability to 0 or 1. */
  it.each([
    ['p@10', 1000, 10, 0.9],
    ['p@10', 1000, 10, 0.5],
    ['rbp', 319, 114, 0.9999999737694559],
    ['rbp', 373, 314, 0.9999999582827432],
    ['ndcg', 1000, 396, 0.99],
  ])('%s of %d documents, %d relevant, is %d', (spec, n, relevant, value) => {
    const labels = Array.from({ length: n }, (_, r) => (r < relevant ? 1 : 0));
    const found = infer(spec, labels, value);
    expect(Math.abs(sum(row(found, 1)) - relevant)).toBeLessThan(1e-8);
    expect(expectedValue(parseMeasure(spec), viewOf(ranked(labels)), found)).toBeCloseTo(value, 8);
  });

  it('is found for lists of any length and quality', () => {
    const random = new Random(3, 'long lists');
    const measures = ['ndcg', 'dcg', 'p@10', 'ap', 'rprec', 'ndcg@10', 'recall@100', 'rbp'].map(spec =>
      parseMeasure(spec),
    );
    for (let i = 0; i < 200; i++) {
      const n = Math.round(2 * 500 ** random.uniform());
      const skill = 4 * random.uniform();
      const share = random.uniform() ** 2;
      const labels = Array.from({ length: n }, () => (random.uniform() < share ? 1 + random.below(4) : 0));
      const keys = labels.map(label => skill * Math.min(label, 1) + 2 * random.uniform());
      const order = [...keys.keys()].sort((a, b) => keys[b]! - keys[a]!);
      const view = viewOf(ranked(order.map(document => labels[document]!)));
      for (const measure of measures) inferLabels(measure, view);
    }
  });
});
