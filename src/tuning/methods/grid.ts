/** Every combination of the values of all options. */
import { ListwiseError } from '../../errors.js';
import { gridValues } from '../dimension.js';
import type { Values } from '../space.js';
import type { SearchMethod } from './method.js';

export const grid: SearchMethod = {
  name: 'grid',
  description: 'every combination; ranges need "steps". The first key changes slowest.',
  grows: true,
  usual: Number.POSITIVE_INFINITY,
  start({ space, trials }) {
    let combinations: Values[] = [{}];
    for (const [key, dimension] of Object.entries(space.search)) {
      const values = gridValues(dimension);
      if (values === undefined) {
        throw new ListwiseError('option-invalid', `search.${key}: a grid needs "steps", the number of values to try`);
      }
      combinations = combinations.flatMap(given => values.map(value => ({ ...given, [key]: value })));
    }
    const proposals = combinations.slice(0, trials).map(values => ({ values, share: 1 }));
    return { next: evaluated => (evaluated.length === 0 ? proposals : []) };
  },
};
