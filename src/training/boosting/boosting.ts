/** The trainer of boosted trees: LambdaMART with any objective, MART with squared error. */
import { shareOf } from '../../data/share.js';
import { defineTrainer } from '../trainer.js';
import { DartLearner } from './dart.js';
import { startLeaves } from './leaves-learner.js';
import { settleOptions, treeOptions } from './options.js';
import { startEngine, TreesLearner } from './trees-learner.js';

export const trees = defineTrainer({
  name: 'trees',
  title: 'Boosted regression trees: LambdaMART with any objective.',
  needs: 'objective',
  makes: 'trees',
  // Pairs of equal weight, queries of equal weight: steadier than swap changes where labels are noisy or few.
  objective: 'normalise(ranknet)',
  splitsCategories: true,
  severalRanks: 'parts',
  options: treeOptions,
  iterations: 'trees',
  async start(given, context) {
    const job = { ...given, options: settleOptions(given.options, shareOf(given.data).rows, given.objective) };
    if (job.options.refitDecay < 1) return startLeaves(job, context);
    const engine = await startEngine(job, context);
    return job.options.dropRate > 0 ? new DartLearner(engine, job, context) : new TreesLearner(engine, job);
  },
});
