/** Discounts: what a rank is worth to measures of the DCG family. */
import { choiceParameter } from '../../spec/parameters.js';
import { type RankDiscount, rankDiscount } from './rank-discount.js';

export const discountParameter = choiceParameter({
  choices: ['log2', 'letor'],
  default: 'log2',
  description: 'The discount of rank r: log2 is 1/log2(1 + r); letor is 1 at ranks 1 and 2, then 1/log2(r).',
});

export type Discount = 'log2' | 'letor';

/** The derivative of 1/log2(x). */
const slopeOfLog = (x: number) => -Math.LN2 / (x * Math.log(x) ** 2);

export const discounts: Record<Discount, RankDiscount> = {
  log2: rankDiscount({ at: rank => 1 / Math.log2(1 + rank), slope: rank => slopeOfLog(1 + rank) }),
  letor: rankDiscount({
    at: rank => (rank <= 2 ? 1 : 1 / Math.log2(rank)),
    slope: rank => (rank <= 2 ? 0 : slopeOfLog(rank)),
  }),
};
