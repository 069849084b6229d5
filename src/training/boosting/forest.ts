/** The trainer of random forests: every tree starts from the same scores, and all of them are kept. */

import { shareOf } from '../../data/share.js';
import type { Steps } from '../../steps.js';
import { defineTrainer, type TrainJob } from '../trainer.js';
import { forestOptions, settleOptions, type TreeOptions, treeOptions } from './options.js';
import type { GrownTreeWithValues, TreeEngine } from './tree-engine.js';
import { startEngine, TreesLearner } from './trees-learner.js';

export const forest = defineTrainer({
  name: 'forest',
  title: 'A random forest: trees grown apart from each other, each from a part of the queries and features.',
  needs: 'objective',
  makes: 'trees',
  objective: 'squared',
  splitsCategories: true,
  severalRanks: 'parts',
  options: forestOptions,
  iterations: 'trees',
  async start(given, context) {
    // Trees that know nothing of each other take full steps.
    const options = { ...treeOptions.parse({}), ...given.options, rate: 1, l2: 0 };
    const job = { ...given, options: settleOptions(options, shareOf(given.data).rows) };
    return new ForestLearner(await startEngine(job, context), job);
  },
});

class ForestLearner extends TreesLearner {
  override readonly keeps = 'last';
  /** Scores before the first tree. */
  readonly #start: Float32Array;

  constructor(engine: TreeEngine, job: TrainJob<TreeOptions>) {
    super(engine, job);
    this.#start = engine.scores.slice();
  }

  protected override grow(iteration: number): Steps<GrownTreeWithValues> {
    return this.engine.grow(iteration, { at: this.#start });
  }
}
