/** Lowers the learning rate after an epoch that was worse than the one before, always or by chance. */
import type { Criterion } from '../../measures/criterion.js';
import { Random } from '../../numeric/random.js';
import type { IterationRecord } from '../iteration-record.js';
import { compareWatched, type Watched } from './watched.js';

export interface RateRule {
  readonly rateFactor: number;
  readonly rateWatch: Watched;
  readonly rateChance: number;
}

/** The rate after the epoch `now`; `before` is the epoch before since the last start, if any. */
export function nextRate(
  rate: number,
  rule: RateRule,
  select: Criterion,
  now: IterationRecord,
  before: IterationRecord | undefined,
  seed: number,
): number {
  if (rule.rateFactor === 1 || before === undefined) return rate;
  if (compareWatched(rule.rateWatch, select, now, before) >= 0) return rate;
  const lucky = rule.rateChance === 1 || new Random(seed, `rate ${now.iteration}`).uniform() < rule.rateChance;
  return lucky ? rate * rule.rateFactor : rate;
}
