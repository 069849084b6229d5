/** A query that takes long does not hold up a signal, and steps change nothing. */
import { describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { criterionOf } from '#listwise/measures/criterion.js';
import { evaluateQuery } from '#listwise/measures/evaluate.js';
import type { Measure } from '#listwise/measures/measure.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { Random } from '#listwise/numeric/random.js';
import { startFinite } from '#listwise/objectives/finite-lambdas.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { atOnce } from '#listwise/steps.js';
import { lossOf } from '#listwise/training/svm/losses.js';
import { trainNamed } from '#listwise/training/train.js';
import '../threads-at-once.js';

/** With documents of a query for which it takes several steps. */
const specs: readonly (readonly [spec: string, documents: number])[] = [
  ['softrank(ndcg)', 150],
  ['softrank(ap)', 150],
  ['approx(ap)', 150],
  ['normalise(softrank(ndcg))', 150],
  ['sum(softrank(ndcg@5),ranknet)', 150],
  ['plackettluce(ndcg)', 150],
  ['lambdarank(tau)', 150],
  ['localcost(tau)', 2000],
  ['lambdarank(ndcg,pairs=misranked)', 2000],
  ['hinge', 2000],
  ['hinge(ap)', 2000],
  ['spring', 2000],
  ['regularise(spring(ndcg))', 2000],
  ['discretebounded(ndcg)', 2000],
  ['normalise(discretebounded(ap))', 2000],
  ['listnet(k=2)', 2000],
];

describe.each(specs)('%s', (spec, documents) => {
  it('has the same lambdas step by step', () => {
    const data = generateDataset('cubic', { queries: 1, documents, features: 3, seed: 1 });
    const random = new Random(1, 'scores');
    const view = new DatasetView(data).moveTo(
      0,
      Float64Array.from({ length: documents }, () => random.gaussian()),
    );
    const out = () => ({ lambda: new Float64Array(documents), hessian: new Float64Array(documents) });
    const [whole, inSteps] = [out(), out()];
    const run = startFinite(parseObjective(spec), data);
    const count = run.lambdas(view, whole);
    const steps = run.lambdaSteps!(view, inSteps);
    let taken = 0;
    for (let step = steps.next(); ; step = steps.next(), taken++) {
      if (!step.done) continue;
      expect(step.value).toBe(count);
      break;
    }
    expect(taken).toBeGreaterThan(0);
    expect(inSteps).toEqual(whole);
    expect(count).toBeGreaterThan(0);
  });
});

/** Objectives whose cost takes several steps. */
const costs: readonly (readonly [spec: string, documents: number])[] = [
  ['ranknet', 2000],
  ['hinge', 2000],
  ['softrank(ndcg)', 150],
  ['approx(ap)', 150],
  ['sum(softrank(ndcg@5),ranknet)', 150],
  ['regularise(ranknet)', 2000],
  ['listnet(k=2)', 2000],
];

describe.each(costs)('%s', (spec, documents) => {
  it('has the same cost step by step', () => {
    const data = generateDataset('cubic', { queries: 1, documents, features: 3, seed: 1 });
    const random = new Random(1, 'scores');
    const view = new DatasetView(data).moveTo(
      0,
      Float64Array.from({ length: documents }, () => random.gaussian()),
    );
    const run = startFinite(parseObjective(spec), data);
    let taken = 0;
    const cost = atOnce(run.costSteps!(view), () => taken++);
    expect(taken).toBeGreaterThan(0);
    expect(cost).toBe(run.cost!(view));
    expect(cost).not.toBe(0);
  });
});

it('costs that are quick have no steps', () => {
  const data = generateDataset('cubic', { queries: 1, documents: 5, features: 3, seed: 1 });
  for (const spec of ['ranknet', 'sum(ranknet,hinge)', 'listmle', 'regularise(ranknet)']) {
    const run = startFinite(parseObjective(spec), data);
    expect(run.cost).toBeDefined();
    expect(run.costSteps).toBeUndefined();
  }
});

it('plackettluce has a step a ranking, before and after it knows their values', () => {
  const data = generateDataset('cubic', { queries: 1, documents: 20, features: 3, seed: 1 });
  const view = new DatasetView(data).moveTo(0, new Float64Array(20));
  const out = { lambda: new Float64Array(20), hessian: new Float64Array(20) };
  const run = startFinite(parseObjective('plackettluce(ndcg,samples=6)'), data);
  expect([...run.lambdaSteps!(view, out)].length).toBeGreaterThanOrEqual(12);
});

it('objectives that are quick have no steps', () => {
  const data = generateDataset('cubic', { queries: 1, documents: 5, features: 3, seed: 1 });
  for (const spec of [
    'lambdarank(ndcg)',
    'normalise(ranknet)',
    'sum(ranknet,hinge)',
    'discretebounded(ndcg)',
    'lambdarank(tau)',
  ]) {
    expect(startFinite(parseObjective(spec), data).lambdaSteps).toBeUndefined();
  }
});

describe.each(['linear', 'trees'])('training %s', model => {
  it('evaluates step by step where a measure can take long', async () => {
    const data = generateDataset('cubic', { queries: 12, documents: 20, features: 3, seed: 1 });
    const quick = parseMeasure('ndcg@5');
    let taken = 0;
    const slow: Measure = {
      ...quick,
      value() {
        throw new Error('all at once');
      },
      *valueSteps(view) {
        taken++;
        yield 0.5;
        return evaluateQuery(quick, view);
      },
    };
    const best = async (measure: Measure) => {
      const options = { [model === 'trees' ? 'trees' : 'epochs']: 3 };
      const { log } = await trainNamed({ data, model, select: criterionOf(measure), holdout: 0.3, options });
      return log.map(({ validation }) => validation);
    };
    expect(await best(slow)).toEqual(await best(quick));
    expect(taken).toBeGreaterThan(0);
  });

  it('ends within a query that takes long', async () => {
    // Half a second or more for the one query: a signal that waits for its end finds a model.
    const data = generateDataset('cubic', { queries: 1, documents: 4000, features: 3, seed: 1 });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 1);
    const job = { data, model, holdout: 0, signal: controller.signal, objective: 'softrank(ndcg)' };
    await expect(trainNamed(job)).rejects.toMatchObject({ code: 'training-interrupted' });
  });
});

it('coordinate ascent ends within a query of a measure that is evaluated at every crossing', async () => {
  // Many seconds for the line of each feature.
  const data = generateDataset('cubic', { queries: 1, documents: 1500, features: 4, seed: 1 });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 300);
  const job = { data, model: 'coordinate', select: 'err', holdout: 0, signal: controller.signal, threads: 1 };
  const begun = performance.now();
  await expect(trainNamed(job)).rejects.toMatchObject({ code: 'training-interrupted' });
  expect(performance.now() - begun).toBeLessThan(3000);
});

describe('svm', () => {
  const options = { loss: 'ndcg', rel: 1, form: 'positions', positions: 'linear', cut: 10 } as const;

  /** With how many labels there are: their number decides how long pairs and positions take. */
  it.each([
    ['pairs', 4000, 4000, { ...options, loss: 'pairs' }],
    ['ap', 4000, 2, { ...options, loss: 'ap' }],
    ['rr', 4000, 2, { ...options, loss: 'rr' }],
    ['ndcg by pairs', 4000, 2, { ...options, form: 'pairs' }],
    ['ndcg by positions, merged', 10_000, 5, options],
    ['ndcg by positions, assigned', 200, 200, { ...options, positions: 'root' }],
  ] as const)('finds the most violated ranking of %s step by step', (_, documents, distinct, of) => {
    const labels = Float64Array.from({ length: documents }, (_, d) => d % distinct).map(label =>
      distinct > 5 ? label / 1000 : label,
    );
    const scores = labels.map((label, d) => Math.sin(d) - label);
    const shares: number[] = [];
    const found = atOnce(lossOf(of).find(scores, labels, scores), share => shares.push(share));
    expect(found!.loss).toBeGreaterThan(0);
    // More than those between parts that are quick.
    expect(shares.length).toBeGreaterThanOrEqual(6);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
  });

  it.each([1, 2])('ends within a query that takes long, on %d threads', async threads => {
    // Minutes for each of the queries.
    const data = generateDataset('cubic', { queries: 2, documents: 3000, features: 3, seed: 1 });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 1);
    const settings = { loss: 'ndcg', form: 'positions', positions: 'root' };
    const job = { data, model: 'svm', holdout: 0, signal: controller.signal, threads, options: settings };
    await expect(trainNamed(job)).rejects.toMatchObject({ code: 'training-interrupted' });
  });
});
