import { Random } from '../../numeric/random.js';
import { defineGenerator } from './generator.js';
import { GRADE_SHARES } from './grades.js';
import { aspects, type HiddenFunction, uniformFeatures } from './uniform-features.js';

export const cubic = defineGenerator({
  name: 'cubic',
  title: 'A random cubic polynomial of uniform features.',
  description:
    'Features are uniform in [-1, 1]. The target is the mean of three standardised terms: the dot product with a random vector, ' +
    'sum_i x_i x_Q(i) with Q a random permutation, and sum_i x_i x_Q(i) x_P(i) with two. It is cut into grades 0 to 4 of shares ' +
    '52, 32, 13, 2 and 1 %, or with aspects=2 to 4 by several such targets. A linear model can learn the first term only.',
  citation: 'Burges et al., Learning to rank using gradient descent, ICML 2005; Burges, Ragno, Le, NIPS 2006.',
  parameters: { aspects },
  defaults: { documents: 50, features: 50 },
  anyFeatures: true,
  sizes: 'equal',
  grades: GRADE_SHARES.length,
  start({ aspects }, { features, seed }) {
    const random = new Random(seed, 'cubic');
    return uniformFeatures({ features, aspects, seed }, width => polynomial(width, random));
  },
});

function polynomial(features: number, random: Random): HiddenFunction {
  const w = Float64Array.from({ length: features }, () => 2 * random.uniform() - 1);
  const quadratic = random.permutation(features);
  const [q, p] = [random.permutation(features), random.permutation(features)];
  return {
    terms: 3,
    evaluate(x, terms) {
      let first = 0;
      let second = 0;
      let third = 0;
      for (let i = 0; i < features; i++) {
        first += w[i]! * x[i]!;
        second += x[i]! * x[quadratic[i]!]!;
        third += x[i]! * x[q[i]!]! * x[p[i]!]!;
      }
      terms[0] = first;
      terms[1] = second;
      terms[2] = third;
    },
  };
}
