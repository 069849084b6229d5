import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LabelSorter } from '#listwise/measures/forms/label-sorter.js';
import { orderByScore, reorderByScore } from '#listwise/measures/order.js';

it('ranks as a stable sort does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })), { maxLength: 200 }),
      scores => {
        const order = new Uint32Array(scores.length);
        orderByScore(Float64Array.from(scores), scores.length, order, new Uint32Array(scores.length));
        const expected = scores
          .map((_, i) => i)
          .sort((i, j) => (scores[j]! > scores[i]! ? 1 : scores[j]! < scores[i]! ? -1 : i - j));
        expect([...order]).toEqual(expected);
      },
    ),
  );
});

it('ranks the same from the order of other scores, or gives up', () => {
  const score = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }));
  let done = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(score, score), { maxLength: 40 }), pairs => {
      const n = pairs.length;
      const [before, after] = [0, 1].map(side => Float64Array.from(pairs, pair => pair[side]!));
      const [order, expected] = [new Uint32Array(n), new Uint32Array(n)];
      orderByScore(before!, n, order, new Uint32Array(n));
      orderByScore(after!, n, expected, new Uint32Array(n));
      if (reorderByScore(after!, n, order)) {
        done++;
        expect(order).toEqual(expected);
      } else {
        expect([...order].sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b));
      }
    }),
  );
  expect(done).toBeGreaterThan(0);
});

it('sorts labels of several parts, highest first, and leaves out the unjudged', () => {
  const label = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(Number.NaN));
  const part = fc.array(
    fc.oneof({ weight: 9, arbitrary: label }, { weight: 1, arbitrary: fc.constantFrom(-2, 0.5, 31, 32, 1e6) }),
    { maxLength: 150 },
  );
  const sorter = new LabelSorter();
  fc.assert(
    fc.property(part, part, (a, b) => {
      sorter.clear();
      sorter.add(Float64Array.from([7, ...a, 7]), 1, a.length + 1);
      sorter.add(Float64Array.from(b), 0, b.length);
      const expected = [...a, ...b].filter(value => !Number.isNaN(value)).sort((x, y) => y - x);
      expect([...sorter.sorted()]).toEqual(expected);
    }),
  );
});
