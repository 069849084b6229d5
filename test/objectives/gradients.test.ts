/** Lambdas are the negative gradient of the cost, and hessians its second derivative, wherever there is a cost. */
import { describe, expect, it } from 'vitest';
import type { Objective } from '#listwise/objectives/objective.js';
import { pairCost } from '#listwise/objectives/pairs/pair-lambdas.reference.js';
import { datasetOf, lambdasOf, nudged, type Query, randomQuery, viewOf } from './queries.js';
import { settings } from './settings.js';

const queries = [
  randomQuery(21, { n: 2, spread: 0.1 }),
  randomQuery(22, { n: 8, spread: 0.1 }),
  randomQuery(23, { n: 8, spread: 1 }),
  randomQuery(24, { n: 15, spread: 0.3, unjudged: 0.2 }),
];

/** The central difference of a cost by one score. */
function slope(cost: (query: Query) => number, query: Query, i: number, h: number): number {
  return (cost(nudged(query, i, h)) - cost(nudged(query, i, -h))) / (2 * h);
}

function expectGradient(objective: Objective, cost: (query: Query) => number, query: Query): void {
  const { lambda } = lambdasOf(objective.start(datasetOf(query)), query);
  const slopes = query.scores.map((_, i) => slope(cost, query, i, 1e-6));
  const scale = Math.max(1e-3, ...slopes.map(Math.abs));
  for (const [i, own] of lambda.entries()) {
    if (!Number.isNaN(query.label[i])) expect(Math.abs(own + slopes[i]!), `document ${i}`).toBeLessThan(2e-5 * scale);
  }
}

const costs = settings.flatMap(objective => {
  const run = objective.start(datasetOf(queries[0]!));
  return run.cost === undefined ? [] : [[objective.spec, objective] as const];
});

describe.each(costs)('%s', (_, objective) => {
  const cost = (query: Query) => objective.start(datasetOf(query)).cost!(viewOf(query));

  it('has lambdas that are the negative gradient of its cost', () => {
    for (const query of queries) expectGradient(objective, cost, query);
  });

  if (objective.hessian === 'positive')
    it('has hessians that are the second derivatives of its cost', () => {
      for (const query of queries) {
        const { hessian } = lambdasOf(objective.start(datasetOf(query)), query);
        const h = 1e-3;
        for (const [i, value] of hessian.entries()) {
          const second = (cost(nudged(query, i, h)) - 2 * cost(query) + cost(nudged(query, i, -h))) / (h * h);
          expect(Math.abs(value - second), `document ${i}`).toBeLessThan(1e-4 * Math.max(1, second));
        }
      }
    });
});

it('covers every kind of objective that has a cost', () => {
  expect(new Set(costs.map(([, objective]) => objective.definition.name))).toEqual(
    new Set([
      'ranknet',
      'hinge',
      'spring',
      'regularise',
      'debias',
      'softrank',
      'approx',
      'listnet',
      'listmle',
      'rankcosine',
      'xendcg',
      'squared',
      'logistic',
      'sum',
      'graded',
      'schedule',
    ]),
  );
});

// Between swaps the weights stand still, and the lambdas are the gradient of the weighted pair costs.
const weighted = settings.flatMap(objective =>
  objective.form?.kind === 'pairs' && objective.form.plan.factor.cost !== undefined
    ? [[objective.spec, objective, objective.form.plan] as const]
    : [],
);

describe.each(weighted)('%s between swaps', (_, objective, plan) => {
  it('has lambdas that are the negative gradient of its pair costs', () => {
    for (const query of queries) expectGradient(objective, other => pairCost(plan, viewOf(other)), query);
  });
});
