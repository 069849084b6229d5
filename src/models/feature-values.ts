/** Feature values as programs give them, as the numbers that a model knows. Nothing here needs Node. */
import { daysOf } from '../data/readers/tables/cell-dates.js';
import { ListwiseError, quote, quoteJson } from '../errors.js';
import type { Ranker } from './ranker.js';

/**
 * The value of a feature; null, undefined and NaN are missing. Texts are levels of categories, or dates.
 *
 * @example
 * import type { FeatureValue } from 'listwise/models';
 *
 * const features: Record<string, FeatureValue> = { price: 80, inStock: true, brand: 'Acme', rating: null };
 */
export type FeatureValue = number | boolean | string | Date | null | undefined;

/** The number of a value of feature f of a document, counted from 0. */
export type NumberOf = (value: unknown, f: number, document: number) => number;

/** Values as numbers, the way the model's data had them. */
export function featureValues({ featureNames, description }: Pick<Ranker, 'featureNames' | 'description'>): NumberOf {
  const codes = featureNames.map(name => {
    const levels = description?.categories[name];
    return levels && new Map(levels.map((level, code) => [level, code]));
  });
  const dates = featureNames.map(name => description?.kinds[name] === 'date');
  return (value, f, document) => {
    if (value === null || value === undefined) return Number.NaN;
    const levels = codes[f];
    // A level that the model never saw is a missing value, as in data that is read for it.
    if (levels !== undefined) return levels.get(String(value)) ?? Number.NaN;
    if (typeof value === 'number' && !dates[f]) {
      if (Math.abs(Math.fround(value)) !== Infinity) return value;
    } else if (value instanceof Date || dates[f]) {
      const days = value instanceof Date ? value.getTime() / 86_400_000 : daysOf(String(value));
      if (days !== undefined) return days;
    } else if (typeof value === 'boolean') return Number(value);
    const found = typeof value === 'object' ? quoteJson(value) : quote(String(value));
    throw new ListwiseError(
      'feature-value-invalid',
      `document ${document + 1}: feature ${quote(featureNames[f]!)} is ${found}; it must be a number that fits 32-bit floating point, or null for missing`,
    );
  };
}
