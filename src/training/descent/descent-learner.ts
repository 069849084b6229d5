/** A net, or a linear model, as a learner: one epoch of updates an iteration, with rate rule and restarts. */
import { z } from 'zod';
import { shareOf } from '../../data/share.js';
import type { NetShape } from '../../kernels/net-shape.js';
import type { Ranker } from '../../models/ranker.js';
import { Random } from '../../numeric/random.js';
import type { Steps } from '../../steps.js';
import type { IterationRecord } from '../iteration-record.js';
import type { Diverged, Evaluation, Learner, StepRecord } from '../learner.js';
import { count, floats, largeFloats } from '../state-schema.js';
import type { TrainJob } from '../trainer.js';
import type { Engine } from './engine.js';
import { Optimiser, type OptimiserState } from './optimiser.js';
import type { DescentOptions } from './options.js';
import { nextRate } from './rate-rule.js';
import { isStalled, randomParameters } from './restarts.js';

export interface DescentParts {
  readonly engine: Engine;
  readonly shape: NetShape;
  readonly seed: number;
  /** Parameters of a model to go on from. */
  readonly from: Float64Array | undefined;
  /** The model of float32 parameters, as they were evaluated. */
  model(parameters: Float64Array): Ranker;
}

interface DescentState {
  readonly parameters: Float64Array;
  readonly optimiser: OptimiserState;
  readonly rate: number;
  readonly restarts: number;
  /** Epochs before the present start. */
  readonly startedAt: number;
}

export class DescentLearner implements Learner<DescentState, Float64Array> {
  readonly keeps = 'best';
  readonly #job: TrainJob<DescentOptions>;
  readonly #given: DescentParts;
  readonly #optimiser: Optimiser;
  #parameters: Float64Array;
  #rate: number;
  #restarts = 0;
  #startedAt = 0;

  constructor(job: TrainJob<DescentOptions>, given: DescentParts) {
    const { options } = job;
    const { shape, seed, from } = given;
    this.#job = job;
    this.#given = given;
    this.#optimiser = new Optimiser(options.optimiser, shape, options);
    this.#rate = options.rate;
    this.#parameters = from?.slice() ?? randomParameters(shape, options.initial, seed, 0);
    given.engine.write(this.#parameters);
  }

  *step(iteration: number): Steps<StepRecord | Diverged> {
    const { data, options } = this.#job;
    const { engine, seed } = this.#given;
    const parameters = this.#parameters;
    // A function of seed and epoch alone, so that a resumed run needs no state of a generator.
    const { queries } = shareOf(data);
    const order = options.shuffle
      ? new Random(seed, `order ${iteration}`).permutation(queries)
      : Uint32Array.from({ length: queries }, (_, q) => q);
    const batches = engine.beginEpoch(iteration, order);
    const gradient = new Float64Array(parameters.length);
    engine.write(parameters);
    for (let batch = 0; batch < batches; batch++) {
      yield batch / batches;
      yield* engine.gradient(batch, gradient);
      this.#optimiser.step(parameters, gradient, this.#rate);
      engine.write(parameters);
    }
    if (parameters.every(value => Number.isFinite(Math.fround(value)))) {
      return { ...engine.epochValues(), rate: this.#rate };
    }
    const otherwise = options.standardise ? '' : ' or standardise the features';
    return {
      diverged: `parameters ran off to infinity in the first epoch; lower the rate (${options.rate})${otherwise}`,
    };
  }

  *evaluate(): Steps<Evaluation> {
    return { values: yield* this.#given.engine.evaluate() };
  }

  adapt(log: readonly IterationRecord[]): 'restart' | undefined {
    const { options, select } = this.#job;
    const { shape, seed } = this.#given;
    const run = log.slice(this.#startedAt);
    this.#rate = nextRate(this.#rate, options, select, run.at(-1)!, run.at(-2), seed);
    if (!isStalled(options, select, run)) return undefined;
    this.#restarts++;
    this.#parameters = randomParameters(shape, options.initial, seed, this.#restarts);
    this.#rate = options.rate;
    this.#startedAt = log.length;
    this.#optimiser.reset();
    return 'restart';
  }

  readonly schema = {
    state: (log: readonly IterationRecord[]): z.ZodType<DescentState> => {
      const { length } = this.#parameters;
      const measures = this.#job.select.measures.length;
      const isTold = log.every(({ training }) => training.length === measures);
      const state = z.object({
        parameters: floats(length),
        optimiser: z.object({ steps: count, first: floats(length), second: largeFloats(length) }),
        rate: z.number().min(0),
        restarts: count.max(log.length),
        startedAt: count.max(log.length),
      });
      return state.refine(() => isTold, 'its log lacks values on the training data');
    },
    parts: () => floats(this.#parameters.length),
  };

  snapshot(): DescentState {
    const { steps, first, second } = this.#optimiser.state;
    return {
      parameters: this.#parameters.slice(),
      optimiser: { steps, first: first.slice(), second: second.slice() },
      rate: this.#rate,
      restarts: this.#restarts,
      startedAt: this.#startedAt,
    };
  }

  restore(state: DescentState): void {
    this.#parameters = state.parameters;
    this.#optimiser.state = state.optimiser;
    this.#rate = state.rate;
    this.#restarts = state.restarts;
    this.#startedAt = state.startedAt;
  }

  parts(): Float64Array {
    return this.#parameters.slice();
  }

  model(parameters: Float64Array): Ranker {
    return this.#given.model(parameters.map(Math.fround));
  }

  close(): Promise<void> {
    return this.#given.engine.close();
  }
}
