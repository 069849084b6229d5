/**
 * Leaf values of a model to go on from, estimated again on other data; its splits stay. Tree by tree, as when they were
 * grown: lambdas at the scores of the trees before, and the step of each leaf from those of its documents. All trees
 * are one iteration, as no model between the two is of use.
 */
import { z } from 'zod';
import { ListwiseError } from '../../errors.js';
import { scoreData } from '../../models/ranker.js';
import { type Tree, TreesModel } from '../../models/trees/trees.js';
import type { Steps } from '../../steps.js';
import type { IterationRecord } from '../iteration-record.js';
import type { Evaluation, Learner, StepRecord } from '../learner.js';
import { areFloats } from '../state-schema.js';
import type { TrainContext, TrainJob } from '../trainer.js';
import type { TreeOptions } from './options.js';
import type { TreeEngine } from './tree-engine.js';
import { startEngine } from './trees-learner.js';

/** Options that make trees, not leaf values, or bound them across trees. */
const APART = { monotone: 'monotone', dropRate: 'drop-rate', pathSmoothing: 'path-smoothing' } as const;

export async function startLeaves(job: TrainJob<TreeOptions>, context: TrainContext): Promise<LeavesLearner> {
  const { from, options } = job;
  if (!(from instanceof TreesModel)) {
    throw new ListwiseError(
      'option-invalid',
      'refit-decay below 1 estimates the leaf values of a model again; name that model with `from`',
    );
  }
  for (const [key, name] of Object.entries(APART) as [keyof typeof APART, string][]) {
    const given = options[key];
    if (typeof given === 'number' ? given === 0 : given.length === 0) continue;
    throw new ListwiseError(
      'option-invalid',
      `${name} does not go with refit-decay, which grows no tree; leave it out`,
    );
  }
  const leaves = from.trees.reduce((most, { value }) => Math.max(most, value.length), 2);
  const engine = await startEngine({ ...job, options: { ...options, leaves } }, context, { bins: false });
  return new LeavesLearner(engine, job, from);
}

/** The state and the parts are the values of all leaves, or nothing before they are estimated. */
class LeavesLearner implements Learner<readonly Float64Array[], readonly Float64Array[]> {
  readonly keeps = 'last';
  readonly #engine: TreeEngine;
  readonly #job: TrainJob<TreeOptions>;
  readonly #from: TreesModel;
  #values: readonly Float64Array[] = [];

  constructor(engine: TreeEngine, job: TrainJob<TreeOptions>, from: TreesModel) {
    this.#engine = engine;
    this.#job = job;
    this.#from = from;
  }

  *step(): Steps<StepRecord> {
    const { data, validate, learned } = this.#job;
    const { rate, refitDecay } = this.#job.options;
    const { base, trees } = this.#from;
    const values: Float64Array[] = [];
    let pairs = 0;
    this.#engine.startAt(base);
    for (const [i, tree] of trees.entries()) {
      if (i > 0) learned?.advance();
      const numbers = this.#numbered(tree);
      const leaves = { training: scoreData(numbers, data), validation: validate && scoreData(numbers, validate) };
      const refitted = yield* this.#engine.refit(i + 1, leaves, tree.value.length, (step, leaf) =>
        step === undefined ? tree.value[leaf]! : refitDecay * tree.value[leaf]! + (1 - refitDecay) * rate * step,
      );
      values.push(refitted.values);
      pairs += refitted.pairs;
    }
    this.#values = values;
    return { pairs, rate, last: true };
  }

  /** Scores are the numbers of leaves. */
  #numbered(tree: Tree): TreesModel {
    const numbered = { ...tree, value: tree.value.map((_, leaf) => leaf) };
    const { featureNames } = this.#from;
    return new TreesModel({ featureNames, trees: [numbered], description: this.#job.data.description });
  }

  *evaluate(): Steps<Evaluation> {
    return { values: yield* this.#engine.evaluate() };
  }

  readonly schema = {
    state: (log: readonly IterationRecord[]) => this.#valuesAfter(log.length),
    parts: (iteration: number) => this.#valuesAfter(iteration),
  };

  #valuesAfter(iterations: number): z.ZodType<readonly Float64Array[]> {
    const trees = iterations === 0 ? [] : this.#from.trees;
    return z.custom<readonly Float64Array[]>(
      read =>
        Array.isArray(read) &&
        trees.length === read.length &&
        trees.every(({ value }, i) => areFloats(read[i], value.length, Number.isFinite)),
      'not a value for each leaf',
    );
  }

  snapshot(): readonly Float64Array[] {
    return this.#values;
  }

  /** Nothing follows but the model. */
  restore(values: readonly Float64Array[]): void {
    this.#values = values;
  }

  parts(): readonly Float64Array[] {
    return this.#values;
  }

  model(values: readonly Float64Array[]): TreesModel {
    const { trees, base, sums } = this.#from;
    return new TreesModel({
      featureNames: this.#from.featureNames,
      trees: trees.map((tree, i) => ({ ...tree, value: values[i] ?? tree.value })),
      base,
      sums,
      description: this.#job.data.description,
    });
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}
