/**
 * The mean of a measure over all orders of documents with equal scores: what a query is worth where scores leave the
 * order open (McSherry, Najork 2008). Measures declare it in closed form (`overTies`); for others orders are drawn.
 */
import { Random } from '../../numeric/random.js';
import type { Steps } from '../../steps.js';
import type { Measure, QueryView } from '../measure.js';
import { RearrangedView } from '../rearranged-view.js';

/** Which ranks of a query share a score. Nothing in it depends on the order of rows. */
export interface TiedRanks {
  /**
   * Groups of equal scores, those of one document too: group g is ranks starts[g] to starts[g + 1], from 0. Documents
   * of equal scores and equal labels are groups of one: no order of them matters, and sums add up as without ties.
   */
  readonly groups: number;
  readonly starts: Uint32Array;
  /** Labels by rank; within a group the lowest first, unjudged ones (NaN) last. */
  ranked(source: string): Float64Array;
  /** Documents by rank; within a group by their labels in every source. */
  readonly order: Uint32Array;
  /** A hash of the query's id, from which orders are drawn. */
  readonly seed: number;
}

/** Orders drawn for a query. Where there are no more than these, as for five tied documents, each is taken once. */
const ORDERS = 120;

/** The mean for a measure without a closed form; NaN where it is undefined. */
export function* meanOverOrders(measure: Pick<Measure, 'value'>, view: QueryView, tied: TiedRanks): Steps<number> {
  const shown = new RearrangedView(view);
  const all = countOrders(tied);
  const count = Math.min(all, ORDERS);
  let sum = 0;
  let done = 0;
  for (const order of all <= ORDERS ? everyOrder(tied) : drawnOrders(tied)) {
    sum += measure.value(shown.arrange(order));
    yield ++done / count;
  }
  return sum / count;
}

function countOrders({ groups, starts }: TiedRanks): number {
  let count = 1;
  for (let g = 0; g < groups; g++) {
    for (let size = starts[g + 1]! - starts[g]!; size > 1 && count <= ORDERS; size--) count *= size;
  }
  return count;
}

/** Each order once, in the same array. */
function* everyOrder({ groups, starts, order }: TiedRanks): Iterable<Uint32Array> {
  const shown = order.slice();
  // Ranks whose document may trade places with one further down, and where their group ends.
  const open: { rank: number; end: number }[] = [];
  for (let g = 0; g < groups; g++) {
    for (let rank = starts[g]!, end = starts[g + 1]!; rank < end - 1; rank++) open.push({ rank, end });
  }
  function* arrange(from: number): Iterable<Uint32Array> {
    const place = open[from];
    if (place === undefined) {
      yield shown;
      return;
    }
    for (let other = place.rank; other < place.end; other++) {
      swap(shown, place.rank, other);
      yield* arrange(from + 1);
      swap(shown, place.rank, other);
    }
  }
  yield* arrange(0);
}

/** `ORDERS` at random (Fisher, Yates), in the same array. */
function* drawnOrders({ groups, starts, order, seed }: TiedRanks): Iterable<Uint32Array> {
  const random = new Random(seed, 'ties');
  const shown = order.slice();
  for (let i = 0; i < ORDERS; i++) {
    for (let g = 0; g < groups; g++) {
      const start = starts[g]!;
      for (let rank = starts[g + 1]! - 1; rank > start; rank--) {
        swap(shown, rank, start + random.below(rank - start + 1));
      }
    }
    yield shown;
  }
}

function swap(order: Uint32Array, a: number, b: number): void {
  const document = order[a]!;
  order[a] = order[b]!;
  order[b] = document;
}
