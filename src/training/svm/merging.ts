/** The best merge of documents of several grades, each of which keeps its order, by dynamic programming. */
import { LOOKS_A_STEP, type Steps } from '../../steps.js';

/** Merges with more states than this are left to the assignment solver. */
const MOST_STATES = 500_000;

/**
 * Documents by rank; undefined where there are too many states: one for each number of documents taken of each grade.
 * From rank `depth` on, counted from 0, `worth` does not depend on scores, and documents follow by rising grade.
 */
export function* mergeSteps(
  grades: readonly Uint32Array[],
  worth: (document: number, rank: number) => number,
  depth: number,
): Steps<Uint32Array | undefined> {
  const most = grades.map(({ length }) => Math.min(length, depth));
  const strides: number[] = [];
  let states = 1;
  for (const count of most) {
    strides.push(states);
    states *= count + 1;
  }
  if (states > MOST_STATES) return undefined;
  const value = new Float64Array(states).fill(-Infinity);
  const taken = new Uint8Array(states);
  const counts = new Uint32Array(grades.length);
  const documents = grades.reduce((sum, { length }) => sum + length, 0);
  let looks = 0;
  value[0] = 0;
  let end = 0;
  let highest = -Infinity;
  for (let state = 1; state < states; state++) {
    // The next numbers taken of each grade.
    for (let g = 0; g < counts.length; g++) {
      if (counts[g]! < most[g]!) {
        counts[g]!++;
        break;
      }
      counts[g] = 0;
    }
    let rank = -1;
    looks += counts.length;
    for (const count of counts) rank += count;
    if (rank >= depth) continue;
    for (let g = 0; g < counts.length; g++) {
      if (counts[g] === 0) continue;
      const found = value[state - strides[g]!]! + worth(grades[g]![counts[g]! - 1]!, rank);
      if (found > value[state]!) {
        value[state] = found;
        taken[state] = g;
      }
    }
    if (rank < depth - 1) continue;
    const all = value[state]! + restOf(grades, counts, depth, worth);
    if (all > highest) {
      highest = all;
      end = state;
    }
    looks += documents - depth;
    if (looks < LOOKS_A_STEP) continue;
    looks = 0;
    yield state / states;
  }
  const left = Uint32Array.from(strides, (stride, g) => Math.floor(end / stride) % (most[g]! + 1));
  const order = new Uint32Array(documents);
  let r = depth;
  for (let g = grades.length - 1; g >= 0; g--)
    for (let k = left[g]!; k < grades[g]!.length; k++) order[r++] = grades[g]![k]!;
  r = depth - 1;
  for (let state = end; state > 0; r--) {
    const g = taken[state]!;
    order[r] = grades[g]![--left[g]!]!;
    state -= strides[g]!;
  }
  return order;
}

/** What the documents that were not taken come to, those of low grades first. */
function restOf(
  grades: readonly Uint32Array[],
  taken: Uint32Array,
  depth: number,
  worth: (document: number, rank: number) => number,
): number {
  let sum = 0;
  let rank = depth;
  for (let g = grades.length - 1; g >= 0; g--) {
    for (let k = taken[g]!; k < grades[g]!.length; k++) sum += worth(grades[g]![k]!, rank++);
  }
  return sum;
}
