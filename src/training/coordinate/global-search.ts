/**
 * The global optimum with two or three features. Rankings change where two documents of a query tie, which is a
 * straight line in the plane of weights (1, u, v), or a point on the line of (1, u); (-1, u, v) are the rankings turned
 * round. With two features one exact search along each line sees every ranking. With three, every cell of the
 * arrangement touches a line on which two documents tie: an exact search along each of these, just on either side of
 * it, sees every cell.
 */
import { ListwiseError } from '../../errors.js';
import { middle, type Plateau } from '../../lines/piecewise.js';
import { gatherValues, sumOf } from '../../ranks/gathered.js';
import type { Transport } from '../../ranks/transport.js';
import type { Steps } from '../../steps.js';
import type { SeenData } from '../linear/seen-data.js';
import type { LineSearch } from './line-search.js';

/** With three features, pairs whose arrangement takes seconds. */
const MOST_PAIRS = 1500;

/** Pairs that are held at once: lines along more would take years, and objects for them more than a heap has. */
const MOST_HELD = 2_000_000;

/** `features` are those that vary. */
export function isQuick(features: readonly number[], pairs: () => number): boolean {
  return features.length === 2 || (features.length === 3 && pairs() <= MOST_PAIRS);
}

/** Before any pair is held. Two features need none. */
export function refuseManyPairs(features: readonly number[], pairs: () => number): void {
  const found = features.length === 3 ? pairs() : 0;
  if (found <= MOST_HELD) return;
  const count = (n: number) => n.toLocaleString('en-GB');
  throw new ListwiseError(
    'data-too-large',
    `global=always looks along a line for each pair of documents with different labels: ${count(found)} here, ${count(MOST_HELD)} at most; ` +
      'train with global=auto or global=never, or on fewer documents a query',
  );
}

/** Two documents that can tie, and how far apart they are in three features. */
export interface Pair {
  readonly gaps: readonly number[];
  /** Their places, on the rank that has them. */
  readonly rank: number;
  readonly i: number;
  readonly j: number;
}

export function countPairs({ labels: { offsets, queries } }: SeenData, labels: Float64Array, ranks: Transport): number {
  let pairs = 0;
  for (let q = 0; q < queries; q++) pairs += differentLabels(labels.subarray(offsets[q]!, offsets[q + 1]!));
  return sumOf(ranks, pairs);
}

/** Pairs with different labels, one that is missing being like no other: by counts, as there may be very many. */
export function differentLabels(labels: Float64Array): number {
  const counts = new Map<number, number>();
  for (const label of labels) if (!Number.isNaN(label)) counts.set(label, (counts.get(label) ?? 0) + 1);
  const pairsOf = (n: number) => (n * (n - 1)) / 2;
  let pairs = pairsOf(labels.length);
  for (const count of counts.values()) pairs -= pairsOf(count);
  return pairs;
}

function forPairs(offsets: Uint32Array, labels: Float64Array, q: number, see: (i: number, j: number) => void): void {
  for (let i = offsets[q]!; i < offsets[q + 1]!; i++) {
    for (let j = offsets[q]!; j < i; j++) if (labels[i] !== labels[j]) see(i, j);
  }
}

/** Pairs of documents of one query with different labels, of all ranks; only three features have a use for them. */
export function gappedPairs(
  seen: SeenData,
  features: readonly number[],
  labels: Float64Array,
  ranks: Transport,
): Pair[] {
  if (features.length !== 3) return [];
  const columns = features.map(f => {
    const column = new Float64Array(seen.rows);
    seen.column(f, column);
    return column;
  });
  const pairs: Pair[] = [];
  const { offsets, queries } = seen.labels;
  for (let q = 0; q < queries; q++) {
    forPairs(offsets, labels, q, (i, j) => {
      pairs.push({ gaps: columns.map(column => column[i]! - column[j]!), rank: ranks.rank, i, j });
    });
  }
  return gatherValues(ranks, pairs).flat();
}

/** A share of the largest score, by which documents that tie are kept apart. */
const APART = 1e-9;

/** Weights of the best mean there is. */
export function* globalOptimum(
  search: LineSearch,
  features: readonly number[],
  pairs: readonly Pair[],
  ranks: Transport,
): Steps<{ weights: Float64Array; value: number }> {
  const [first, second, third] = features;
  const { seen } = search;
  const at = (sign: number, u: number, v = 0) => {
    const weights = new Float64Array(seen.features);
    weights[first!] = sign;
    weights[second!] = u;
    if (third !== undefined) weights[third] = v;
    return weights;
  };
  let best = { weights: at(1, 0), value: -Infinity };
  /** From these weights along a direction; keeps what is better. */
  function* look(weights: Float64Array, direction: Float64Array): Steps<void> {
    search.from(weights);
    const plateau = widest((yield* search.along(direction)).plateaus(), best.value);
    if (plateau === undefined) return;
    const step = middle(plateau);
    best = { weights: weights.map((weight, f) => weight + step * direction[f]!), value: plateau.value };
  }
  for (const sign of [1, -1]) yield* look(at(sign, 0), at(0, 1));
  if (third === undefined) return best;
  for (const [p, pair] of pairs.entries()) {
    yield p / pairs.length;
    const [x, y, z] = pair.gaps as [number, number, number];
    const square = y * y + z * z;
    if (square === 0) continue;
    for (const sign of [1, -1]) {
      const origin = at(sign, (-sign * x * y) / square, (-sign * x * z) / square);
      const direction = at(0, -z, y);
      for (const side of [1, -1]) {
        search.from(origin);
        tie(search.scores, pair, side, ranks);
        const plateau = widest(yield* alongTied(search, direction, pair, ranks), best.value);
        if (plateau === undefined) continue;
        const t = middle(plateau);
        const point = origin.map((weight, f) => weight + t * direction[f]!);
        yield* look(point, at(0, y, z)); // across the line, to the middle of the cell
      }
    }
  }
  return best;
}

/** Puts document i just above j, or just below. */
function tie(scores: Float64Array, { rank, i, j }: Pair, side: number, ranks: Transport): void {
  const largest = Float64Array.of(scores.reduce((most, score) => Math.max(most, Math.abs(score)), 0));
  ranks.max(largest);
  if (rank === ranks.rank) scores[i] = scores[j]! + side * APART * (largest[0] || 1);
}

/** Along a line on which two documents tie: their lines are parallel. */
function* alongTied(
  search: LineSearch,
  direction: Float64Array,
  { rank, i, j }: Pair,
  ranks: Transport,
): Steps<Iterable<Plateau>> {
  const line = yield* search.along(direction, slope => {
    if (rank === ranks.rank) slope[i] = slope[j]!;
  });
  return line.plateaus();
}

/** The highest plateau above a value, but none that is only rounding. */
function widest(plateaus: Iterable<Plateau>, above: number): Plateau | undefined {
  let best: Plateau | undefined;
  for (const plateau of plateaus) {
    const { from, to, value } = plateau;
    if (to - from < 1e-9 * Math.max(1, Math.abs(from)) || value <= above + 1e-10) continue;
    if (best === undefined || value > best.value) best = plateau;
  }
  return best;
}
