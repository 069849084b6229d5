/**
 * The work of the lambdas around a loop: two documents' scores go round a rectangle, all else stands still. It is 0 for
 * every loop where the lambdas are the gradient of a cost, whatever swaps the loop crosses.
 */
import { largest } from '../../numeric/vectors.js';
import type { Steps } from '../../steps.js';
import type { FieldSteps } from './jacobian.js';

/** Document i goes to score `iTo` and back, document k to `kTo` and back, in turns. */
export interface Loop {
  readonly i: number;
  readonly k: number;
  readonly iTo: number;
  readonly kTo: number;
}

export interface LoopWork {
  /** The integral of lambda ds around the loop. */
  readonly work: number;
  /** The integral over the share that the four sides do: |work| / sum of |side|; 0 where there is no lambda. */
  readonly relative: number;
  /** How often a moving document passes another. */
  readonly swaps: number;
}

/** How many steps there will be is not known: the share done is reported as 0. */
export function* loopSteps(field: FieldSteps, scores: Float64Array, { i, k, iTo, kTo }: Loop): Steps<LoopWork> {
  const moved = scores.slice();
  let work = 0;
  let sides = 0;
  let swaps = 0;
  for (const [document, to] of [
    [i, iTo],
    [k, kTo],
    [i, scores[i]!],
    [k, scores[k]!],
  ] as const) {
    const from = moved[document]!;
    const side = yield* sideWork(field, moved, document, from, to);
    work += side.work;
    sides += Math.abs(side.work);
    swaps += side.swaps;
    moved[document] = to;
  }
  return { work, relative: sides === 0 ? 0 : Math.abs(work) / sides, swaps };
}

/** One document moves from a score to another: lambdas may jump at scores that it passes, so it goes by stretches. */
function* sideWork(
  field: FieldSteps,
  scores: Float64Array,
  document: number,
  from: number,
  to: number,
): Steps<{ work: number; swaps: number }> {
  const [low, high] = from < to ? [from, to] : [to, from];
  const passed = scores.filter((score, i) => i !== document && score > low && score < high).sort();
  const ends = [low, ...passed, high];
  const at = scores.slice();
  const lambdas = (score: number) => {
    at[document] = score;
    return field(at);
  };
  let work = 0;
  for (let e = 1; e < ends.length; e++) {
    const parts = yield* integrateSteps(lambdas, ends[e - 1]!, ends[e]!);
    work += parts[document]!;
  }
  return { work: from < to ? work : -work, swaps: passed.length };
}

/**
 * Nodes and weights of Gauss and Lobatto on [-1, 1], the half with x >= 0; exact for polynomials up to degree 11. The
 * ends are among them, so that a jump close to an end is seen; a hair inside, since at the very end two documents have
 * one score.
 */
const NODES: readonly (readonly [x: number, weight: number])[] = [
  [0, 0.4876190476190476],
  [0.4688487934707142, 0.4317453812098626],
  [0.830223896278567, 0.2768260473615659],
  [1 - 1e-9, 1 / 21],
];
const PRECISION = 1e-11;
const MOST_HALVINGS = 30;

type Lambdas = (x: number) => Steps<Float64Array>;

/**
 * The integral of every component. Halves a stretch until halves and whole agree, in all components: lambdas of some
 * objectives jump in places of their own, and two jumps that cancel in one document's lambda do not in those of the
 * others.
 */
export function* integrateSteps(f: Lambdas, from: number, to: number): Steps<Float64Array> {
  const magnitudes: Lambdas = function* (x) {
    return (yield* f(x)).map(Math.abs);
  };
  const scale = largest(yield* lobatto(magnitudes, from, to));
  function* refine(a: number, b: number, whole: Float64Array, halvings: number): Steps<Float64Array> {
    const middle = (a + b) / 2;
    const [left, right] = [yield* lobatto(f, a, middle), yield* lobatto(f, middle, b)];
    const error = largest(whole.map((value, i) => left[i]! + right[i]! - value));
    if (error <= PRECISION * scale || halvings === 0) return add(left, right);
    return add(yield* refine(a, middle, left, halvings - 1), yield* refine(middle, b, right, halvings - 1));
  }
  return yield* refine(from, to, yield* lobatto(f, from, to), MOST_HALVINGS);
}

function* lobatto(f: Lambdas, from: number, to: number): Steps<Float64Array> {
  const [centre, half] = [(from + to) / 2, (to - from) / 2];
  let sum: Float64Array | undefined;
  for (const [x, weight] of NODES) {
    yield 0;
    const values = x === 0 ? yield* f(centre) : add(yield* f(centre - half * x), yield* f(centre + half * x));
    const weighted = values.map(value => half * weight * value);
    sum = sum === undefined ? weighted : add(sum, weighted);
  }
  return sum!;
}

function add(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value + b[i]!);
}
