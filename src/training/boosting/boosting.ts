/** The trainers of trees: boosting (LambdaMART with any objective, MART with squared error) and random forests. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import { evaluate } from '../../measures/evaluate.js';
import { matchFeatures } from '../../models/match-features.js';
import { type Ranker, scoreData } from '../../models/ranker.js';
import { type Tree, TreesModel } from '../../models/trees/trees.js';
import { inTurns, Turns } from '../../steps.js';
import { fingerprintOf, refuseFewer } from '../checkpoint.js';
import { type BestState, EarlyStopping } from '../early-stopping.js';
import { EvaluatedMeasures } from '../evaluated-measures.js';
import {
  defineTrainer,
  type IterationRecord,
  type Stopped,
  type TrainContext,
  type TrainJob,
  type TrainResult,
} from '../trainer.js';
import { Diagnostics } from './diagnostics.js';
import type { GrownTree } from './growth/tree.js';
import { forestOptions, settleOptions, type TreeOptions, treeOptions } from './options.js';
import { TreeEngine } from './tree-engine.js';

export const trees = defineTrainer({
  name: 'trees',
  title: 'Boosted regression trees: LambdaMART with any objective.',
  needs: 'objective',
  // Pairs of equal weight, queries of equal weight: steadier than swap changes where labels are noisy or few.
  objective: 'normalise(ranknet)',
  options: treeOptions,
  iterations: 'trees',
  train: (job, context) =>
    grow({ ...job, options: settleOptions(job.options, job.data.rows) }, context, { boost: true }),
});

export const forest = defineTrainer({
  name: 'forest',
  title: 'A random forest: trees grown apart from each other, each from a part of the queries and features.',
  needs: 'objective',
  objective: 'squared',
  options: forestOptions,
  iterations: 'trees',
  train: ({ options, ...job }, context) =>
    // Trees that know nothing of each other: full steps, never stopped early.
    grow(
      {
        ...job,
        options: settleOptions({ ...treeOptions.parse({}), ...options, rate: 1, patience: 0, l2: 0 }, job.data.rows),
      },
      context,
      {
        boost: false,
      },
    ),
});

/** What a checkpoint holds: enough to put every score where it was. */
interface BoostingState {
  trees: { grown: GrownTree; values: number[] }[];
  best: BestState | undefined;
  since: number;
  log: IterationRecord[];
}

async function grow(
  job: TrainJob<TreeOptions>,
  context: TrainContext,
  { boost }: { boost: boolean },
): Promise<TrainResult> {
  const { data, validate, objective, options, select } = job;
  if (objective === undefined) throw new RangeError('boosting needs an objective');
  if (options.step === 'newton' && objective.hessian === 'none') {
    throw new ListwiseError(
      'option-invalid',
      `step=newton needs hessians, which ${objective.spec} has not; step is auto or gradient here`,
    );
  }
  const started = performance.now();
  const from = job.from && treesToGoOnFrom(job.from, data);
  const measures = new EvaluatedMeasures(select, job.measures);
  const engine = await TreeEngine.start({
    data,
    validate,
    objective,
    measures,
    options,
    boost,
    portable: job.portable,
    threads: context.threads,
    seed: context.seed,
  });
  try {
    if (from !== undefined) {
      engine.addScores(scoreData(from, data), validate && scoreData(from, validate));
    }
    const ready = performance.now();
    const stopping = new EarlyStopping(select, options.patience);
    const fingerprint = fingerprintOfJob(job, context.seed);
    const resumed = await context.checkpoint?.load<BoostingState>(fingerprint);
    const state: BoostingState = resumed ?? { trees: [], best: undefined, since: 0, log: [] };
    refuseFewer(options.trees, state.trees.length, 'trees');
    stopping.best = state.best;
    stopping.since = state.since;
    const grown: Tree[] = state.trees.map(tree => engine.replay(tree.grown, tree.values));
    for (const record of state.log) context.onIteration(record, options.trees);
    if (resumed !== undefined) context.note(`going on after tree ${grown.length}`);
    else if (from !== undefined) stopping.see(0, measures.record(await inTurns(engine.evaluate())).validation);
    const modelOf = (trees: number) =>
      new TreesModel({
        featureNames: data.featureNames,
        trees: [...(from?.trees ?? []), ...grown.slice(0, trees)],
        base: from?.base,
        sums: from?.sums,
      });
    const diagnostics = options.diagnostics ? new Diagnostics(engine.seen, objective) : undefined;
    let stopped: Stopped = 'finished';
    const turns = new Turns();
    const evaluatedAfter = (trees: number) =>
      trees === options.trees || (options.evaluateEvery > 0 && trees % options.evaluateEvery === 0);
    while (grown.length < options.trees) {
      if (context.signal.aborted) stopped = 'interrupted';
      // Trees that were not judged say nothing.
      else if (evaluatedAfter(grown.length) && stopping.stops(grown.length)) stopped = 'no improvement';
      if (stopped !== 'finished') break;
      const begun = performance.now();
      const iteration = grown.length + 1;
      const before = diagnostics && engine.scores.slice();
      const judged = evaluatedAfter(iteration);
      function* steps() {
        const { tree, grown: inBins, pairs } = yield* engine.grow(iteration);
        const figures = measures.record(judged ? yield* engine.evaluate() : []);
        const evaluatesTraining = judged && job.evaluateTraining && validate !== undefined;
        return { tree, inBins, pairs, figures, training: evaluatesTraining ? yield* engine.evaluateTraining() : [] };
      }
      const done = await turns.unlessAborted(steps(), context.signal);
      if (done === undefined) {
        stopped = 'interrupted'; // the half-grown tree is not kept
        break;
      }
      const { tree, inBins, pairs, figures, training } = done;
      grown.push(tree);
      const best = judged && stopping.see(iteration, figures.validation);
      const record: IterationRecord = {
        iteration,
        cost: Number.NaN,
        training,
        ...figures,
        pairs,
        rate: options.rate,
        best,
        seconds: (performance.now() - begun) / 1000,
        ...(before && { diagnostics: diagnostics!.of(iteration, before, engine.scores) }),
      };
      state.log.push(record);
      if (context.checkpoint !== undefined) {
        state.trees.push({ grown: inBins, values: [...tree.value] });
        state.best = stopping.best;
        state.since = stopping.since;
        await context.checkpoint.save(fingerprint, state, iteration === options.trees);
      }
      context.onIteration(record, options.trees, () => modelOf(iteration));
      await yieldToEvents();
    }
    if (stopped !== 'finished') await context.checkpoint?.save(fingerprint, state, true);
    // Ended between two looks: the trees there are stand as they are.
    if (stopping.best === undefined && grown.length > 0) {
      const judged = evaluate(validate ?? data, scoreData(modelOf(grown.length), validate ?? data), measures.all);
      stopping.see(grown.length, measures.record(judged.map(({ mean }) => mean)).validation);
    }
    const kept = stopping.best;
    if (kept === undefined) {
      throw new ListwiseError(
        'training-interrupted',
        'interrupted before the first tree was grown: there is no model yet',
      );
    }
    // Without pairs there was nothing to split for, which is an error of its own.
    if (grown.every(tree => tree.feature.length === 0) && state.log.some(({ pairs }) => pairs !== 0)) {
      context.note(
        `no split was found, so that every document has the same score: leaves of ${options.minDocuments} documents (min-documents), ` +
          `a hessian of ${options.minHessian} (min-hessian) and a gain above ${options.minGain} (min-gain) are not to be had`,
      );
    }
    // Boosting keeps the best iteration; a forest keeps every tree.
    const last = boost ? kept.iteration : grown.length;
    return {
      model: modelOf(last),
      best: boost ? kept : { iteration: grown.length, values: state.log.at(-1)!.validation },
      iterations: state.log.length,
      stopped,
      log: state.log,
      seconds: { bin: (ready - started) / 1000, train: (performance.now() - ready) / 1000 },
    };
  } finally {
    await engine.close();
  }
}

/** The model with its features in the order of the data. */
function treesToGoOnFrom(model: Ranker, data: Dataset): TreesModel {
  if (!(model instanceof TreesModel)) {
    throw new ListwiseError(
      'option-invalid',
      `training cannot go on from this ${model.kind} model: it must be one of trees`,
    );
  }
  const { base, sums } = model;
  const columns = matchFeatures(model, data);
  const trees = model.trees.map(tree => ({ ...tree, feature: tree.feature.map(f => columns[f]!) }));
  return new TreesModel({ featureNames: data.featureNames, trees, base, sums });
}

/** Of all that decides the model; the number of trees may grow, the number of threads may change. */
function fingerprintOfJob(
  { data, validate, options, select, objective, from }: TrainJob<TreeOptions>,
  seed: number,
): string {
  const { trees: _, patience: __, ...deciding } = options;
  const sets = validate === undefined ? [data] : [data, validate];
  return fingerprintOf(
    {
      options: deciding,
      select: select.spec,
      objective: objective?.spec,
      seed,
      features: data.featureNames,
      from: from?.toJSON(),
    },
    sets.flatMap(set => [
      set.offsets,
      ...set.labels.values(),
      ...set.blocks.map(block => block.data),
      ...[set.rowWeights, set.queryWeights, set.initialScores].filter(values => values !== undefined),
    ]),
  );
}
