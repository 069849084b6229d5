import { hash32 } from '../../numeric/random.js';
import { choiceParameter, numberParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { crossEntropy } from '../softmax.js';

export const xendcg = defineObjective({
  name: 'xendcg',
  title: 'XE-NDCG',
  description:
    'Cross entropy -sum of target log softmax(scores) with targets 2^label - gamma over their sum: a convex bound of NDCG. Each gamma is drawn from [0, 1) anew in every iteration, as a function of seed, query, iteration and document alone. A query without a label above 0 has no lambdas.',
  citation: 'Bruch 2021, An alternative cross entropy loss for learning-to-rank',
  operands: 'none',
  parameters: {
    gamma: choiceParameter({
      choices: ['random', 'half'],
      default: 'random',
      description: 'random as in the paper, or half: always 1/2, its mean, so that the cost stays the same.',
    }),
    seed: numberParameter({ default: 1, min: 0, max: 4294967295, integer: true, description: 'Seed of the draws.' }),
  },
  create: ({ gamma, seed }, { labels }) =>
    crossEntropy(labels, (view, target, iteration) => {
      const byDocument = view.labels(labels);
      const stream = hash32(hash32(seed, iteration), view.number);
      let sum = 0;
      let gained = false;
      for (let i = 0; i < view.n; i++) {
        const label = byDocument[i]!;
        const drawn = gamma === 'half' ? 0.5 : hash32(stream, i) / 4294967296;
        target[i] = Number.isNaN(label) ? 0 : 2 ** Math.max(0, label) - drawn;
        sum += target[i]!;
        if (label > 0) gained = true;
      }
      for (let i = 0; i < view.n; i++) target[i]! /= sum;
      return gained;
    }),
});
