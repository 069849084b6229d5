/**
 * Boosting with dropout (DART; Vinayak, Gilad-Bachrach 2015): each tree is grown at the scores without some of the
 * trees before it, and takes a share of their place. Trees of a model to go on from are never dropped.
 */
import { hash32 } from '../../numeric/random.js';
import type { Steps } from '../../steps.js';
import type { TrainContext, TrainJob } from '../trainer.js';
import type { TreeOptions } from './options.js';
import type { GrownTreeWithValues, TreeEngine } from './tree-engine.js';
import { type TreeState, TreesLearner } from './trees-learner.js';

type DropOptions = Pick<TreeOptions, 'dropRate' | 'maxDrop' | 'skipDrop' | 'uniformDrop' | 'dropNormalise' | 'rate'>;

/** Trees to leave out of an iteration, ascending, by the seed; `sizes` are how much each counts in the scores. */
export function droppedTrees(
  sizes: readonly number[],
  { dropRate, maxDrop, skipDrop, uniformDrop }: DropOptions,
  seed: number,
  iteration: number,
): number[] {
  const own = hash32(seed, iteration);
  const most = maxDrop || Infinity;
  if (hash32(own, 3) < skipDrop * 2 ** 32) return [];
  const share = Math.min(dropRate, most / sizes.length);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const key = hash32(own, 2);
  const drawn = sizes.flatMap((size, tree) => {
    const chance = share * (uniformDrop || mean === 0 ? 1 : size / mean);
    const clearly = hash32(key, tree) / 2 ** 32 / chance;
    return clearly < 1 ? [{ tree, clearly }] : [];
  });
  // Where more are drawn than may be, those that chance was for most clearly.
  drawn.sort((a, b) => a.clearly - b.clearly || a.tree - b.tree);
  return drawn
    .slice(0, most)
    .map(({ tree }) => tree)
    .sort((a, b) => a - b);
}

/** What the values of the new tree, and of those that were dropped for it, are multiplied by. */
export function dropWeights(dropped: number, { dropNormalise, rate }: DropOptions): { grown: number; dropped: number } {
  if (dropped === 0) return { grown: 1, dropped: 1 };
  if (dropNormalise === 'forest') return { grown: 1 / (1 + rate), dropped: 1 / (1 + rate) };
  const all = dropped + (dropNormalise === 'tree' ? rate : 1);
  return { grown: 1 / all, dropped: dropped / all };
}

export class DartLearner extends TreesLearner {
  readonly #options: TreeOptions;
  readonly #seed: number;
  /** By tree, what the values it was grown with had been multiplied by. */
  readonly #born: number[] = [];

  constructor(engine: TreeEngine, job: TrainJob<TreeOptions>, { seed }: TrainContext) {
    super(engine, job);
    this.#options = job.options;
    this.#seed = seed;
  }

  protected override *grow(iteration: number): Steps<GrownTreeWithValues> {
    const dropped = this.#drop(iteration);
    const { grown } = dropWeights(dropped.length, this.#options);
    const made = yield* this.engine.grow(iteration, { weight: grown });
    this.#putBack(dropped);
    return { ...made, facts: { dropped: dropped.length } };
  }

  /** Every sum is done again as it was, so that scores are the same to the last bit. */
  protected override replay(state: TreeState, iteration: number): void {
    const dropped = this.#drop(iteration);
    super.replay(state, iteration);
    this.#putBack(dropped);
  }

  #drop(iteration: number): number[] {
    const sizes = this.weights.map((weight, tree) => weight * this.#born[tree]!);
    const dropped = droppedTrees(sizes, this.#options, this.#seed, iteration);
    for (const tree of dropped) this.#add(tree, -this.weights[tree]!, 0, 'training');
    return dropped;
  }

  /** Those that were dropped, smaller, beside the new one. */
  #putBack(dropped: readonly number[]): void {
    const weights = dropWeights(dropped.length, this.#options);
    this.#born.push(weights.grown);
    for (const tree of dropped) {
      const before = this.weights[tree]!;
      const now = before * weights.dropped;
      this.weights[tree] = now;
      this.#add(tree, now, 0, 'training');
      this.#add(tree, now, before, 'validation');
    }
  }

  /** Adds a tree's values at one weight, less those at another. */
  #add(tree: number, weight: number, less: number, to: 'training' | 'validation'): void {
    const { grown, values } = this.states[tree]!;
    this.engine.add(
      grown,
      values.map(value => Math.fround(weight * value) - Math.fround(less * value)),
      to,
    );
  }
}
