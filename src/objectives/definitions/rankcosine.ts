import { gainFunction, gainParameter } from '../../measures/forms/gain.js';
import type { QueryView } from '../../measures/measure.js';
import { defineObjective } from '../objective.js';

export const rankcosine = defineObjective({
  name: 'rankcosine',
  title: 'RankCosine',
  description:
    'Cost (1 - cos(g, s)) / 2, the angle between the gains and the scores of the documents with a label. A query in which no document has a gain has no lambdas. Where all scores are 0 the cosine has no value: there the cost is 1/2 and the lambda that of |s| = 1.',
  citation: 'Qin, Zhang, Tsai, Wang, Liu, Li 2008, Query-level loss functions for information retrieval',
  operands: 'none',
  parameters: { gain: { ...gainParameter, default: 'linear' as const } },
  create({ gain }, { labels: source }) {
    const gainOf = gainFunction(gain);
    /** Sums over the documents with a label; undefined where no document has a gain. */
    function sums(view: QueryView): { gains: number; scores: number; both: number } | undefined {
      const labels = view.labels(source);
      let gg = 0;
      let ss = 0;
      let gs = 0;
      for (let i = 0; i < view.n; i++) {
        if (Number.isNaN(labels[i])) continue;
        const g = gainOf(labels[i]!);
        gg += g * g;
        ss += view.scores[i]! ** 2;
        gs += g * view.scores[i]!;
      }
      if (gg === 0) return undefined;
      return { gains: Math.sqrt(gg), scores: ss > 0 ? Math.sqrt(ss) : 1, both: gs };
    }
    return {
      hessian: 'none',
      start: () => ({
        lambdas(view, { lambda, hessian }) {
          lambda.fill(0, 0, view.n);
          hessian.fill(0, 0, view.n);
          const sum = sums(view);
          if (sum === undefined) return 0;
          const labels = view.labels(source);
          const cosine = sum.both / (sum.gains * sum.scores);
          let moved = 0;
          for (let i = 0; i < view.n; i++) {
            if (Number.isNaN(labels[i])) continue;
            const along = gainOf(labels[i]!) / sum.gains - (cosine * view.scores[i]!) / sum.scores;
            lambda[i] = along / (2 * sum.scores);
            if (lambda[i] !== 0) moved++;
          }
          return moved;
        },
        cost(view) {
          const sum = sums(view);
          return sum === undefined ? 0 : (1 - sum.both / (sum.gains * sum.scores)) / 2;
        },
      }),
    };
  },
});
