import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { type NetShape, parameterCount } from '#listwise/kernels/net-shape.js';
import { parseCriterion } from '#listwise/measures/criterion.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import { type Ranker, scoreData } from '#listwise/models/ranker.js';
import { Random } from '#listwise/numeric/random.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { alone } from '#listwise/ranks/transport.js';
import { atOnce } from '#listwise/steps.js';
import { Engine, type EngineJob } from '#listwise/training/descent/engine.js';
import { standardisationOf } from '#listwise/training/descent/standardise.js';
import { EvaluatedMeasures } from '#listwise/training/evaluated-measures.js';
import { cubic, separable } from './small-data.js';
import '../threads-at-once.js';

const base = { measures: new EvaluatedMeasures(parseCriterion('ndcg@10'), []), threads: 1, followCost: false } as const;

function jobOf(data: Dataset, shape: NetShape, objective: string, more: Partial<EngineJob> = {}): EngineJob {
  return {
    ...base,
    shape,
    data,
    validate: undefined,
    standardisation: standardisationOf(data),
    ranks: alone,
    objective: parseObjective(objective),
    portable: { objective, measures: ['ndcg@10'], modules: [] },
    batch: data.queries,
    propagation: 'documents',
    ...more,
  };
}

function someParameters(shape: NetShape): Float64Array {
  const random = new Random(3);
  return Float64Array.from({ length: parameterCount(shape) }, () => Math.fround(random.gaussian() / 3));
}

/** The gradient of one batch of all queries. */
async function gradientOf(job: EngineJob, parameters: Float64Array, iteration = 1): Promise<Float64Array> {
  const engine = await Engine.start(job);
  const gradient = new Float64Array(parameters.length);
  try {
    engine.write(parameters);
    engine.beginEpoch(
      iteration,
      Uint32Array.from({ length: job.data.queries }, (_, q) => q),
    );
    atOnce(engine.gradient(0, gradient));
  } finally {
    await engine.close();
  }
  return gradient;
}

function modelOf({ data, shape, standardisation: standardise }: EngineJob, parameters: Float64Array): Ranker {
  const { featureNames } = data;
  if (shape.hidden.length > 0) return new NetModel({ featureNames, ...shape, parameters, standardise });
  const weights = parameters.subarray(0, data.features);
  return new LinearModel({ featureNames, weights, bias: parameters.at(-1)!, standardise });
}

/** Mean cost of a query under the model, in float64. */
function costOf(job: EngineJob, parameters: Float64Array): number {
  const scores = scoreData(modelOf(job, parameters), job.data);
  const view = new DatasetView(job.data);
  const run = job.objective.start(job.data);
  let cost = 0;
  for (let q = 0; q < job.data.queries; q++) cost += run.cost!(view.moveTo(q, scores));
  return cost / job.data.queries;
}

function largest(values: ArrayLike<number>): number {
  return Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function difference(a: Float64Array, b: Float64Array): number {
  return largest(a.map((value, i) => value - b[i]!)) / largest(a);
}

describe('back-propagation through the engine', () => {
  for (const activation of ['tanh', 'sigmoid', 'relu'] as const) {
    for (const hidden of [[], [3], [13, 4]]) {
      it(`is the derivative of the cost: hidden ${hidden.join(', ') || 'none'}, ${activation}`, async () => {
        const data = separable(5, 7, 4);
        const job = jobOf(data, { inputs: 4, hidden, activation }, 'ranknet');
        const parameters = someParameters(job.shape);
        const gradient = await gradientOf(job, parameters);
        const numeric = parameters.map((value, i) => {
          const at = (x: number) => costOf(job, parameters.with(i, x));
          const step = 1e-4;
          return -(at(value + step) - at(value - step)) / (2 * step);
        });
        expect(largest(numeric)).toBeGreaterThan(1e-3);
        expect(difference(numeric, gradient)).toBeLessThan(2e-4);
      });
    }
  }

  it('gives the same gradient pair by pair', async () => {
    const data = separable(6, 40, 5);
    for (const objective of ['ranknet', 'lambdarank(ndcg)']) {
      for (const hidden of [[], [10], [5, 3]]) {
        const job = jobOf(data, { inputs: 5, hidden, activation: 'tanh' }, objective);
        const parameters = someParameters(job.shape);
        const byDocument = await gradientOf(job, parameters);
        const byPair = await gradientOf({ ...job, propagation: 'pairs' }, parameters);
        expect(difference(byDocument, byPair)).toBeLessThan(1e-5);
      }
    }
  });

  it('gives the same gradient pair by pair for weighted sums of pairs, in every iteration', async () => {
    const plain = separable(6, 40, 5);
    const clicks = plain.label().map((grade, i) => (i % 3 === 0 ? 0 : Math.min(1, grade / 4 + (i % 5) / 10)));
    const data = plain.with({ labels: new Map([...plain.labels, ['clicks', clicks]]) });
    for (const objective of [
      'graded(lambdarank(ndcg),lambdarank(cndcg,labels=clicks),w=0.3)',
      'schedule(lambdarank(ndcg),sum(sigmoid(ndcg),ranknet,w=2/0.5),from=0.1,linear=0.2)',
    ]) {
      const job = jobOf(data, { inputs: 5, hidden: [4], activation: 'tanh' }, objective);
      const parameters = someParameters(job.shape);
      const gradients: Float64Array[] = [];
      for (const iteration of [1, 3]) {
        const byDocument = await gradientOf(job, parameters, iteration);
        gradients.push(byDocument);
        const byPair = await gradientOf({ ...job, propagation: 'pairs' }, parameters, iteration);
        expect(difference(byDocument, byPair)).toBeLessThan(1e-5);
      }
      expect(difference(gradients[0]!, gradients[1]!) > 1e-3).toBe(objective.startsWith('schedule'));
    }
  });

  it.each(['listnet', 'normalise(ranknet)', 'sum(ranknet,squared)'])('refuses pairs for %s', async objective => {
    const shape: NetShape = { inputs: 2, hidden: [], activation: 'tanh' };
    const job = jobOf(separable(3, 4, 2), shape, objective, { propagation: 'pairs' });
    await expect(Engine.start(job)).rejects.toThrow(
      `propagation=pairs needs an objective whose lambdas are a sum over pairs, found ${objective}`,
    );
  });

  it('multiplies lambdas by the weights of documents and queries', async () => {
    const plain = separable(4, 9, 3);
    const shape: NetShape = { inputs: 3, hidden: [4], activation: 'tanh' };
    const parameters = someParameters(shape);
    const gradient = await gradientOf(jobOf(plain, shape, 'ranknet'), parameters);
    for (const propagation of ['documents', 'pairs'] as const) {
      const twice = plain.with({ rowWeights: new Float64Array(plain.rows).fill(2) });
      const thrice = twice.with({ queryWeights: new Float64Array(plain.queries).fill(1.5) });
      const weighted = await gradientOf(jobOf(thrice, shape, 'ranknet', { propagation }), parameters);
      expect(
        difference(
          gradient.map(value => 3 * value),
          weighted,
        ),
      ).toBeLessThan(1e-5);
      const one = plain.with({ queryWeights: Float64Array.of(1, 0, 0, 0) });
      const first = await gradientOf(jobOf(one, shape, 'ranknet', { propagation }), parameters);
      expect(difference(first, gradient)).toBeGreaterThan(0.01);
    }
  });

  it('does not depend on threads', async () => {
    const data = cubic(150, 1, 40, 50);
    const shape: NetShape = { inputs: 50, hidden: [100], activation: 'tanh' };
    const parameters = someParameters(shape);
    const alone = await gradientOf(jobOf(data, shape, 'lambdarank(ndcg)'), parameters);
    for (const threads of [2, 3]) {
      const job = jobOf(data, shape, 'lambdarank(ndcg)', { threads });
      const engine = await Engine.start(job);
      expect(engine.threads).toBe(threads);
      await engine.close();
      expect(await gradientOf(job, parameters)).toEqual(alone);
    }
  });

  it('says what failed in a thread', async () => {
    const data = cubic(150, 1, 40, 50);
    const job = jobOf(data, { inputs: 50, hidden: [100], activation: 'tanh' }, 'ranknet', { threads: 2 });
    const failing = {
      ...job.objective,
      start: () => ({
        lambdas() {
          throw new Error('the objective broke');
        },
      }),
    };
    // The main thread fails, the other one runs RankNet: the round ends all the same.
    await expect(gradientOf({ ...job, objective: failing }, someParameters(job.shape))).rejects.toThrow(
      'the objective broke',
    );
  });

  it('takes a query of one document and queries without pairs', async () => {
    const data = separable(1, 1, 2);
    const shape: NetShape = { inputs: 2, hidden: [3], activation: 'tanh' };
    const gradient = await gradientOf(jobOf(data, shape, 'lambdarank(ndcg)'), someParameters(shape));
    expect(largest(gradient)).toBe(0);
  });
});
