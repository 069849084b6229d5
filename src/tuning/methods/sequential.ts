/**
 * Learns from the trials so far where good ones are (tree-structured Parzen estimator; Bergstra et al. 2011): one
 * density of the best trials, one of the others, and next the draw from the first for which the ratio of the two is
 * largest. Trials are proposed in batches of a fixed size, so that what is proposed does not depend on how many run at
 * a time.
 */

import type { Values } from '../space.js';
import { bestFirst, keyOf, type Proposal, type SearchMethod } from './method.js';
import { Parzen } from './parzen.js';
import { distinctDraws } from './random.js';

/** Random trials before there is something to learn from. */
const FIRST = 10;
/** The share of the trials that counts as good. */
const GOOD = 0.2;
/** Draws from which the most promising is taken. */
const CANDIDATES = 32;

export const sequential: SearchMethod = {
  name: 'sequential',
  description: 'learns from the trials so far where good ones are (tree-structured Parzen estimator), in batches',
  grows: true,
  usual: 40,
  start({ space, trials, batch, random, compare }) {
    const seen = new Set<string>();
    const propose = (good: readonly Values[], others: readonly Values[]): Values | undefined => {
      const near = new Parzen(space, good);
      const far = new Parzen(space, others);
      let best: { values: Values; ratio: number } | undefined;
      for (let i = 0; i < CANDIDATES; i++) {
        const values = near.sample(random);
        if (seen.has(keyOf(values))) continue;
        const ratio = near.logDensity(values) - far.logDensity(values);
        if (best === undefined || ratio > best.ratio) best = { values, ratio };
      }
      if (best === undefined) return distinctDraws(space, 1, random, seen)[0];
      seen.add(keyOf(best.values));
      return best.values;
    };
    return {
      next(evaluated, defaults) {
        if (evaluated.length === 0) {
          // Always as many draws, so that a longer search begins with the same trials.
          const first = distinctDraws(space, FIRST, random, seen).slice(0, trials);
          return first.map(values => ({ values, share: 1 }));
        }
        const known = defaults === undefined ? evaluated : [defaults, ...evaluated];
        const ordered = bestFirst(known, compare).map(({ values }) => values);
        const split = Math.ceil(GOOD * ordered.length);
        const proposals: Proposal[] = [];
        while (proposals.length < batch) {
          // A trial under way counts as no good, which keeps the batch from crowding in one place.
          const values = propose(ordered.slice(0, split), [
            ...ordered.slice(split),
            ...proposals.map(proposal => proposal.values),
          ]);
          if (values === undefined) break;
          proposals.push({ values, share: 1 });
        }
        return proposals.slice(0, trials - evaluated.length);
      },
    };
  },
};
