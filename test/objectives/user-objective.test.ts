import { describe, expect, it } from 'vitest';
import { defineMeasure } from '#listwise/measures/measure.js';
import { defineObjective } from '#listwise/objectives/objective.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { numberParameter } from '#listwise/spec/parameters.js';
import { datasetOf, lambdasOf, type Query, randomQuery } from './queries.js';

/** Pushes the document at the top towards its label; a toy that reads scores, labels, order and query. */
const topone = defineObjective({
  name: 'topone',
  title: 'Top one',
  description: 'The document at the top feels rate (label - score).',
  citation: 'none',
  operands: 'none',
  parameters: { rate: numberParameter({ default: 1, min: 0, description: 'The rate.' }) },
  create: ({ rate }, { labels }) => ({
    hessian: 'none',
    start: data => ({
      lambdas(view, { lambda, hessian }) {
        expect(data.queryIds[view.query]).toBe('q0');
        lambda.fill(0, 0, view.n);
        hessian.fill(0, 0, view.n);
        const top = view.order[0]!;
        lambda[top] = rate * (view.labels(labels)[top]! - view.scores[top]!);
        return 1;
      },
    }),
  }),
});

const query: Query = { scores: [1, 3, 2], label: [0, 4, 1], clicks: [0, 0.5, 1] };
const library = { objectives: [topone] };

describe('a user-defined objective', () => {
  it('is parsed, printed and run like any other', () => {
    const objective = parseObjective('topone(rate=0.5)', library);
    expect(objective.spec).toBe('topone(rate=0.5)');
    expect(lambdasOf(objective.start(datasetOf(query)), query)).toEqual({
      lambda: [0, 0.5, 0],
      hessian: [0, 0, 0],
      count: 1,
    });
  });

  it('takes part in combinations', () => {
    const objective = parseObjective('sum(topone(labels=clicks),squared)', library);
    expect(objective.labels).toEqual(['clicks', 'label']);
    expect(lambdasOf(objective.start(datasetOf(query)), query).lambda).toEqual([-1, 1 - 2.5, -1]);
  });

  it('is unknown without its library, and has only the parameters it declares', () => {
    expect(() => parseObjective('topone')).toThrow('there is no objective "topone"');
    expect(() => parseObjective('topone(rat=1)', library)).toThrow('did you mean "rate"');
    expect(() => parseObjective('topone@3', library)).toThrow('an objective has no cut-off');
    expect(() => parseObjective('topone(ndcg)', library)).toThrow('takes no operand');
  });
});

describe('a user-defined measure', () => {
  const bottom = defineMeasure({
    name: 'bottom',
    title: 'Bottom',
    description: 'The label at the bottom, negated.',
    citation: 'none',
    cutoff: 'none',
    range: [-4, 0],
    parameters: {},
    create: (_, { labels }) => ({ value: view => -view.ranked(labels)[view.n - 1]! }),
  });

  it('is a LambdaRank at once, and is refused by objectives whose form it lacks', () => {
    const measures = [bottom];
    const random = randomQuery(1, { n: 8 });
    const objective = parseObjective('lambdarank(bottom)', { measures });
    // Only swaps with the bottom document change it.
    expect(lambdasOf(objective.start(datasetOf(random)), random).count).toBeLessThanOrEqual(7);
    expect(() => parseObjective('softrank(bottom)', { measures })).toThrow('bottom has no soft form');
    expect(() => parseObjective('approx(bottom)', { measures })).toThrow('bottom has no differentiable form');
  });
});

describe('label sources', () => {
  it.each([
    ['lambdarank(ndcg,labels=clicks)', 'lambdarank(ndcg(labels=clicks),labels=clicks)'],
    ['lambdarank(ndcg(labels=label),labels=clicks)', 'lambdarank(ndcg(labels=label),labels=clicks)'],
    ['sum(ranknet,hinge,labels=clicks)', 'sum(ranknet(labels=clicks),hinge(labels=clicks))'],
  ])('%s prints as %s, and that as itself', (written, printed) => {
    expect(parseObjective(written).spec).toBe(printed);
    expect(parseObjective(printed).spec).toBe(printed);
  });
});
