/** The trainers by descent: linear models and nets. */
import { ListwiseError, quote } from '../../errors.js';
import { layersOf, type NetShape } from '../../kernels/net-shape.js';
import { LinearModel } from '../../models/linear/linear.js';
import { NetModel } from '../../models/net/net.js';
import type { Ranker } from '../../models/ranker.js';
import { fingerprintOf } from '../checkpoint.js';
import { EvaluatedMeasures } from '../evaluated-measures.js';
import { defineTrainer, type TrainContext, type TrainJob, type TrainResult } from '../trainer.js';
import { Engine } from './engine.js';
import { descend } from './loop.js';
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
  options: linearOptions,
  iterations: 'epochs',
  train: (job, context) =>
    train(job, context, {
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
  options: netOptions,
  hints: { hidden: 'a net without hidden layers is a linear model (--model linear)' },
  iterations: 'epochs',
  train(job, context) {
    const { hidden, activation } = job.options;
    const { featureNames } = job.data;
    return train(job, context, {
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

async function train(job: TrainJob<DescentOptions>, context: TrainContext, kind: Kind): Promise<TrainResult> {
  const { data, validate, options, select, objective } = job;
  if (objective === undefined) throw new RangeError('descent needs an objective');
  if (options.momentum > 0 && options.optimiser !== 'sgd') {
    throw new ListwiseError('option-invalid', `momentum is for optimiser=sgd; ${options.optimiser} has its own`);
  }
  const turn = options.rate * options.decay;
  if (!(turn < 1)) {
    throw new ListwiseError(
      'option-invalid',
      `rate ${options.rate} times decay ${options.decay} is ${turn}: every update takes that share off the weights, so it must be below 1`,
    );
  }
  const started = performance.now();
  const followCost = [
    options.rateFactor < 1 ? options.rateWatch : '',
    options.restartAfter > 0 ? options.restartWatch : '',
  ].includes('cost');
  if (followCost && objective.start(data).cost === undefined) {
    throw new ListwiseError(
      'option-invalid',
      `${objective.spec} has no cost to watch; set rate-watch and restart-watch to training or validation`,
    );
  }
  if (data.initialScores !== undefined) context.note('initial scores are not used by descent');
  const from = job.from && goOnFrom(kind, job.from, data.featureNames);
  const found = from?.standardise ?? (options.standardise ? standardisationOf(data) : noStandardisation(data.features));
  const standardise = kind.keepsMissing ? found : { ...found, missing: found.mean };
  const measures = new EvaluatedMeasures(select, job.measures);
  const engine = await Engine.start({
    data,
    validate,
    objective,
    measures,
    portable: job.portable,
    shape: kind.shape,
    standardisation: standardise,
    threads: context.threads,
    followCost,
    batch: batchQueries(options.batch, data.queries),
    propagation: options.propagation,
  });
  try {
    const ready = performance.now();
    // The float32 values that were judged.
    const modelOf = (parameters: Float64Array) => kind.model(parameters.map(Math.fround), standardise);
    const result = await descend(
      {
        engine,
        shape: kind.shape,
        queries: data.queries,
        select,
        measures,
        options,
        from: from?.parameters,
        model: modelOf,
        fingerprint: fingerprint(job, context, standardise, from?.parameters),
      },
      context,
    );
    if (result === undefined) {
      throw context.signal.aborted
        ? new ListwiseError(
            'training-interrupted',
            'interrupted before the first epoch was done: there is no model yet',
          )
        : new ListwiseError(
            'training-diverged',
            `parameters ran off to infinity in the first epoch; lower the rate (${options.rate})${options.standardise ? '' : ' or standardise the features'}`,
          );
    }
    const { parameters, best, log, stopped } = result;
    return {
      model: modelOf(parameters),
      best,
      iterations: log.length,
      stopped,
      log,
      seconds: { bin: (ready - started) / 1000, train: (performance.now() - ready) / 1000 },
    };
  } finally {
    await engine.close();
  }
}

function goOnFrom(kind: Kind, model: Ranker, featureNames: readonly string[]) {
  const parts = kind.parts(model);
  if (parts === undefined) {
    const wanted = layersOf(kind.shape).map(({ units }) => units);
    throw new ListwiseError(
      'option-invalid',
      `training cannot go on from this ${model.kind} model: it must be of the kind, layers (${wanted.join(', ')}) and activation asked for`,
    );
  }
  const different = featureNames.findIndex((name, f) => name !== model.featureNames[f]);
  if (different >= 0 || featureNames.length !== model.featureNames.length) {
    const at = Math.max(different, 0);
    throw new ListwiseError(
      'feature-mismatch',
      `the model to go on from has ${model.featureNames.length} features and the data ${featureNames.length}; feature ${at + 1} is ` +
        `${quote(model.featureNames[at] ?? 'none')} there and ${quote(featureNames[at] ?? 'none')} here`,
    );
  }
  return parts;
}

/** Of all that decides the model; the number of epochs may grow, the number of threads may change. */
function fingerprint(
  { data, validate, options, select, objective }: TrainJob<DescentOptions>,
  { seed }: TrainContext,
  { mean, scale }: Standardisation,
  from: Float64Array | undefined,
): string {
  const { epochs: _, ...deciding } = options;
  const sets = validate === undefined ? [data] : [data, validate];
  return fingerprintOf(
    { options: deciding, select: select.spec, objective: objective?.spec, seed, features: data.featureNames },
    [
      mean,
      scale,
      ...(from === undefined ? [] : [from]),
      ...sets.flatMap(set => [set.offsets, ...set.labels.values()]),
      ...[data.rowWeights, data.queryWeights].filter(weights => weights !== undefined),
    ],
  );
}
