/**
 * Structural SVMs: most violated rankings against brute force, the dual against its conditions, the gap, and refusals.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discounts } from '#listwise/measures/forms/discount.js';
import type { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { scoreData } from '#listwise/models/ranker.js';
import { atOnce } from '#listwise/steps.js';
import { assignSteps } from '#listwise/training/svm/assignment.js';
import { solveDual } from '#listwise/training/svm/dual.js';
import { type LossOptions, lossOf } from '#listwise/training/svm/losses.js';
import { mergeSteps } from '#listwise/training/svm/merging.js';
import { assignRankSteps } from '#listwise/training/svm/positions.js';
import { type NamedSettings, trainNamed } from '#listwise/training/train.js';
import { temporaryDirectory } from '../temporary.js';
import { cubic, separable } from './small-data.js';
import { largestViolation, pairPsi } from './violation.reference.js';
import '../threads-at-once.js';

const options: LossOptions = { loss: 'ap', rel: 1, form: 'pairs', positions: 'root', cut: 3 };
const scoresOf = (n: number) => fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: n, maxLength: n });
const list = (grades: number) =>
  fc.integer({ min: 2, max: 8 }).chain(n =>
    fc.tuple(
      scoresOf(n).map(values => Float64Array.from(values)),
      fc.array(fc.nat(grades - 1), { minLength: n, maxLength: n }).map(values => Float64Array.from(values)),
    ),
  );
const ndcgLoss = (labels: Float64Array, gain: (label: number) => number) => (order: readonly number[]) => {
  const at = (rank: number) => discounts.log2.at(rank);
  const dcg = (by: readonly number[]) => by.reduce((sum, label, r) => sum + gain(label) * at(r + 1), 0);
  return 1 - dcg(order.map(d => labels[d]!)) / dcg([...labels].sort((a, b) => b - a));
};
const apLoss = (labels: Float64Array) => (order: readonly number[]) => {
  let relevant = 0;
  let sum = 0;
  for (const [r, d] of order.entries()) if (labels[d]! >= 1) sum += ++relevant / (r + 1);
  return 1 - sum / relevant;
};
const rrLoss = (labels: Float64Array) => (order: readonly number[]) =>
  1 - 1 / (1 + order.findIndex(d => labels[d]! >= 1));

describe('most violated rankings', () => {
  const binary = {
    ap: apLoss,
    rr: rrLoss,
    ndcg: (labels: Float64Array) => ndcgLoss(labels, label => Number(label >= 1)),
  };
  it.each(['ap', 'rr', 'ndcg'] as const)('of %s by pairs are those of brute force', loss => {
    const { find } = lossOf({ ...options, loss });
    fc.assert(
      fc.property(list(2), ([scores, labels]) => {
        const found = atOnce(find(scores, labels, scores));
        const relevant = labels.filter(label => label >= 1).length;
        if (relevant === 0 || relevant === labels.length) {
          expect(found).toBeUndefined();
          return;
        }
        const psi = pairPsi(scores, d => labels[d]! >= 1);
        const right = [...labels.keys()].sort((a, b) => labels[b]! - labels[a]!);
        const value = found!.loss - found!.coefficients.reduce((sum, c, d) => sum + c * scores[d]!, 0);
        expect(value).toBeCloseTo(largestViolation(labels.length, binary[loss](labels), psi, psi(right)), 10);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['root', 'linear'] as const)('of ndcg by positions (%s) are those of brute force', positions => {
    const { find } = lossOf({ ...options, loss: 'ndcg', form: 'positions', positions });
    const weigh = (rank: number) => (positions === 'root' ? 1 / Math.sqrt(rank + 1) : Math.max(0, 4 - rank));
    fc.assert(
      fc.property(list(4), ([scores, labels]) => {
        const found = atOnce(find(scores, labels, new Float64Array(scores.length)));
        if (new Set(labels).size < 2) {
          expect(found).toBeUndefined();
          return;
        }
        const psi = (order: readonly number[]) => order.reduce((sum, d, r) => sum + scores[d]! * weigh(r + 1), 0);
        // The right ranking: the mean of A over the ranks of each grade.
        const sorted = [...labels.keys()].sort((a, b) => labels[b]! - labels[a]!);
        let right = 0;
        for (const label of new Set(labels)) {
          const ranks = sorted.flatMap((d, r) => (labels[d] === label ? [r + 1] : []));
          const mean = ranks.reduce((sum, rank) => sum + weigh(rank), 0) / ranks.length;
          for (const [d, own] of labels.entries()) if (own === label) right += scores[d]! * mean;
        }
        const value = found!.loss - found!.coefficients.reduce((sum, c, d) => sum + c * scores[d]!, 0);
        const loss = ndcgLoss(labels, label => 2 ** label - 1);
        expect(value).toBeCloseTo(largestViolation(labels.length, loss, psi, right), 10);
      }),
      { numRuns: 60 },
    );
  });

  it('of ndcg by positions are right about the order within a grade where they take it from these scores', () => {
    const { find } = lossOf({ ...options, loss: 'ndcg', form: 'positions' });
    fc.assert(
      fc.property(list(4), ([scores, labels]) => {
        const found = atOnce(find(scores, labels, scores));
        const tied = atOnce(find(scores, labels, new Float64Array(scores.length)));
        if (found === undefined) return;
        const slack = ({ loss, coefficients }: typeof found) =>
          loss - coefficients.reduce((sum, c, d) => sum + c * scores[d]!, 0);
        expect(slack(found)).toBeGreaterThan(-1e-9);
        expect(slack(found)).toBeLessThan(slack(tied!) + 1e-9);
      }),
    );
    // In the right order of grades, but not of one height: nothing is wrong once scores are far apart.
    const scores = Float64Array.of(50, 40, 10, 0);
    const slack = (before: Float64Array) => {
      const { loss, coefficients } = atOnce(find(scores, Float64Array.of(1, 1, 0, 0), before))!;
      return loss - coefficients.reduce((sum, c, d) => sum + c * scores[d]!, 0);
    };
    expect(slack(scores)).toBeCloseTo(0, 9);
    expect(slack(new Float64Array(4))).toBeGreaterThan(0.5);
  });

  it('of pairs are all that are not apart by 1', () => {
    const { find } = lossOf({ ...options, loss: 'pairs' });
    fc.assert(
      fc.property(list(4), ([scores, labels]) => {
        let hinge = 0;
        let pairs = 0;
        for (const [i, high] of labels.entries()) {
          for (const [j, low] of labels.entries()) {
            if (high <= low) continue;
            pairs++;
            hinge += Math.max(0, 1 - scores[i]! + scores[j]!);
          }
        }
        const found = atOnce(find(scores, labels, scores));
        if (pairs === 0) {
          expect(found).toBeUndefined();
          return;
        }
        const value = found!.loss - found!.coefficients.reduce((sum, c, d) => sum + c * scores[d]!, 0);
        expect(value).toBeCloseTo(hinge / pairs, 10);
      }),
    );
  });

  it('by merging are those of the assignment solver', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 3 }), fc.nat(), (sizes, seed) => {
        let next = 0;
        const grades = sizes.map(size => Uint32Array.from({ length: size }, () => next++));
        const scores = grades.flatMap((grade, g) => Array.from(grade, (_, k) => Math.sin(seed + 9 * g) - k / 3));
        const gain = (d: number) => 2 ** grades.findIndex(grade => grade.includes(d));
        const worth = (d: number, r: number) => scores[d]! / Math.sqrt(r + 2) - gain(d) / Math.log2(r + 2);
        const total = (order: Uint32Array) => order.reduce((sum, d, r) => sum + worth(d, r), 0);
        const all = Uint32Array.from({ length: next }, (_, d) => d);
        const merged = atOnce(mergeSteps(grades, worth, next));
        expect(total(merged!)).toBeCloseTo(total(atOnce(assignRankSteps(all, worth))), 10);
      }),
    );
  });
});

it.each([
  [
    'ap',
    'pairs',
    /each relevant document and every other one: 10,000,100,000 here, 38 GiB, .* 200,000 documents; train on fewer/,
  ],
  [
    'ndcg',
    'positions',
    /each document and every rank: 40,000,000,000 here, 299 GiB, .* 200,000 documents; .* or with loss=pairs/,
  ],
] as const)('says what to do where a query is too long for %s by %s', (loss, form, message) => {
  const labels = Float64Array.from({ length: 200_000 }, (_, d) => d % 2);
  const { find } = lossOf({ ...options, loss, form });
  expect(() => atOnce(find(labels, labels, labels))).toThrow(
    expect.objectContaining({ code: 'data-too-large', message: expect.stringMatching(message) }),
  );
});

it('queries in which a ranking can be wrong are those with a most violated one', () => {
  const label = fc.constantFrom(-1, 0, 1, 2, Number.NaN);
  const kinds: LossOptions[] = [
    { ...options, loss: 'pairs' },
    { ...options, loss: 'ap' },
    { ...options, loss: 'ndcg', form: 'positions' },
  ];
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.array(label, { maxLength: 5 }), (kind, values) => {
      const labels = Float64Array.from(values);
      const scores = new Float64Array(labels.length);
      const { canBeWrong, find } = lossOf(kind);
      expect(canBeWrong(labels)).toBe(atOnce(find(scores, labels, scores)) !== undefined);
    }),
  );
});

it('assigns at least cost', () => {
  expect([...atOnce(assignSteps(Float64Array.of(4, 1, 3, 2, 0, 5, 3, 2, 2), 3))]).toEqual([1, 0, 2]);
});

it('solves the dual: no multiplier can be moved to gain', () => {
  const dimensions = 4;
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions + 1, maxLength: dimensions + 1 }),
        {
          minLength: 1,
          maxLength: 9,
        },
      ),
      fc.constantFrom(0.1, 1, 50),
      (rows, c) => {
        const psi = rows.map(row => row.slice(0, dimensions));
        const delta = rows.map(row => Math.abs(row[dimensions]!));
        const gram = psi.map(a => Float64Array.from(psi, b => a.reduce((sum, value, f) => sum + value * b[f]!, 0)));
        const alpha = rows.map(() => 0);
        solveDual(gram, delta, c, alpha);
        const sum = alpha.reduce((total, value) => total + value, 0);
        for (const value of alpha) expect(value).toBeGreaterThanOrEqual(0);
        expect(sum).toBeLessThanOrEqual(c * (1 + 1e-9));
        // w and slack of these multipliers: the gap to the primal over the same planes is none.
        const product = gram.map(row => row.reduce((total, value, l) => total + value * alpha[l]!, 0));
        const square = alpha.reduce((total, value, k) => total + value * product[k]!, 0);
        const slack = Math.max(0, ...delta.map((value, k) => value - product[k]!));
        const dual = alpha.reduce((total, value, k) => total + value * delta[k]!, 0) - square / 2;
        expect(square / 2 + c * slack - dual).toBeLessThan(1e-6 * Math.max(1, dual));
      },
    ),
  );
});

describe('svm', () => {
  const data = separable(24, 15, 6);
  const run = (settings: Partial<NamedSettings> = {}) =>
    trainNamed({ data, holdout: 0, model: 'svm', select: 'ndcg@5', threads: 1, ...settings });

  it.each(['pairs', 'ap', 'ndcg', 'rr'])('ends by the gap, with loss=%s', async loss => {
    const { log, stopped } = await run({ options: { loss, c: 1 } });
    expect(stopped).toBe('finished');
    const { primal, dual, gap } = log.at(-1)!.facts!;
    expect(gap).toBeCloseTo(primal! - dual!, 12);
    expect(gap).toBeLessThanOrEqual(0.001 * primal!);
    expect(gap).toBeGreaterThanOrEqual(-1e-9);
    for (const { facts } of log.slice(0, -1)) expect(facts!.gap).toBeGreaterThan(0.001 * facts!.primal!);
    // The dual never falls.
    for (let t = 1; t < log.length; t++)
      expect(log[t]!.facts!.dual).toBeGreaterThanOrEqual(log[t - 1]!.facts!.dual! - 1e-9);
  });

  it('says the primal of the model', async () => {
    const c = 5;
    const { model, log } = await run({ options: { c, scale: 'pairs' } });
    const scores = scoreData(model, data);
    const label = data.label();
    let hinge = 0;
    let pairs = 0;
    for (let q = 0; q < data.queries; q++) {
      for (let i = data.offsets[q]!; i < data.offsets[q + 1]!; i++) {
        for (let j = data.offsets[q]!; j < data.offsets[q + 1]!; j++) {
          if (!(label[i]! > label[j]!)) continue;
          pairs++;
          hinge += Math.max(0, 1 - scores[i]! + scores[j]!);
        }
      }
    }
    const { weights } = model as LinearModel;
    const half = weights.reduce((sum, weight) => sum + weight * weight, 0) / 2;
    expect(half + (c * hinge) / pairs).toBeCloseTo(log.at(-1)!.facts!.primal!, 8);
  });

  it('is the same for any number of threads', async () => {
    const large = cubic(120, 1, 40, 5);
    const [one, three] = await Promise.all(
      [1, 3].map(threads => run({ data: large, threads, options: { loss: 'ap' } })),
    );
    expect(printModel(three!.model)).toBe(printModel(one!.model));
  });

  it('by positions is solved again and again, and the primal never rises', async () => {
    const { log, stopped } = await run({ options: { loss: 'ndcg', form: 'positions', c: 10 } });
    expect(stopped).toBe('finished');
    const [primal, dual] = [log.map(({ facts }) => facts!.primal!), log.map(({ facts }) => facts!.dual!)];
    for (let t = 1; t < log.length; t++) expect(primal[t]).toBeLessThanOrEqual(primal[t - 1]! + 1e-12);
    // Every problem begins with one plane, whose dual is below that of the last.
    expect(dual.filter((value, t) => t > 0 && value < dual[t - 1]! - 1e-9).length).toBeGreaterThan(0);
  });

  it.each([
    { loss: 'ap', c: 10 },
    { loss: 'ndcg', form: 'positions', c: 10 },
  ])('goes on from a checkpoint to the same model: %o', async options => {
    const directory = temporaryDirectory();
    const whole = await run({ options });
    const part = await run({ options: { ...options, rounds: 4 }, checkpoint: { directory } });
    expect(part.log).toHaveLength(4);
    const resumed = await run({ options, checkpoint: { directory, resume: true } });
    expect(printModel(resumed.model)).toBe(printModel(whole.model));
    expect(resumed.log.length).toBe(whole.log.length);
  });

  it('says what counts as relevant where labels are grades', async () => {
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    await run({ options: { loss: 'ap', rounds: 1 }, note });
    expect(notes.join()).toContain('label of at least 1 count as relevant');
    notes.length = 0;
    await run({ options: { loss: 'ndcg', form: 'positions', rounds: 1 }, note });
    expect(notes.join()).toContain('not proven');
    expect(notes.join()).not.toContain('count as relevant');
  });

  it('refuses c = 0, data without a pair, constant features, and a model to go on from', async () => {
    await expect(run({ options: { c: 0 } })).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining('above 0'),
    });
    const labels = new Map([['label', new Float64Array(data.rows)]]);
    await expect(run({ data: data.with({ labels }) })).rejects.toMatchObject({ code: 'training-without-lambda' });
    const judged = data.with({ labels: new Map([['label', data.label('label').map((_, row) => 1 + (row % 2))]]) });
    await expect(run({ data: judged, options: { loss: 'ap' } })).rejects.toMatchObject({
      code: 'training-without-lambda',
      message: expect.stringContaining('whether label is at least rel=1; set rel'),
    });
    const blocks = data.blocks.map(block => ({ ...block, data: new Float32Array(block.data.length).fill(3) }));
    await expect(run({ data: data.with({ blocks }) })).rejects.toMatchObject({ code: 'data-empty' });
    const { model } = await run({ options: { rounds: 1 } });
    await expect(run({ from: model })).rejects.toMatchObject({ code: 'option-invalid' });
  });
});
