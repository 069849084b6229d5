/**
 * How much each option mattered in a search: the share of the variance between trials that is explained by grouping
 * them by the option's value, less what chance would explain (adjusted correlation ratio). Ranges are cut into groups
 * of equal size. Options that matter only together are not seen, and a search that learns has few trials where it is
 * bad: a hint, not a test.
 */
import { placeOf } from './dimension.js';
import type { SearchSpace } from './space.js';
import type { Trial } from './tune.js';

/**
 * How much an option mattered in a search.
 *
 * @example
 * import type { OptionImportance } from 'listwise/tuning';
 *
 * const shown = ({ option, share }: OptionImportance): string => `${option} ${(100 * share).toFixed(0)} %`;
 */
export interface OptionImportance {
  readonly option: string;
  /** From 0 to 1; NaN where the trials are too few to tell. */
  readonly share: number;
}

/** The most groups that a range is cut into. */
const MOST_GROUPS = 4;

/**
 * The most important first.
 *
 * @example
 * import { optionImportance, tune } from 'listwise/tuning';
 *
 * const { trials } = await tune({ space, folds });
 * for (const { option, share } of optionImportance(space, trials)) console.log(option, share);
 */
export function optionImportance({ search }: SearchSpace, trials: readonly Trial[]): OptionImportance[] {
  const evaluated = comparable(trials.filter(({ value }) => !Number.isNaN(value)));
  return Object.entries(search)
    .map(([option, dimension]) => {
      const known = evaluated.flatMap(({ options, value }) => {
        const place = placeOf(dimension, options[option]);
        return place === undefined ? [] : [{ place, value }];
      });
      known.sort((a, b) => a.place - b.place);
      const groups = 'choices' in dimension ? byPlace(known) : quantiles(known, MOST_GROUPS);
      return { option, share: explained(groups) };
    })
    .sort((a, b) => (Number.isNaN(b.share) ? -1 : b.share) - (Number.isNaN(a.share) ? -1 : a.share));
}

/**
 * Trials with the same share of the iterations, the most that there are; of equally many those with the larger share.
 */
function comparable(trials: readonly Trial[]): Trial[] {
  const groups = new Map<number, Trial[]>();
  for (const trial of trials) groups.set(trial.share, [...(groups.get(trial.share) ?? []), trial]);
  const [first] = [...groups].sort(([a, x], [b, y]) => y.length - x.length || b - a);
  return first?.[1] ?? [];
}

interface Placed {
  readonly place: number;
  readonly value: number;
}

function byPlace(sorted: readonly Placed[]): number[][] {
  const groups = new Map<number, number[]>();
  for (const { place, value } of sorted) groups.set(place, [...(groups.get(place) ?? []), value]);
  return [...groups.values()];
}

function quantiles(sorted: readonly Placed[], most: number): number[][] {
  const count = Math.min(most, Math.floor(sorted.length / 3));
  return Array.from({ length: count }, (_, g) =>
    sorted
      .slice(Math.floor((g * sorted.length) / count), Math.floor(((g + 1) * sorted.length) / count))
      .map(({ value }) => value),
  );
}

function explained(groups: readonly (readonly number[])[]): number {
  const all = groups.flat();
  const [n, k] = [all.length, groups.length];
  if (k < 2 || n <= k) return Number.NaN;
  const total = squares(all);
  if (total === 0) return 0;
  const within = groups.reduce((sum, group) => sum + squares(group), 0);
  return Math.max(0, 1 - within / (n - k) / (total / (n - 1)));
}

function squares(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}
