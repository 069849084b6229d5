/** One suite over every objective of the list, with every measure it takes and many parameters. */
import { describe, expect, it } from 'vitest';
import { type ObjectiveName, objectiveDefinitions } from '#listwise/objectives/all.js';
import { madeOfPairs, partsOf } from '#listwise/objectives/form.js';
import type { Objective } from '#listwise/objectives/objective.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { datasetOf, type Felt, lambdasOf, type Query, randomQuery } from './queries.js';
import { refusals, settings } from './settings.js';

/** Leaves: the objectives that an objective comes down to. */
function leaves(objective: Objective): string[] {
  const parts = partsOf(objective);
  return parts.length > 0 ? parts.flatMap(leaves) : [objective.spec.replace(/\(.*/, '')];
}
const hasLeaf = (objective: Objective, ...names: string[]) => leaves(objective).some(name => names.includes(name));

const start = (objective: Objective, query: Query) => objective.start(datasetOf(query));
const lambdas = (objective: Objective, query: Query) => lambdasOf(start(objective, query), query);
const largest = (felt: Felt) => Math.max(1e-12, ...felt.lambda.map(Math.abs));

const queries = [
  randomQuery(1, { n: 1 }),
  randomQuery(2, { n: 2 }),
  ...[3, 4, 5].map(seed => randomQuery(seed, { n: 12 })),
  ...[6, 7].map(seed => randomQuery(seed, { n: 25, unjudged: 0.3 })),
];

it('tries every objective and refuses measures by name', () => {
  expect(new Set(settings.map(({ definition }) => definition.name))).toEqual(
    new Set(objectiveDefinitions.map(({ name }) => name)),
  );
  expect(new Set(refusals.map(({ spec }) => spec.replace(/\(.*/, '')))).toEqual(new Set(['softrank', 'approx']));
  for (const { measure, message } of refusals) expect(message).toContain(measure);
});

it('knows the names there are by their type', () => {
  const names: ObjectiveName[] = objectiveDefinitions.map(({ name }) => name);
  const known: ObjectiveName = 'lambdarank';
  // @ts-expect-error there is none of this name
  const unknown: ObjectiveName = 'no such objective';
  expect(names).toContain(known);
  expect(names).not.toContain(unknown);
});

describe.each(settings.map(objective => [objective.spec, objective] as const))('%s', (spec, objective) => {
  it('prints what it parses', () => {
    expect(parseObjective(spec).spec).toBe(spec);
    expect(objective.labels.length).toBeGreaterThan(0);
  });

  it('gives finite lambdas, and none to a document without a label', () => {
    for (const query of queries) {
      const { lambda, hessian, count } = lambdas(objective, query);
      expect([...lambda, ...hessian].every(Number.isFinite)).toBe(true);
      expect(Number.isInteger(count) && count >= 0).toBe(true);
      if (count === 0) expect(lambda.every(lambda => lambda === 0)).toBe(true);
      for (const [i, label] of query.label.entries()) {
        const unlabelled = objective.labels.every(source =>
          Number.isNaN(source === 'label' ? label : query.clicks![i]!),
        );
        if (unlabelled) expect([lambda[i], hessian[i]]).toEqual([0, 0]);
      }
      if (objective.hessian === 'positive') expect(hessian.every(value => value >= 0)).toBe(true);
    }
  });

  // These are the same for every order of judged documents.
  if (!/judged|\((recall|f1)\)/.test(spec)) {
    it('moves some document of some query', () => {
      const seeds = Array.from({ length: 40 }, (_, seed) => seed);
      expect(seeds.some(seed => lambdas(objective, randomQuery(seed, { n: 12 })).count > 0)).toBe(true);
    });
  }

  it('gives the same lambdas in 64-bit arithmetic', () => {
    for (const query of queries) {
      const felt = lambdas(objective, query);
      const exact = lambdasOf(objective.start(datasetOf(query), 'reference'), query);
      expect(exact.count).toBe(felt.count);
      for (const [i, lambda] of exact.lambda.entries()) {
        expect(Math.abs(lambda - felt.lambda[i]!)).toBeLessThan(1e-5 * largest(felt));
      }
    }
  });

  it('keeps nothing from one query to the next', () => {
    const [first, second] = [queries[3]!, queries[6]!];
    const run = start(objective, second);
    const before = lambdasOf(run, first);
    lambdasOf(run, second);
    expect(lambdasOf(run, first)).toEqual(before);
  });

  it('survives scores of +-1e4', () => {
    const query = randomQuery(8, { n: 20, spread: 1e4 });
    const { lambda, hessian } = lambdas(objective, query);
    expect([...lambda, ...hessian].every(Number.isFinite)).toBe(true);
  });

  // The likelihood of clicks, which counts beside pairs, is one of documents.
  const likely = /^debias\((ranknet|lambdarank)/.test(spec) && !/positions=(additive|ratios|power)/.test(spec);

  if (!hasLeaf(objective, 'squared', 'logistic', 'rankcosine') && !spec.startsWith('regularise') && !likely)
    it('does not change when all scores move together, and sums to zero', () => {
      const query = randomQuery(9, { n: 12, spread: 0.25 });
      const rounded = { ...query, scores: query.scores.map(score => Math.round(score * 1024) / 1024) };
      const felt = lambdas(objective, rounded);
      const moved = lambdas(objective, { ...rounded, scores: rounded.scores.map(score => score + 4) });
      const sum = felt.lambda.reduce((total, lambda) => total + lambda, 0);
      expect(Math.abs(sum)).toBeLessThan(1e-5 * largest(felt));
      for (const [i, lambda] of felt.lambda.entries()) {
        expect(Math.abs(lambda - moved.lambda[i]!)).toBeLessThan(1e-5 * largest(felt));
      }
    });

  if (!hasLeaf(objective, 'squared', 'logistic') && !spec.startsWith('regularise') && !likely)
    it('gives no lambda to a query of one document', () => {
      const { lambda } = lambdas(objective, { scores: [0.5], label: [2], clicks: [0.5] });
      expect(Math.abs(lambda[0]!)).toBeLessThan(1e-15);
    });

  if (madeOfPairs(objective) || hasLeaf(objective, 'discretebounded'))
    it('gives no lambda where all labels are the same', () => {
      for (const label of [0, 2]) {
        const query = randomQuery(10, { n: 12 });
        const same = { ...query, label: query.label.map(() => label), clicks: query.label.map(() => label / 4) };
        const { lambda, count } = lambdas(objective, same);
        expect(lambda.every(lambda => lambda === 0)).toBe(true);
        expect(count).toBe(0);
      }
    });

  // These draw a number for each document by its place in the data.
  if (!hasLeaf(objective, 'xendcg', 'listmle', 'plackettluce'))
    it('does not depend on the order of the documents', () => {
      const query = randomQuery(10, { n: 12, unjudged: 0.1 });
      const places = query.scores.map((_, i) => (i * 5 + 3) % 12);
      const pick = (values: readonly number[]) => places.map(place => values[place]!);
      const felt = lambdas(objective, query);
      const mixed = lambdas(objective, {
        scores: pick(query.scores),
        label: pick(query.label),
        clicks: pick(query.clicks!),
        positions: places.map(place => place + 1),
      });
      for (const [i, place] of places.entries()) {
        expect(Math.abs(mixed.lambda[i]! - felt.lambda[place]!)).toBeLessThan(1e-5 * largest(felt));
      }
      expect(mixed.count).toBe(felt.count);
    });
});

describe('a query of 20,000 documents', () => {
  const query = randomQuery(12, { n: 20_000 });
  it.each(['listnet', 'listmle', 'xendcg', 'rankcosine', 'squared', 'lambdarank(ndcg@10)'])('%s', spec => {
    const felt = lambdas(parseObjective(spec), query);
    expect(felt.count).toBeGreaterThan(0);
    expect(felt.lambda.every(Number.isFinite)).toBe(true);
  });
});
