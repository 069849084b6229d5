/**
 * Monotone constraints: scores that never fall, or never rise, as a feature rises. A split of such a feature must have
 * its leaf values in that order, and what grows below the two sides stays on its side of their middle; so do the values
 * of leaves, which is what the promise rests on. Splits of other features hand the bounds of their node down.
 */
import { didYouMean, ListwiseError, quote } from '../../../errors.js';
import type { Split, Sums } from './grower.js';

/** What values of leaves below a node are held within. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

export const NO_BOUNDS: Bounds = { least: -Infinity, most: Infinity };

/** By feature: 1 where scores must not fall, -1 where they must not rise, else 0; undefined without constraints. */
export function directionsOf(
  monotone: readonly (string | number)[],
  names: readonly string[],
  isCategory: (feature: number) => boolean,
): Int8Array | undefined {
  if (monotone.length === 0) return undefined;
  const directions = new Int8Array(names.length);
  for (const given of monotone) {
    const text = typeof given === 'number' && given >= 0 ? `+${given}` : String(given);
    const [, sign, name] = /^([+-])(.+)$/s.exec(text) ?? [];
    if (name === undefined) {
      throw new ListwiseError('option-invalid', `monotone has ${quote(text)}; it must be +NAME or -NAME of a feature`);
    }
    const feature = names.indexOf(name);
    if (feature < 0) {
      const detail = `monotone names ${quote(name)}, which is no feature${didYouMean(name, names)}`;
      throw new ListwiseError('option-invalid', detail);
    }
    if (isCategory(feature)) {
      const detail = `monotone names ${quote(name)}, which is a category: its levels have no order`;
      throw new ListwiseError('option-invalid', detail);
    }
    const direction = sign === '+' ? 1 : -1;
    if (directions[feature] === -direction) {
      throw new ListwiseError('option-invalid', `monotone has both +${name} and -${name}; a feature has one direction`);
    }
    directions[feature] = direction;
  }
  return directions;
}

/** The value of a leaf of these sums. */
export function boundedValue(lambda: number, below: number, { least, most }: Bounds): number {
  const value = below > 0 ? lambda / below : 0;
  return Math.min(Math.max(value, least), most);
}

/** Bounds of the two sides of a split; `leafValue` gives the value of a leaf of some sums within bounds. */
export function boundsBelow(
  split: Split,
  right: Sums,
  bounds: Bounds,
  direction: number,
  leafValue: (sums: Sums, bounds: Bounds) => number,
): [Bounds, Bounds] {
  if (direction === 0) return [bounds, bounds];
  const middle = (leafValue(split.left, bounds) + leafValue(right, bounds)) / 2;
  const [below, above] = [
    { ...bounds, most: middle },
    { ...bounds, least: middle },
  ];
  return direction > 0 ? [below, above] : [above, below];
}
