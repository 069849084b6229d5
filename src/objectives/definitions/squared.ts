import { defineObjective } from '../objective.js';

export const squared = defineObjective({
  name: 'squared',
  title: 'Squared error',
  description:
    'Cost (score - label)^2 / 2 for every document by itself: regression on the labels. With trees this is plain MART.',
  citation: 'Friedman 2001; Cossock, Zhang 2006 for ranking',
  operands: 'none',
  parameters: {},
  create: (_, { labels: source }) => ({
    hessian: 'positive',
    start: () => ({
      lambdas(view, { lambda, hessian }) {
        const { n, scores } = view;
        const byDocument = view.labels(source);
        let moved = 0;
        for (let i = 0; i < n; i++) {
          const labelled = !Number.isNaN(byDocument[i]);
          lambda[i] = labelled ? byDocument[i]! - scores[i]! : 0;
          hessian[i] = labelled ? 1 : 0;
          if (lambda[i] !== 0) moved++;
        }
        return moved;
      },
      cost(view) {
        const { n, scores } = view;
        const byDocument = view.labels(source);
        let cost = 0;
        for (let i = 0; i < n; i++) {
          if (!Number.isNaN(byDocument[i])) cost += (scores[i]! - byDocument[i]!) ** 2 / 2;
        }
        return cost;
      },
    }),
  }),
});
