/** Gains: what a grade is worth. */
import { ListwiseError } from '../../errors.js';
import type { Parameter } from '../../spec/parameters.js';

/** Sums of 2^label stay far from the largest double, 2^1024. */
const MAX_EXPONENT = 900;

const GRADES = 32;
const powers = Float64Array.from({ length: GRADES }, (_, grade) => 2 ** grade - 1);

/** `exp` is 2^label - 1, `linear` the label itself, a table gives the gain of each whole grade from 0. */
export type Gain = 'exp' | 'linear' | readonly number[];

export const gainParameter: Parameter<Gain> = {
  default: 'exp',
  description:
    'The discount of a label: exp (2^label - 1), linear (the label), or a table for grades 0, 1, 2, … as in 0/3/7/15/31.',
  allowed: 'exp, linear, or a table of at least two numbers that starts at 0 or above and never falls, as 0/3/7/15/31',
  parse(text) {
    if (text === 'exp' || text === 'linear') return text;
    if (!text.includes('/')) return undefined;
    const table = text.split('/').map(part => (part === '' ? Number.NaN : Number(part)));
    // A falling table would make the list sorted by label not the best one.
    return table.every((gain, i) => Number.isFinite(gain) && gain >= (table[i - 1] ?? 0)) ? table : undefined;
  },
  print: gain => (typeof gain === 'string' ? gain : gain.join('/')),
};

/** The gain of a label; an unjudged document (NaN) and a negative label gain nothing. */
export function gainFunction(gain: Gain): (label: number) => number {
  if (gain === 'linear') return label => (Number.isNaN(label) ? 0 : Math.max(0, label));
  if (gain === 'exp') {
    return label => {
      // Whole grades, the usual case, are looked up: no power function, and no branch on whether a document is
      // relevant.
      const grade = label | 0;
      if (grade === label && grade >= 0 && grade < GRADES) return powers[grade]!;
      if (!(label > 0)) return 0;
      if (label <= MAX_EXPONENT) return 2 ** label - 1;
      throw new ListwiseError(
        'label-invalid',
        `label ${label} is too large for gain=exp, which takes labels up to ${MAX_EXPONENT}; write gain=linear or a ` +
          "table of gains in measures and objective: `measure: 'ndcg(gain=linear)@10'`, " +
          "`select: 'ndcg(gain=linear)@10'`, `objective: 'lambdarank(ndcg(gain=linear))'`",
      );
    };
  }
  return label => {
    if (!(label >= 0)) return 0;
    const value = gain[label];
    if (value !== undefined) return value;
    throw new ListwiseError(
      'label-invalid',
      `label ${label} has no gain in the table ${gain.join('/')}; the table covers grades 0 to ${gain.length - 1}`,
    );
  };
}
