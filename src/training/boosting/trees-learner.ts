/** Trees as a learner: one tree an iteration. */
import { z } from 'zod';
import { ListwiseError } from '../../errors.js';
import { readObject } from '../../models/model-json.js';
import { scoreData } from '../../models/ranker.js';
import { type Tree, TreesModel } from '../../models/trees/trees.js';
import { withoutFeatures } from '../../ranks/deal.js';
import { gatherNumbers } from '../../ranks/gathered.js';
import type { Steps } from '../../steps.js';
import type { IterationRecord } from '../iteration-record.js';
import type { Evaluation, Learner, StepRecord } from '../learner.js';
import { floats } from '../state-schema.js';
import { objectiveOf, type TrainContext, type TrainJob } from '../trainer.js';
import { Diagnostics } from './diagnostics.js';
import { type GrownTree, grownTree } from './growth/tree.js';
import { refuseFreeTrees } from './kept-constraints.js';
import { type TreeOptions, withoutEffect } from './options.js';
import { type GrownTreeWithValues, TreeEngine } from './tree-engine.js';

/** A tree as it was grown: enough to put every score where it was. */
export type TreeState = { readonly grown: GrownTree; readonly values: Float64Array };

function treeState(features: number, leaves: number): z.ZodType<TreeState> {
  return z
    .object({ grown: grownTree(features, leaves), values: floats() })
    .refine(({ grown, values }) => values.length === grown.leafDocuments.length, 'not a value for each leaf');
}

/** The engine at the scores of the model to go on from. */
export async function startEngine(
  job: TrainJob<TreeOptions>,
  context: TrainContext,
  how?: { readonly bins: boolean },
): Promise<TreeEngine> {
  const { data, validate, options, from } = job;
  const objective = objectiveOf(job);
  if (options.step === 'newton' && objective.hessian === 'none') {
    throw new ListwiseError(
      'option-invalid',
      `step=newton needs hessians, which ${objective.spec} has not; step is auto or gradient here`,
    );
  }
  refuseBesideMonotone(options);
  refuseShares(options);
  for (const text of withoutEffect(options)) context.note(text);
  if (from instanceof TreesModel) refuseFreeTrees(from, options, data.featureNames);
  const { measures, portable } = job;
  const learned = job.learned?.memories;
  const { threads, seed, ranks } = context;
  const scores = from && ([scoreData(from, data), validate && scoreData(from, validate)] as const);
  const engine = await TreeEngine.start(
    {
      data,
      validate,
      objective,
      measures,
      options,
      portable,
      threads,
      seed,
      ranks,
      learned,
      giveUpFeatures: job.giveUpFeatures,
    },
    how,
  );
  if (scores !== undefined) engine.addScores(...scores);
  return engine;
}

/** Bounds are those of plain steps. */
function refuseBesideMonotone({ monotone, split, l1, maxStep, pathSmoothing, randomThresholds }: TreeOptions): void {
  if (monotone.length === 0) return;
  const others = {
    'split=squares': split === 'squares',
    l1,
    'max-step': maxStep,
    'path-smoothing': pathSmoothing,
    'random-thresholds': randomThresholds,
  };
  const found = Object.entries(others).flatMap(([name, given]) => (given ? [name] : []));
  if (found.length === 0) return;
  throw new ListwiseError(
    'option-invalid',
    `monotone does not go with ${found.join(', ')}; leave one or the other out`,
  );
}

function refuseShares({ topShare, otherShare, queryShare }: TreeOptions): void {
  if (topShare === 1) return;
  if (topShare + otherShare > 1) {
    const detail = `top-share and other-share are shares of all documents, together at most 1; found ${topShare} and ${otherShare}`;
    throw new ListwiseError('option-invalid', detail);
  }
  if (queryShare === 1) return;
  throw new ListwiseError('option-invalid', 'top-share does not go with query-share; leave one or the other out');
}

/**
 * Boosting: each tree is grown from the lambdas at the scores of all before it. Parts of a model are what the values of
 * each tree are multiplied by since it was grown.
 */
export class TreesLearner implements Learner<readonly TreeState[], Float64Array> {
  readonly keeps: 'best' | 'last' = 'best';
  protected readonly engine: TreeEngine;
  readonly #job: TrainJob<TreeOptions>;
  readonly #from: TreesModel | undefined;
  readonly #diagnostics: Diagnostics | undefined;
  readonly #trees: Tree[] = [];
  protected readonly states: TreeState[] = [];
  protected readonly weights: number[] = [];

  constructor(engine: TreeEngine, job: TrainJob<TreeOptions>) {
    this.engine = engine;
    this.#job = job;
    this.#from = job.from instanceof TreesModel ? job.from : undefined;
    this.#diagnostics = job.options.diagnostics
      ? new Diagnostics(withoutFeatures(engine.seen, engine.ranks), objectiveOf(job), job.learned?.memories)
      : undefined;
  }

  protected grow(iteration: number): Steps<GrownTreeWithValues> {
    return this.engine.grow(iteration);
  }

  /** Of the training rows of all ranks. */
  #scoresOfAll(): Float64Array {
    return gatherNumbers(this.engine.ranks, Float64Array.from(this.engine.scores));
  }

  *step(iteration: number): Steps<StepRecord> {
    const before = this.#diagnostics && this.#scoresOfAll();
    const { tree, grown, pairs, facts } = yield* this.grow(iteration);
    this.#add(tree, grown);
    const diagnostics = before && this.#diagnostics?.of(iteration, before, this.#scoresOfAll());
    return { pairs, rate: this.#job.options.rate, ...(facts && { facts }), ...(diagnostics && { diagnostics }) };
  }

  *evaluate(): Steps<Evaluation> {
    const values = yield* this.engine.evaluate();
    const { evaluateTraining, validate } = this.#job;
    if (!evaluateTraining || validate === undefined) return { values };
    return { values, training: yield* this.engine.evaluateTraining() };
  }

  #add(tree: Tree, grown: GrownTree): void {
    this.#trees.push(tree);
    this.states.push({ grown, values: tree.value });
    this.weights.push(1);
  }

  readonly schema = {
    state: (log: readonly IterationRecord[]) =>
      z.array(treeState(this.#job.data.features, this.#job.options.leaves)).length(log.length),
    parts: (iteration: number) => floats(iteration),
  };

  snapshot(): readonly TreeState[] {
    return this.states.slice();
  }

  restore(states: readonly TreeState[]): void {
    // Before any document goes through them: nodes that lead round in circles have no end.
    const trees = states.map(({ grown, values }) => this.engine.inValues(grown, values));
    readObject(new TreesModel({ featureNames: this.#job.data.featureNames, trees }).toJSON(), undefined, true);
    states.forEach((state, i) => {
      this.replay(state, i + 1);
    });
  }

  /** Adds a tree of an earlier run, as if it had just been grown. */
  protected replay({ grown, values }: TreeState, _iteration: number): void {
    this.engine.add(grown, values, 'validation', 'training');
    this.#add(this.engine.inValues(grown, values), grown);
  }

  parts(): Float64Array {
    return Float64Array.from(this.weights);
  }

  model(weights: Float64Array): TreesModel {
    const from = this.#from;
    return new TreesModel({
      featureNames: this.#job.data.featureNames,
      trees: [
        ...(from?.trees ?? []),
        ...this.#trees.slice(0, weights.length).map((tree, i) => weighted(tree, weights[i]!)),
      ],
      base: from?.base,
      sums: from?.sums,
      // Data that has texts of categories is scored by models that know their levels.
      description: this.#job.data.description,
    });
  }

  remark(log: readonly IterationRecord[]): string | undefined {
    const { minDocuments, minHessian, minGain } = this.#job.options;
    // Without pairs there was nothing to split for, which is an error of its own.
    if (this.#trees.some(tree => tree.feature.length > 0) || log.every(({ pairs }) => pairs === 0)) return undefined;
    return (
      `no split was found, so that every document has the same score: leaves of ${minDocuments} documents (min-documents), ` +
      `a hessian of ${minHessian} (min-hessian) and a gain above ${minGain} (min-gain) are not to be had`
    );
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}

/** Values are of 32 bits, as those of scores. */
function weighted(tree: Tree, weight: number): Tree {
  return weight === 1 ? tree : { ...tree, value: tree.value.map(value => Math.fround(weight * value)) };
}
