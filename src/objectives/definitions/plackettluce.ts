import type { Measure, QueryView } from '../../measures/measure.js';
import { RearrangedView } from '../../measures/rearranged-view.js';
import { hash32 } from '../../numeric/random.js';
import { numberParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { SampledRankings } from '../sampled-rankings.js';
import { type SmoothValue, smoothedMeasure } from '../smoothed-measure.js';

export const plackettluce = defineObjective({
  name: 'plackettluce',
  title: 'Expected measure of random rankings',
  description:
    'Climbs the expected value of any measure over rankings drawn by Plackett and Luce: the next document is d with probability e^s_d over the sum of the rest. The lambda is the mean over samples of (value - mean value of the other samples) d log P / d s, which is right on average. Rankings are drawn anew in every iteration, as a function of seed, query, iteration and document alone. It takes the place of BoltzRank and StochasticRank.',
  citation: 'Volkovs, Zemel 2009; Kool, van Hoof, Welling 2019 (baseline)',
  operands: 'measure',
  otherNames: ['boltzrank', 'stochasticrank'],
  parameters: {
    samples: numberParameter({
      default: 16,
      min: 2,
      max: 100_000,
      integer: true,
      description: 'Rankings drawn for each query in each iteration.',
    }),
    seed: numberParameter({ default: 1, min: 0, max: 4294967295, integer: true, description: 'Seed of the draws.' }),
  },
  create({ samples, seed }, operands) {
    const measure = operands.measure('ndcg');
    const streamOf = (iteration: number, query: number) => hash32(hash32(seed, iteration), query);
    return smoothedMeasure(
      measure,
      operands.labels,
      iteration => expected(measure, samples, ({ number }) => streamOf(iteration(), number)),
      { sampled: true },
    );
  },
});

function expected(measure: Measure, samples: number, streamOf: (view: QueryView) => number): SmoothValue {
  const rankings = new SampledRankings();
  return function* (view, gradient) {
    const { n, scores } = view;
    const stream = streamOf(view);
    const shown = new RearrangedView(view);
    const values = new Float64Array(samples);
    let sum = 0;
    for (let k = 0; k < samples; k++) {
      values[k] = measure.value(shown.arrange(rankings.draw(scores, n, hash32(stream, k))));
      if (Number.isNaN(values[k])) return Number.NaN;
      sum += values[k]!;
      yield (k + 1) / (2 * samples);
    }
    if (gradient === undefined) return sum / samples;
    for (let k = 0; k < samples; k++) {
      yield 0.5 + k / (2 * samples);
      const others = (sum - values[k]!) / (samples - 1);
      if (values[k] === others) continue;
      // Drawn again: to keep all rankings would take more memory than time.
      const order = rankings.draw(scores, n, hash32(stream, k));
      rankings.addSlope(scores, order, (values[k]! - others) / samples, gradient);
    }
    return sum / samples;
  };
}
