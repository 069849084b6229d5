/**
 * The trainer of structural SVMs: Ranking SVM, SVM-MAP, SVM-NDCG and SVM-MRR, linear models all, to an optimum that is
 * proven by the gap between primal and dual.
 */
import { sharedFloat64 } from '../../data/dataset.js';
import { partsOf } from '../../data/parts.js';
import { toPortable } from '../../data/portable.js';
import { ListwiseError } from '../../errors.js';
import { gatherNumbers, gatherValues } from '../../ranks/gathered.js';
import type { Transport } from '../../ranks/transport.js';
import { TaskCrew } from '../../threads/task-crew.js';
import { noStandardisation, standardisationOf } from '../descent/standardise.js';
import { refuseConstant, SeenData } from '../linear/seen-data.js';
import { defineTrainer, type TrainContext, type TrainJob } from '../trainer.js';
import { type LossOptions, lossOf } from './losses.js';
import { type SvmOptions, svmOptions } from './options.js';
import { countPairs } from './pairs.js';
import { SvmLearner } from './svm-learner.js';
import { type SvmMemory, type SvmWork, svmTasks } from './svm-tasks.js';

export const svm = defineTrainer({
  name: 'svm',
  title: 'Structural SVMs by cutting planes: pairs, AP, NDCG or RR.',
  needs: 'none',
  makes: 'linear',
  options: svmOptions,
  iterations: 'rounds',
  severalRanks: 'parts',
  async start(job, context) {
    const { data, options } = job;
    if (job.from !== undefined) {
      throw new ListwiseError('option-invalid', 'svm comes to the same optimum from any model; leave `from` away');
    }
    const standardisation = options.standardise
      ? standardisationOf(data, context.ranks)
      : noStandardisation(data.features);
    const seen = new SeenData(data, context.seed, standardisation);
    refuseConstant(seen.varying(context.ranks));
    noteRelevance(job, context);
    const { loss, rel, positions, cut, form } = options;
    const lossOptions: LossOptions = { loss, rel, positions, cut, form };
    const memory: SvmMemory = {
      parts: partsOf(data, 1024),
      scores: sharedFloat64(data.rows),
      before: sharedFloat64(data.rows),
      coefficients: sharedFloat64(data.rows),
      weights: sharedFloat64(data.queries),
      losses: sharedFloat64(data.queries),
      psi: sharedFloat64(data.features),
    };
    const run = svmTasks(seen, options.labels, lossOptions, memory);
    weighQueries(seen, options, memory, context.ranks);
    const { seed } = context;
    const work = (): SvmWork => ({
      memory,
      loss: lossOptions,
      standardisation,
      seed,
      labels: options.labels,
      data: toPortable(data),
    });
    const others = Math.min(context.threads, Math.max(memory.parts.length, data.features)) - 1;
    const crew = TaskCrew.late(new URL('./svm-tasks.js', import.meta.url), others, work);
    return new SvmLearner(job, seen, memory, crew, run, context.ranks);
  },
});

/** Grades that count as two classes are a choice that the person should know of. */
function noteRelevance({ data, options }: TrainJob<SvmOptions>, { note, ranks }: TrainContext): void {
  const own = new Set(data.label(options.labels).filter(label => !Number.isNaN(label)));
  const distinct = new Set(gatherValues(ranks, [...own]).flat());
  if (!lossOf(options).binary || distinct.size <= 2) return;
  note(`documents with a label of at least ${options.rel} count as relevant, all others alike (option rel)`);
}

/** Queries in which a ranking can be wrong weigh the same, or as their pairs; weights add up to 1. */
function weighQueries({ labels: data }: SeenData, options: SvmOptions, { weights }: SvmMemory, ranks: Transport): void {
  const { loss, scale, labels, rel } = options;
  const { canBeWrong, binary } = lossOf(options);
  const byPairs = loss === 'pairs' && scale === 'pairs';
  const values = data.label(labels);
  for (let q = 0; q < data.queries; q++) {
    const own = values.subarray(data.offsets[q]!, data.offsets[q + 1]!);
    weights[q] = canBeWrong(own) ? (byPairs ? countPairs(own) : 1) * (data.queryWeights?.[q] ?? 1) : 0;
  }
  const sum = gatherNumbers(ranks, weights).reduce((total, weight) => total + weight, 0);
  if (sum === 0) {
    const looks = binary ? `whether ${labels} is at least rel=${rel}; set rel to a label above the lowest` : labels;
    throw new ListwiseError(
      'training-without-lambda',
      `svm finds nothing to learn: in no query do documents differ in what loss=${loss} looks at (${looks})`,
    );
  }
  for (let q = 0; q < data.queries; q++) weights[q]! /= sum;
}
