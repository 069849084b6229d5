import { describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/index.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { lambdaSources } from '#listwise/objectives/lambda-sources.js';
import { pairLambdas } from '#listwise/objectives/pairs/pair-lambdas.reference.js';
import { parseObjective } from '#listwise/objectives/parse.js';

const data = generateDataset('cubic', { queries: 30, documents: 12, features: 5, seed: 2 });
const scores = data.column(0);
const plan = (spec: string) => {
  const { form } = parseObjective(spec);
  if (form?.kind !== 'pairs') throw new Error(`${spec} is not made of pairs`);
  return form.plan;
};
const shareOf = (sources: ReturnType<typeof lambdaSources>, label: number) =>
  sources.find(source => source.label === label)!.share;

describe('labels that lambdas come from', () => {
  it('are shares: they add up to 1, and none is negative', () => {
    for (const label of [0, 2]) {
      const sources = lambdaSources(plan('lambdarank(ndcg)'), data, scores, own => own === label);
      expect(sources.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
      expect(Math.min(...sources.map(({ share }) => share))).toBeGreaterThanOrEqual(0);
      // Documents of equal label make no pair.
      expect(shareOf(sources, label)).toBe(0);
    }
  });

  it('are those of the partners, counted by hand for one query', () => {
    const one = generateDataset('cubic', { queries: 1, documents: 12, features: 5, seed: 2 });
    const labels = one.label();
    const top = Math.max(...labels);
    const at = labels.indexOf(top);
    const view = new DatasetView(one).moveTo(0, scores);
    const [lambda, hessian] = [new Float64Array(12), new Float64Array(12)];
    // The lambda on the best document with all partners, and with those of label 0 alone left in.
    const full = plan('ranknet');
    pairLambdas(full, view, { lambda, hessian });
    const whole = lambda[at]!;
    let fromZero = 0;
    for (let i = 0; i < 12; i++) {
      if (labels[i] === 0) fromZero += 1 / (1 + Math.exp(scores[at]! - scores[i]!));
    }
    const sources = lambdaSources(full, one, scores, own => own === top);
    const best = labels.filter(label => label === top).length;
    expect(best).toBe(1);
    expect(shareOf(sources, 0)).toBeCloseTo(fromZero / whole, 12);
  });
});
