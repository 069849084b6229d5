/**
 * What a model offers whose parameters can be moved: the parameters as one vector, and the scores of documents at
 * altered ones. A kind of model says here what it need not compute anew for every alteration.
 */
import type { FeatureBlock } from '../data/dataset.js';
import type { Ranker } from './ranker.js';

export interface Perturbation {
  /** The parameters that can change a ranking; one that moves all scores alike (a last bias) is left out. */
  readonly parameters: Float64Array;
  /** What they are, in the plural: "weights". */
  readonly title: string;
  /** Which one parameter i is, in words. */
  describe(i: number): string;
  /** The model with other parameters. */
  at(parameters: Float64Array): Ranker;
  /** Takes the documents that `alter` then scores: the rows of a block, as in `Ranker.scoreBlock`. */
  show(block: FeatureBlock, columns: Int32Array, absent: number): void;
  /** out[k][i] is the score of row i at parameters + steps[k] times direction. */
  alter(direction: Float64Array, steps: readonly number[], out: readonly Float64Array[]): void;
  /**
   * Where scores are linear in the parameters: the score of row i at parameters + t times direction is start[i] + t
   * slope[i].
   */
  line?(direction: Float64Array, start: Float64Array, slope: Float64Array): void;
}

/** out[k] = base + steps[k] change, over the first n values: scores that are linear in the parameters. */
export function addSteps(
  base: Float64Array,
  change: Float64Array,
  steps: readonly number[],
  n: number,
  out: readonly Float64Array[],
): void {
  for (const [k, step] of steps.entries()) addStep(base, change, step, n, out[k]!);
}

function addStep(base: Float64Array, change: Float64Array, step: number, n: number, out: Float64Array): void {
  for (let i = 0; i < n; i++) out[i] = base[i]! + step * change[i]!;
}

/** A buffer of at least n values: the one given where it is long enough. */
export function roomFor(buffer: Float64Array, n: number): Float64Array {
  return buffer.length >= n ? buffer : new Float64Array(n);
}
