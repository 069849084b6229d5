/**
 * The pair kernel equals the reference: every measure with a table form, every factor, tiers, missing labels, any score
 * span.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { measureDefinitions } from '#listwise/measures/all.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import type { ObjectiveRun } from '#listwise/objectives/objective.js';
import { kernelRun } from '#listwise/objectives/pairs/kernel-run.js';
import { bellFactor, closeFactor, logisticFactor } from '#listwise/objectives/pairs/pair-factor.js';
import { pairLambdas } from '#listwise/objectives/pairs/pair-lambdas.reference.js';
import { type PairPlan, pairPlan } from '#listwise/objectives/pairs/pair-plan.js';
import { atOnce } from '#listwise/steps.js';
import { tightPairLambdas } from './tight-pair-lambdas.js';

interface Query {
  scores: number[];
  label: number[];
  clicks: number[];
}

/** Scores are float32 values, as every model gives them: the kernel ranks in float32. */
const queries = (longest: number, span: number, shortest = 1) =>
  fc
    .array(
      fc.tuple(
        fc.double({ min: -span, max: span, noNaN: true }).map(Math.fround),
        fc.constantFrom(0, 0, 0, 1, 2, 3, 4, Number.NaN),
        fc.constantFrom(0, 0, 0.25, 0.5, 1, Number.NaN),
      ),
      { minLength: shortest, maxLength: longest },
    )
    .map((rows): Query => ({ scores: rows.map(r => r[0]), label: rows.map(r => r[1]), clicks: rows.map(r => r[2]) }));

function viewOf({ scores, label, clicks }: Query): DatasetView {
  const builder = new DatasetBuilder({ absent: 0 });
  builder.append({
    rows: scores.length,
    width: 0,
    stride: 0,
    columns: new Float32Array(0),
    labels: { label: Float64Array.from(label), clicks: Float64Array.from(clicks) },
    queries: [{ id: 'q', rows: scores.length }],
  });
  return new DatasetView(builder.finish()).moveTo(0, scores);
}

function expectEqual(
  plan: PairPlan,
  query: Query,
  start: (plan: PairPlan) => ObjectiveRun | undefined = kernelRun,
): void {
  const view = viewOf(query);
  const lambdas = () => ({ lambda: new Float64Array(view.n), hessian: new Float64Array(view.n) });
  const [reference, kernel] = [lambdas(), lambdas()];
  const pairs = pairLambdas(plan, view, reference);
  const kernelPairs = start(plan)!.lambdas(view, kernel);
  for (const part of ['lambda', 'hessian'] as const) {
    // Sums of float32 terms: the error goes with the largest lambda of the query.
    const scale = Math.max(1e-30, ...reference.lambda.map(Math.abs), ...reference.hessian.map(Math.abs));
    for (let i = 0; i < view.n; i++) {
      expect(Math.abs(kernel[part][i]! - reference[part][i]!), `${part} of document ${i}`).toBeLessThanOrEqual(
        1e-5 * scale,
      );
    }
  }
  // Where scores are very far apart, lambdas fall below the range of one or the other.
  if (Math.max(...query.scores) - Math.min(...query.scores) < 60) expect(kernelPairs).toBe(pairs);
}

const tableMeasures = measureDefinitions
  // Click measures ask for labels in [0, 1].
  .map(({ name, cutoff }) => ({ name: name === 'cndcg' ? 'cndcg(labels=clicks)' : name, cutoff }))
  .map(({ name, cutoff }) => parseMeasure(cutoff === 'required' ? `${name}@3` : name))
  .filter(measure => measure.swap.form !== 'function');

describe('pair kernel', () => {
  it('has a form of most measures', () => {
    expect(tableMeasures.length).toBeGreaterThanOrEqual(12);
  });

  it.each(tableMeasures.map(measure => [measure.spec, measure] as const))(
    'equals the reference for %s',
    (_, weight) => {
      fc.assert(
        fc.property(queries(40, 5), query =>
          expectEqual(pairPlan({ labels: weight.labels, weight, factor: logisticFactor }), query),
        ),
        { numRuns: 60 },
      );
    },
  );

  it.each(tableMeasures.map(measure => [measure.spec, measure] as const))(
    'and so does the tight loop for %s',
    (_, weight) => {
      const plan = pairPlan({ labels: weight.labels, weight, factor: logisticFactor });
      fc.assert(
        fc.property(queries(20, 5), query => expectEqual(plan, query, tightPairLambdas)),
        { numRuns: 20 },
      );
    },
  );

  it.each([
    ['labels of one source, gains of another', 'ndcg(labels=clicks)', 5],
    ['the same with scores far apart', 'ndcg(labels=clicks)', 1e4],
    ['gains and labels that are no grades', 'ap(rel=0.5,labels=clicks)', 5],
  ])('equals the reference for %s', (_, measure, span) => {
    const weight = parseMeasure(measure);
    for (const labels of ['label', 'clicks']) {
      const plan = pairPlan({ labels, weight, factor: logisticFactor });
      fc.assert(
        fc.property(queries(40, span), query => expectEqual(plan, query)),
        { numRuns: 60 },
      );
    }
  });

  it('leaves to the reference what may hold documents that the measure has no label of', () => {
    const weight = parseMeasure('bpref(rel=0.5,labels=clicks)');
    expect(kernelRun(pairPlan({ labels: 'clicks', weight, factor: logisticFactor }))).toBeDefined();
    expect(kernelRun(pairPlan({ labels: 'label', weight, factor: logisticFactor }))).toBeUndefined();
  });

  it.each([
    ['by label', 'ndcg', logisticFactor],
    ['by rank', 'ndcg@10', logisticFactor],
    ['by any table', 'ap', logisticFactor],
    ['by the bell', 'ndcg', bellFactor(0)],
    ['by distance', 'ndcg', closeFactor(0.01)],
  ])('equals the reference for a long query, in steps that let signals through: %s', (_, measure, factor) => {
    const n = 4500;
    const label = Array.from({ length: n }, (_, i) => (i * 7) % 5);
    const scores = label.map((grade, i) => Math.fround(Math.sin(i) + grade / 4));
    const plan = pairPlan({ labels: 'label', weight: parseMeasure(measure), factor });
    let steps = 0;
    expectEqual(plan, { scores, label, clicks: label }, () => {
      const run = kernelRun(plan, n)!;
      return { lambdas: (view, out) => atOnce(run.lambdaSteps!(view, out), () => steps++) };
    });
    expect(steps).toBe(1);
    expect(kernelRun(plan, 1000)!.lambdaSteps).toBeUndefined();
  });

  it('counts more pairs than 32 bits hold', () => {
    const n = 94_000;
    const label = Array.from({ length: n }, (_, i) => i % 2);
    const view = viewOf({ scores: label.map(() => 0), label, clicks: label });
    const run = kernelRun(pairPlan({ labels: 'label', weight: 'unit', factor: logisticFactor }), n)!;
    expect(run.lambdas(view, { lambda: new Float64Array(n), hessian: new Float64Array(n) })).toBe((n / 2) ** 2);
    expect((n / 2) ** 2).toBeGreaterThan(2 ** 31);
  });

  it('takes gains beyond float32', () => {
    const plan = pairPlan({ labels: 'label', weight: parseMeasure('ndcg'), factor: logisticFactor });
    expectEqual(plan, { scores: [1, 2, 3], label: [500, 0, 499], clicks: [0, 0, 0] });
  });

  it.each([
    ['RankNet', pairPlan({ labels: 'label', weight: 'unit', factor: logisticFactor })],
    ['a floor', pairPlan({ labels: 'label', weight: parseMeasure('dcg@5'), floor: 1, factor: logisticFactor })],
    ['the bell', pairPlan({ labels: 'label', weight: parseMeasure('ndcg'), factor: bellFactor(0) })],
    ['a shifted bell', pairPlan({ labels: 'label', weight: parseMeasure('ndcg@3'), factor: bellFactor(1.5) })],
    ['close pairs', pairPlan({ labels: 'label', weight: parseMeasure('ndcg'), factor: closeFactor(0.01) })],
    [
      'close pairs of few ranks',
      pairPlan({ labels: 'label', weight: parseMeasure('ndcg@2'), factor: closeFactor(0.3) }),
    ],
    [
      'pairs of a top rank',
      pairPlan({ labels: 'label', weight: parseMeasure('ndcg'), top: 15, factor: logisticFactor }),
    ],
    [
      'pairs of a top rank, by the bell',
      pairPlan({ labels: 'label', weight: parseMeasure('ap'), top: 1, factor: bellFactor(0) }),
    ],
    [
      'close pairs of a top rank',
      pairPlan({ labels: 'label', weight: parseMeasure('ndcg@20'), top: 10, factor: closeFactor(0.01) }),
    ],
    ['close pairs of any table', pairPlan({ labels: 'label', weight: parseMeasure('ap'), factor: closeFactor(0.01) })],
    ['close pairs of equal weight', pairPlan({ labels: 'label', weight: 'unit', factor: closeFactor(0.1) })],
    [
      'a tier within another',
      pairPlan({
        labels: 'clicks',
        weight: parseMeasure('cndcg(labels=clicks)'),
        within: ['label'],
        withoutZeros: true,
        factor: logisticFactor,
      }),
    ],
  ])('equals the reference for %s', (_, plan) => {
    fc.assert(
      fc.property(queries(40, 5), query => expectEqual(plan, query)),
      { numRuns: 100 },
    );
    fc.assert(
      fc.property(queries(12, 1e4), query => expectEqual(plan, query)),
      { numRuns: 100 },
    );
  });

  it('ranks long lists by merging', () => {
    const plan = pairPlan({ labels: 'label', weight: parseMeasure('ndcg@10'), factor: logisticFactor });
    fc.assert(
      fc.property(queries(1000, 5, 900), query => expectEqual(plan, query)),
      { numRuns: 6 },
    );
  });
});
