import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { informativeness } from '#listwise/analysis/informativeness/informativeness.js';
import { curveError, precisionAtRecall } from '#listwise/analysis/informativeness/precision-recall.js';
import { kendallTau } from '#listwise/analysis/kendall-tau.js';
import { readSystem, type System } from '#listwise/analysis/system.js';
import { readQrels } from '#listwise/data/readers/trec/qrels.js';
import { resolveInput } from '#listwise/io/inputs.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure, parseMeasures } from '#listwise/measures/parse.js';
import { presets } from '#listwise/measures/presets.js';
import { Random } from '#listwise/numeric/random.js';
import { separable } from '../../training/small-data.js';

describe('precision at the points where recall changes', () => {
  it('is the real curve for zeros and ones', () => {
    expect([...precisionAtRecall(Float64Array.of(0, 1, 1, 0, 1), 3)]).toEqual([1 / 2, 2 / 3, 3 / 5]);
  });

  it('is where as many are expected, between ranks in proportion', () => {
    // 0.5, 1.25, 2: one is expected two thirds of the way from rank 1 to rank 2.
    const found = precisionAtRecall(Float64Array.of(0.5, 0.75, 0.75), 2);
    expect(found[0]).toBeCloseTo(1 / (1 + 2 / 3), 12);
    expect(found[1]).toBeCloseTo(2 / 3, 12);
  });

  it('is off by root mean square and mean absolute difference', () => {
    const { rms, mae } = curveError(Float64Array.of(1, 0.5), Float64Array.of(0.5, 0.75));
    expect(rms).toBeCloseTo(Math.sqrt((0.25 + 0.0625) / 2), 12);
    expect(mae).toBeCloseTo(0.375, 12);
  });
});

describe("Kendall's tau", () => {
  it.each([
    [[1, 2, 3, 4], [1, 2, 3, 4], 1],
    [[1, 2, 3, 4], [4, 3, 2, 1], -1],
    [[1, 2, 3, 4], [1, 3, 2, 4], 2 / 3],
    // One tie on one side: 5 alike over sqrt(6 * 5).
    [[1, 2, 3, 4], [1, 2, 2, 4], 5 / Math.sqrt(30)],
  ])('of %j and %j is %d', (a, b, tau) => expect(kendallTau(a, b)).toBeCloseTo(tau, 12));

  it('takes values within a tolerance as tied', () => {
    const [a, b] = [
      [0.3, 0.3, 0.5, 0.7],
      [0.1 + 0.2, 0.3, 0.5, 0.7],
    ];
    expect(kendallTau(a, b)).toBeLessThan(0.95);
    expect(kendallTau(a, b, 1e-12)).toBeCloseTo(1, 12);
  });

  it('is undefined where nothing is distinguished', () => {
    expect([kendallTau([1, 1], [1, 2]), kendallTau([1], [2])]).toEqual([Number.NaN, Number.NaN]);
  });
});

/** Systems from nearly right to random, on data whose labels are a function of its features. */
const data = separable(12, 30, 3);
const random = new Random(5);
const systems: System[] = [0.2, 0.5, 1, 2, 4].map((noise, s) => ({
  name: `s${s}`,
  data,
  scores: data.label().map(label => label + noise * random.gaussian()),
}));

describe('informativeness', () => {
  const measures = parseMeasures('ap,ndcg,p@10').map(({ measure }) => measure);
  const predict = parseMeasures('ap,ndcg,p@10,rr,err@5').map(({ measure }) => measure);
  const results = informativeness(systems, measures, { predict });

  it('predicts the known measure itself, to the accuracy of the inference', () => {
    for (const { measure, predictions } of results) {
      const own = predictions.find(prediction => prediction.measure.spec === measure.spec)!;
      expect(own.queryRms).toBeLessThan(1e-8);
      expect(own.tau).toBe(1);
    }
  });

  it('gives the real values as evaluation does', () => {
    for (const [s, { data, scores }] of systems.entries()) {
      const real = evaluate(data, scores, predict).map(({ mean }) => mean);
      expect(results[0]!.predictions.map(prediction => prediction.systems[s]!.actual)).toEqual(real);
    }
  });

  it('finds measures of the whole list more informative than one of its top', () => {
    const [ap, ndcg, top] = results;
    for (const whole of [ap!, ndcg!]) {
      expect(whole.rms).toBeLessThan(top!.rms);
      expect(whole.mae).toBeLessThan(top!.mae);
      expect(whole.entropy).toBeLessThan(top!.entropy);
      expect(whole.lists).toBe(systems.length * data.queries);
    }
  });

  it('is certain of a perfect list', () => {
    const [perfect] = informativeness([{ name: 'ideal', data, scores: data.label() }], [parseMeasure('ndcg')]);
    expect(perfect).toMatchObject({ rms: 0, mae: 0, entropy: 0 });
    expect(perfect!.curve.map(point => point.inferred)).toEqual(perfect!.curve.map(point => point.actual));
  });

  it('leaves out lists without a relevant document, and says how many', () => {
    const none = data.with({ labels: new Map([['label', data.label().map((label, i) => (i < 30 ? 0 : label))]]) });
    const [ap] = informativeness([{ name: 'a', data: none, scores: systems[0]!.scores }], [parseMeasure('ap')]);
    expect(ap).toMatchObject({ lists: 11, empty: 1 });
  });
});

const folder = join(import.meta.dirname, '../../../../shared/data/trec_eval');
const absent = !existsSync(folder);
describe.skipIf(absent)(
  `a run of 1,000 documents a query${absent ? ' (skipped: ../shared/data/trec_eval is absent)' : ''}`,
  () => {
    it('AP tells more than R-precision, and that more than P@10', async () => {
      const qrels = await readQrels(await resolveInput(join(folder, 'qrels.test.gz')));
      const run = await readSystem('run', await resolveInput(join(folder, 'results.test.gz')), qrels, { kind: 'run' });
      const measures = parseMeasures('map,Rprec,P_10', { preset: presets.trec_eval }).map(({ measure }) => measure);
      const [ap, rprec, top] = informativeness([run], measures, { ties: 'document' });
      expect(ap!.rms).toBeLessThan(rprec!.rms);
      expect(rprec!.rms).toBeLessThan(top!.rms);
      expect(ap!.lists).toBe(run.data.queries);
    });
  },
);
