/** The trainer of boosted trees: LambdaMART with any objective, MART with squared error. */
import { type Tree, TreesModel } from '../../models/trees/trees.js';
import { EarlyStopping } from '../early-stopping.js';
import { defineTrainer, type IterationRecord, type Stopped } from '../trainer.js';
import { treeOptions } from './options.js';
import { TreeEngine } from './tree-engine.js';

export const trees = defineTrainer({
  name: 'trees',
  title: 'Boosted regression trees: LambdaMART with any objective.',
  needs: 'objective',
  options: treeOptions,
  async train({ data, validate, objective, options, select, portable }, context) {
    if (objective === undefined) throw new RangeError('boosting needs an objective');
    const started = performance.now();
    const engine = await TreeEngine.start({
      ...{ data, validate, objective, portable, options },
      ...{ threads: context.threads, seed: context.seed },
    });
    try {
      const ready = performance.now();
      const stopping = new EarlyStopping(select, options.patience);
      const grown: Tree[] = [];
      const log: IterationRecord[] = [];
      let stopped: Stopped = 'finished';
      for (let iteration = 1; iteration <= options.trees; iteration++) {
        const begun = performance.now();
        const { tree, pairs } = engine.grow(iteration);
        grown.push(tree);
        const { validation } = engine.judge(select.measures);
        const best = stopping.see(iteration, validation);
        const record: IterationRecord = {
          ...{ iteration, cost: Number.NaN, training: [], validation, pairs, rate: options.rate, best },
          seconds: (performance.now() - begun) / 1000,
        };
        log.push(record);
        context.onIteration(record, options.trees);
        if (context.signal.aborted) stopped = 'interrupted';
        else if (stopping.stops(iteration)) stopped = 'no improvement';
        if (stopped !== 'finished') break;
        // Lets signals and progress through.
        if (iteration % 4 === 0) await new Promise(resume => setImmediate(resume));
      }
      const kept = stopping.best!;
      return {
        model: new TreesModel({ featureNames: data.featureNames, trees: grown.slice(0, kept.iteration) }),
        best: kept,
        iterations: log.length,
        stopped,
        log,
        seconds: { bin: (ready - started) / 1000, train: (performance.now() - ready) / 1000 },
      };
    } finally {
      await engine.close();
    }
  },
});
