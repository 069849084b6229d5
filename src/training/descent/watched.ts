/** What rate rules and restarts look at in an epoch's record: a measure on one of the data sets, or the cost. */
import type { Criterion } from '../../measures/criterion.js';
import type { IterationRecord } from '../iteration-record.js';

export type Watched = 'training' | 'validation' | 'cost';

/** Above 0 where `a` is the better epoch by what is watched, below 0 where `b` is. */
export function compareWatched(watch: Watched, select: Criterion, a: IterationRecord, b: IterationRecord): number {
  return watch === 'cost' ? b.cost - a.cost : select.compare(a[watch], b[watch]);
}
