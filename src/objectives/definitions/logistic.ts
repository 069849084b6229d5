import { numberParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { logistic as chanceOf, softplus } from '../pairs/pair-factor.js';

export const logistic = defineObjective({
  name: 'logistic',
  title: 'Logistic regression',
  description:
    'Cost log(1 + e^score) - chance × score for every document by itself, where chance is label / highest, at least 0 and at most 1: scores become the log odds of the highest label, or of a click. Documents of different queries are compared, too, which helps where labels are few and mean the same in every query.',
  citation: 'Cox 1958; Richardson, Dominowska, Ragno 2007 for clicks',
  operands: 'none',
  parameters: {
    highest: numberParameter({ default: 1, min: 0.001, description: 'The label that counts as 1; higher ones, too.' }),
  },
  create: ({ highest }, { labels: source }) => {
    const chance = (label: number) => Math.min(1, Math.max(0, label / highest));
    return {
      hessian: 'positive',
      likelihood: true,
      start: () => ({
        lambdas(view, { lambda, hessian }) {
          const { n, scores } = view;
          const byDocument = view.labels(source);
          let moved = 0;
          for (let i = 0; i < n; i++) {
            const labelled = !Number.isNaN(byDocument[i]);
            const expected = chanceOf(scores[i]!);
            lambda[i] = labelled ? chance(byDocument[i]!) - expected : 0;
            hessian[i] = labelled ? expected * chanceOf(-scores[i]!) : 0;
            if (lambda[i] !== 0) moved++;
          }
          return moved;
        },
        cost(view) {
          const { n, scores } = view;
          const byDocument = view.labels(source);
          let cost = 0;
          for (let i = 0; i < n; i++) {
            if (!Number.isNaN(byDocument[i])) cost += softplus(scores[i]!) - chance(byDocument[i]!) * scores[i]!;
          }
          return cost;
        },
      }),
    };
  },
});
