/** The losses, by option. */
import { discounts } from '../../measures/forms/discount.js';
import { type Credit, interleaving } from './interleaving.js';
import type { SvmOptions } from './options.js';
import { pairs } from './pairs.js';
import { positions } from './positions.js';
import type { ViolationSearch } from './violation.js';

/** What decides the loss. */
export type LossOptions = Pick<SvmOptions, 'loss' | 'rel' | 'positions' | 'cut' | 'form'>;

interface Loss extends ViolationSearch {
  /** Whether it knows relevant documents and others alone. */
  readonly binary: boolean;
  /** Whether the right ranking depends on a model before: the problem is then solved again and again. */
  readonly looksBack: boolean;
}

const losses: Readonly<Record<SvmOptions['loss'], (options: LossOptions) => Loss>> = {
  pairs: () => ({ ...pairs, binary: false, looksBack: false }),
  ap: ({ rel }) => byRelevance(rel, relevant => (i, j) => i / (i + j) / relevant),
  rr: ({ rel }) => byRelevance(rel, () => (i, j) => (i === 1 ? 1 / (1 + j) : 0)),
  ndcg: options => (options.form === 'pairs' ? ndcgByPairs(options.rel) : ndcgByPositions(options)),
};

export function lossOf(options: LossOptions): Loss {
  return losses[options.loss](options);
}

function byRelevance(rel: number, credit: Credit): Loss {
  return { ...interleaving(rel, credit), binary: true, looksBack: false };
}

function ndcgByPairs(rel: number): Loss {
  return byRelevance(rel, (relevant, documents) => {
    const discount = discounts.log2.table(documents);
    let best = 0;
    for (let r = 0; r < relevant; r++) best += discount[r]!;
    return (i, j) => discount[i + j - 1]! / best;
  });
}

function ndcgByPositions({ positions: kind, cut }: LossOptions): Loss {
  const weigh =
    kind === 'root' ? (rank: number) => 1 / Math.sqrt(rank + 1) : (rank: number) => Math.max(0, cut + 1 - rank);
  return { ...positions(weigh), binary: false, looksBack: true };
}
