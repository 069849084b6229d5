/**
 * One option to search over: a list of choices, or a range of numbers. Methods work with places between 0 and 1; a
 * dimension turns a place into a value, evenly over its choices, its range or the logarithm of its range.
 */
import { z } from 'zod';
import { jsonText, TOO_DEEP } from '../errors.js';

const choices = z
  .strictObject({ choices: z.array(z.json()).min(1).describe('The values to try.') })
  .describe('A list of values, all as likely.');

const range = z
  .strictObject({
    from: z.number().describe('The smallest value.'),
    to: z.number().describe('The largest value.'),
    scale: z
      .enum(['linear', 'log'])
      .default('linear')
      .describe('log: 0.01 to 0.1 is as likely as 0.1 to 1. For rates and counts.'),
    whole: z.boolean().default(false).describe('Whether only whole numbers are tried.'),
    steps: z.int().min(2).optional().describe('How many values a grid tries, both ends included.'),
  })
  .describe('Numbers from one to another.');

export const dimensionSchema = z.union([choices, range], {
  error: ({ input }) =>
    `{"choices": [...]}, or {"from": ..., "to": ...} with "scale", "whole" and "steps" where wanted; found ${jsonText(input) ?? TOO_DEEP}`,
});

export type Dimension = z.output<typeof dimensionSchema>;
export type Value = z.output<ReturnType<typeof z.json>>;

/** Digits that a tried number has: enough to tell, few enough to read. */
const DIGITS = 4;

/** What is wrong with a dimension that has the right form. */
export function dimensionFault(dimension: Dimension): string | undefined {
  if ('choices' in dimension) {
    const seen = dimension.choices.map(choice => JSON.stringify(choice));
    const twice = seen.find((choice, i) => seen.indexOf(choice) < i);
    return twice === undefined ? undefined : `the choice ${twice} is named twice`;
  }
  const { from, to, scale, whole } = dimension;
  if (!(from < to)) return `"from" must be below "to", found ${from} and ${to}`;
  if (scale === 'log' && !(from > 0)) return `a log scale needs "from" above 0, found ${from}`;
  if (whole && !(Number.isInteger(from) && Number.isInteger(to))) {
    return `whole numbers need whole ends, found ${from} and ${to}`;
  }
  return undefined;
}

/** The value at a place from 0 to 1. */
export function valueAt(dimension: Dimension, place: number): Value {
  if ('choices' in dimension) {
    const { choices: all } = dimension;
    return all[Math.min(all.length - 1, Math.floor(place * all.length))]!;
  }
  const { from, to } = dimension;
  const [low, high] = scaledEnds(dimension);
  const scaled = low + place * (high - low);
  const value = dimension.scale === 'log' ? Math.exp(scaled) : scaled;
  const rounded = dimension.whole ? Math.round(value) : Number(value.toPrecision(DIGITS));
  return Math.min(to, Math.max(from, rounded));
}

/** Where a value stands, from 0 to 1; undefined for one that the dimension does not have. */
export function placeOf(dimension: Dimension, value: Value | undefined): number | undefined {
  if ('choices' in dimension) {
    const at = dimension.choices.findIndex(choice => JSON.stringify(choice) === JSON.stringify(value));
    return at < 0 ? undefined : (at + 0.5) / dimension.choices.length;
  }
  if (typeof value !== 'number' || value < dimension.from || value > dimension.to) return undefined;
  const [low, high] = scaledEnds(dimension);
  return ((dimension.scale === 'log' ? Math.log(value) : value) - low) / (high - low);
}

/** Whole numbers have half a step on either side, so that the ends are as likely as the others. */
function scaledEnds({ from, to, scale, whole }: Extract<Dimension, { from: number }>): [number, number] {
  const ends: [number, number] = whole ? [from - 0.5, to + 0.5] : [from, to];
  return scale === 'log' ? [Math.log(ends[0]), Math.log(ends[1])] : ends;
}

/** The values of a grid: every choice, or `steps` values of a range; undefined for a range without steps. */
export function gridValues(dimension: Dimension): Value[] | undefined {
  if ('choices' in dimension) return dimension.choices;
  const { from, to, scale, whole, steps } = dimension;
  if (steps === undefined) return undefined;
  const values = Array.from({ length: steps }, (_, i) => {
    const t = i / (steps - 1);
    const value = scale === 'log' ? from * (to / from) ** t : from + t * (to - from);
    return whole ? Math.round(value) : Number(value.toPrecision(DIGITS));
  });
  return [...new Set(values)];
}

/** How many values there are; infinite for a range of real numbers. */
export function valueCount(dimension: Dimension): number {
  if ('choices' in dimension) return dimension.choices.length;
  return dimension.whole ? dimension.to - dimension.from + 1 : Number.POSITIVE_INFINITY;
}
