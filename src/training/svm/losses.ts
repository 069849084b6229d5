/** The losses, by option. */
import { discounts } from '../../measures/forms/discount.js';
import { interleaving } from './interleaving.js';
import type { SvmOptions } from './options.js';
import { pairs } from './pairs.js';
import { positions } from './positions.js';
import type { FindViolation } from './violation.js';

/** What decides the loss. */
export type LossOptions = Pick<SvmOptions, 'loss' | 'rel' | 'positions' | 'cut' | 'form'>;

const losses: Readonly<Record<SvmOptions['loss'], (options: LossOptions) => FindViolation>> = {
  pairs: () => pairs,
  ap: ({ rel }) => interleaving(rel, relevant => (i, j) => i / (i + j) / relevant),
  rr: ({ rel }) => interleaving(rel, () => (i, j) => (i === 1 ? 1 / (1 + j) : 0)),
  ndcg: options => (options.form === 'pairs' ? ndcgByPairs(options.rel) : ndcgByPositions(options)),
};

export function findViolationOf(options: LossOptions): FindViolation {
  return losses[options.loss](options);
}

/** Whether the loss knows relevant documents and others alone. */
export function isBinary({ loss, form }: LossOptions): boolean {
  return loss === 'ap' || loss === 'rr' || (loss === 'ndcg' && form === 'pairs');
}

function ndcgByPairs(rel: number): FindViolation {
  return interleaving(rel, relevant => {
    const { at } = discounts.log2;
    let best = 0;
    for (let r = 1; r <= relevant; r++) best += at(r);
    return (i, j) => at(i + j) / best;
  });
}

function ndcgByPositions({ positions: kind, cut }: LossOptions): FindViolation {
  return positions(kind === 'root' ? rank => 1 / Math.sqrt(rank + 1) : rank => Math.max(0, cut + 1 - rank));
}
