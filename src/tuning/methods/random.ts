/**
 * Values drawn evenly, each trial apart from the others. Hard to beat when few options matter (Bergstra, Bengio 2012).
 */
import type { Random } from '../../numeric/random.js';
import { valueAt, valueCount } from '../dimension.js';
import type { SearchSpace, Values } from '../space.js';
import { keyOf, type SearchMethod } from './method.js';

export const random: SearchMethod = {
  name: 'random',
  description: 'values drawn evenly, each trial apart from the others',
  grows: true,
  usual: 40,
  start({ space, trials, random: source }) {
    const proposals = distinctDraws(space, trials, source).map(values => ({ values, share: 1 }));
    return { next: evaluated => (evaluated.length === 0 ? proposals : []) };
  },
};

/** Known draws in a row, for each that there is, after which a space counts as used up. */
const PATIENCE = 100;

/** Different draws, as many as asked for or as the space has; `seen` are those that are known already. */
export function distinctDraws(space: SearchSpace, count: number, source: Random, seen = new Set<string>()): Values[] {
  const size = Object.values(space.search).reduce((product, dimension) => product * valueCount(dimension), 1);
  const drawn: Values[] = [];
  let known = 0;
  // A narrow range has few numbers of so many digits: where draws are known time after time, there are no more.
  while (drawn.length < count && seen.size < size && known < PATIENCE * (seen.size + 1)) {
    const values = draw(space, source);
    const key = keyOf(values);
    known = seen.has(key) ? known + 1 : 0;
    if (known > 0) continue;
    seen.add(key);
    drawn.push(values);
  }
  return drawn;
}

function draw({ search }: SearchSpace, source: Random): Values {
  return Object.fromEntries(
    Object.entries(search).map(([key, dimension]) => [key, valueAt(dimension, source.uniform())]),
  );
}
