/** How sure a statistic of a sample is that is no mean, such as a correlation: it is taken again of resampled items. */
import { Random } from '../numeric/random.js';
import { mean } from '../numeric/vectors.js';
import type { Tested } from './evidence.js';

const SAMPLES = 2000;

/** Whether the statistic is above or below 0. It is given the numbers of the items drawn, with repetitions. */
export function resampled(
  unit: string,
  items: number,
  statistic: (drawn: readonly number[]) => number,
  seed: number,
): Tested {
  const random = new Random(seed, 'resampled');
  const found = Array.from({ length: SAMPLES }, () =>
    statistic(Array.from({ length: items }, () => Math.floor(items * random.uniform()))),
  );
  const centre = mean(found);
  const deviation = Math.sqrt(mean(found.map(value => (value - centre) ** 2)));
  const share = (side: (value: number) => boolean) => (1 + found.filter(side).length) / (1 + SAMPLES);
  return {
    unit,
    n: items,
    difference: statistic(Array.from({ length: items }, (_, item) => item)),
    error: deviation,
    p: Math.min(
      1,
      2 *
        Math.min(
          share(value => value <= 0),
          share(value => value >= 0),
        ),
    ),
  };
}
