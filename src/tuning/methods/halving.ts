/** Successive halving (Jamieson, Talwalkar 2016): many trials of few iterations, then the best third of three times. */
import { iterationsOption } from '../space.js';
import { bestFirst, type SearchMethod } from './method.js';
import { distinctDraws } from './random.js';

const FACTOR = 3;
/** The first round has at least 1/27 of the iterations: with less, chance decides. */
const MOST_ROUNDS = 4;

export const halving: SearchMethod = {
  name: 'halving',
  description: 'random trials with few iterations first; the best third goes on with three times as many',
  grows: false,
  usual: 81,
  start({ space, trials, random, compare }) {
    iterationsOption(space); // refuses models that have none
    const first = distinctDraws(space, trials, random);
    const rounds = Math.min(MOST_ROUNDS, 1 + Math.floor(Math.log(first.length) / Math.log(FACTOR) + 1e-9));
    let round = 0;
    return {
      next(evaluated) {
        if (round === rounds) return [];
        const share = FACTOR ** (++round - rounds);
        if (round === 1) return first.map(values => ({ values, share }));
        const before = evaluated.slice(-Math.ceil(first.length / FACTOR ** (round - 2)));
        return bestFirst(before, compare)
          .slice(0, Math.ceil(first.length / FACTOR ** (round - 1)))
          .sort((a, b) => a.trial - b.trial)
          .map(({ trial, values }) => ({ trial, values, share }));
      },
    };
  },
};
