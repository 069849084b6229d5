/** The trainers by descent: linear models and nets. */
import { shareOf } from '../../data/share.js';
import { ListwiseError } from '../../errors.js';
import { layersOf, type NetShape } from '../../kernels/net-shape.js';
import { LinearModel } from '../../models/linear/linear.js';
import { NetModel } from '../../models/net/net.js';
import type { Ranker } from '../../models/ranker.js';
import { defineTrainer, objectiveOf, type TrainContext, type TrainJob } from '../trainer.js';
import { DescentLearner } from './descent-learner.js';
import { Engine } from './engine.js';
import { batchQueries, type DescentOptions, linearOptions, netOptions } from './options.js';
import { noStandardisation, type Standardisation, standardisationOf } from './standardise.js';

/** How a kind of model is made of parameters, and parameters of it. */
interface Kind {
  readonly shape: NetShape;
  /** Whether the model keeps what a missing value counts as; in others it is the mean. */
  readonly keepsMissing: boolean;
  model(parameters: Float64Array, standardise: Standardisation): Ranker;
  /** The parts of a model to go on from; undefined where it is another kind or shape. */
  parts(model: Ranker): { parameters: Float64Array; standardise: Standardisation } | undefined;
}

export const linear = defineTrainer({
  name: 'linear',
  title: 'A weighted sum of the features, by gradient descent.',
  needs: 'objective',
  makes: 'linear',
  options: linearOptions,
  iterations: 'epochs',
  severalRanks: 'blocks',
  start: (job, context) =>
    start(job, context, {
      shape: { inputs: job.data.features, hidden: [], activation: 'tanh' },
      keepsMissing: true,
      model: (parameters, standardise) =>
        new LinearModel({
          featureNames: job.data.featureNames,
          weights: parameters.subarray(0, job.data.features),
          bias: parameters[job.data.features]!,
          standardise,
          missing: standardise.missing,
        }),
      parts: model =>
        model instanceof LinearModel
          ? {
              parameters: Float64Array.from([...model.weights, model.bias]),
              standardise: { mean: model.mean, scale: model.scale, missing: model.missing },
            }
          : undefined,
    }),
});

export const net = defineTrainer({
  name: 'net',
  title: 'A dense net of any hidden layers, by back-propagation.',
  needs: 'objective',
  makes: 'net',
  options: netOptions,
  hints: { hidden: 'a net without hidden layers is a linear model (`model: linear`)' },
  iterations: 'epochs',
  severalRanks: 'blocks',
  start(job, context) {
    const { hidden, activation } = job.options;
    const { featureNames } = job.data;
    return start(job, context, {
      shape: { inputs: featureNames.length, hidden, activation },
      keepsMissing: false,
      model: (parameters, standardise) => new NetModel({ featureNames, hidden, activation, parameters, standardise }),
      parts: model =>
        model instanceof NetModel &&
        model.shape.activation === activation &&
        model.shape.hidden.join() === hidden.join()
          ? { parameters: model.parameters, standardise: { mean: model.mean, scale: model.scale, missing: model.mean } }
          : undefined,
    });
  },
});

async function start(
  job: TrainJob<DescentOptions>,
  { seed, threads, note, ranks }: TrainContext,
  kind: Kind,
): Promise<DescentLearner> {
  const { data, validate, options, measures, portable } = job;
  const { shape } = kind;
  const objective = objectiveOf(job);
  refuseDivergence(options);
  const followCost = watchesCost(options);
  if (followCost && objective.start(data).cost === undefined) {
    throw new ListwiseError(
      'option-invalid',
      `${objective.spec} has no cost to watch; set rate-watch and restart-watch to training or validation`,
    );
  }
  if (data.initialScores !== undefined) note('initial scores are not used by descent');
  const from = job.from && partsOf(kind, job.from);
  const found =
    from?.standardise ?? (options.standardise ? standardisationOf(data, ranks) : noStandardisation(data.features));
  const standardisation = kind.keepsMissing ? found : { ...found, missing: found.mean };
  const engine = await Engine.start({
    data,
    validate,
    objective,
    measures,
    portable,
    shape,
    standardisation,
    threads,
    ranks,
    followCost,
    learned: job.learned?.memories,
    batch: batchQueries(options.batch, shareOf(data).queries, objective.updateAQuery),
    propagation: options.propagation,
  });
  const model = (parameters: Float64Array) => kind.model(parameters, standardisation);
  return new DescentLearner(job, { engine, shape, seed, from: from?.parameters, model });
}

function refuseDivergence({ momentum, optimiser, rate, decay }: DescentOptions): void {
  if (momentum > 0 && optimiser !== 'sgd') {
    throw new ListwiseError('option-invalid', `momentum is for optimiser=sgd; ${optimiser} has its own`);
  }
  if (rate * decay < 1) return;
  throw new ListwiseError(
    'option-invalid',
    `rate ${rate} times decay ${decay} is ${rate * decay}: every update takes that share off the weights, so it must be below 1`,
  );
}

function watchesCost({ rateFactor, rateWatch, restartAfter, restartWatch }: DescentOptions): boolean {
  return (rateFactor < 1 && rateWatch === 'cost') || (restartAfter > 0 && restartWatch === 'cost');
}

function partsOf(kind: Kind, model: Ranker) {
  const parts = kind.parts(model);
  if (parts !== undefined) return parts;
  const wanted = layersOf(kind.shape).map(({ units }) => units);
  throw new ListwiseError(
    'option-invalid',
    `training cannot go on from this ${model.kind} model: it must be of the kind, layers (${wanted.join(', ')}) and activation asked for`,
  );
}
