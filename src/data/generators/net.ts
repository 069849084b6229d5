import { Random } from '../../numeric/random.js';
import { numberParameter } from '../../spec/parameters.js';
import { defineGenerator } from './generator.js';
import { GRADE_SHARES } from './grades.js';
import { aspects, type HiddenFunction, uniformFeatures } from './uniform-features.js';

export const net = defineGenerator({
  name: 'net',
  title: 'A random two-layer net of uniform features.',
  description:
    'Features are uniform in [-1, 1]. The target is the output of a net with one layer of hidden tanh units, all weights and ' +
    'biases uniform in [-1, 1]. It is cut into grades 0 to 4 of shares 52, 32, 13, 2 and 1 %, or with aspects=2 to 4 by several such nets.',
  citation: 'Burges et al., Learning to rank using gradient descent, ICML 2005.',
  parameters: {
    hidden: numberParameter({ default: 10, description: 'Hidden units.', min: 1, max: 10_000, integer: true }),
    aspects,
  },
  defaults: { documents: 50, features: 50 },
  anyFeatures: true,
  sizes: 'equal',
  grades: GRADE_SHARES.length,
  start({ hidden, aspects }, { features, seed }) {
    const random = new Random(seed, 'net');
    return uniformFeatures({ features, aspects, seed }, width => randomNet(width, hidden, random));
  },
});

function randomNet(features: number, hidden: number, random: Random): HiddenFunction {
  const weight = () => 2 * random.uniform() - 1;
  const inner = Float64Array.from({ length: hidden * features }, weight);
  const bias = Float64Array.from({ length: hidden }, weight);
  const outer = Float64Array.from({ length: hidden }, weight);
  return {
    terms: 1,
    evaluate(x, terms) {
      let output = 0;
      for (let h = 0; h < hidden; h++) {
        let input = bias[h]!;
        for (let f = 0; f < features; f++) input += inner[h * features + f]! * x[f]!;
        output += outer[h]! * Math.tanh(input);
      }
      terms[0] = output;
    },
  };
}
