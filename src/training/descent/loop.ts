/**
 * The training loop of descent: epochs of updates, judged, with rate rule, restarts, early stopping and checkpoints.
 */
import type { NetShape } from '../../kernels/net-shape.js';
import type { Criterion } from '../../measures/criterion.js';
import type { Ranker } from '../../models/ranker.js';
import { Random } from '../../numeric/random.js';
import { inTurns, type Steps, Turns } from '../../steps.js';
import { refuseFewer } from '../checkpoint.js';
import { type BestState, EarlyStopping } from '../early-stopping.js';
import type { EvaluatedMeasures } from '../evaluated-measures.js';
import type { IterationRecord, Stopped, TrainContext } from '../trainer.js';
import type { Engine } from './engine.js';
import { Optimiser, type OptimiserState } from './optimiser.js';
import type { DescentOptions } from './options.js';
import { nextRate } from './rate-rule.js';
import { isStalled, randomParameters } from './restarts.js';

export interface LoopJob {
  readonly engine: Engine;
  readonly shape: NetShape;
  readonly queries: number;
  readonly select: Criterion;
  readonly measures: EvaluatedMeasures;
  readonly options: DescentOptions;
  /** Parameters of a model to go on from. */
  readonly from: Float64Array | undefined;
  readonly fingerprint: string;
  model(parameters: Float64Array): Ranker;
}

/** All that an epoch starts from; what a checkpoint holds. */
interface LoopState {
  epoch: number;
  restarts: number;
  rate: number;
  parameters: Float64Array;
  optimiser: OptimiserState;
  best: BestState | undefined;
  bestParameters: Float64Array;
  /** The epoch from which patience counts, and the first of the present start. */
  since: number;
  startedAt: number;
  log: IterationRecord[];
}

export interface LoopResult {
  readonly parameters: Float64Array;
  readonly best: BestState;
  readonly log: readonly IterationRecord[];
  readonly stopped: Stopped;
}

export async function descend(job: LoopJob, context: TrainContext): Promise<LoopResult | undefined> {
  const { engine, options, shape, select } = job;
  const { checkpoint } = context;
  const optimiser = new Optimiser(options.optimiser, shape, options);
  const stopping = new EarlyStopping(select, options.patience);
  const resumed = await checkpoint?.load<LoopState>(job.fingerprint);
  const state = resumed ?? firstState(job, context.seed, optimiser);
  refuseFewer(options.epochs, state.epoch, 'epochs');
  optimiser.state = state.optimiser;
  stopping.best = state.best;
  stopping.since = state.since;
  if (resumed === undefined && job.from !== undefined) {
    engine.write(state.parameters);
    stopping.see(0, job.measures.record(await inTurns(engine.evaluate())).validation);
  }
  for (const record of state.log) context.onIteration(record, options.epochs);
  if (resumed !== undefined) context.note(`going on after epoch ${state.epoch}`);

  let stopped: Stopped = 'finished';
  const turns = new Turns();
  const keep = async (always: boolean) => {
    state.best = stopping.best;
    state.since = stopping.since;
    await checkpoint?.save(job.fingerprint, state, always);
  };
  while (state.epoch < options.epochs) {
    if (state.epoch > 0 && stopping.stops(state.epoch)) {
      stopped = 'no improvement';
      break;
    }
    const before = checkpoint && copyOf(state);
    const done = await turns.unlessAborted(epochSteps(job, context, state, optimiser), context.signal);
    if (done === undefined) {
      stopped = 'interrupted';
      // The half-done epoch is not kept: a resumed run does it again as a whole.
      if (before !== undefined) {
        Object.assign(state, before);
        await keep(true);
      }
      break;
    }
    if (done === 'diverged') {
      stopped = 'diverged';
      break;
    }
    const { record } = done;
    const best = stopping.see(record.iteration, record.validation);
    if (best) state.bestParameters = state.parameters.slice();
    const run = [...state.log.slice(state.startedAt), record];
    state.rate = nextRate(state.rate, options, select, record, run.at(-2), context.seed);
    const stalled = state.epoch + 1 < options.epochs && isStalled(options, select, run);
    const kept: IterationRecord = { ...record, best, ...(stalled ? { event: 'restart' } : {}) };
    state.log.push(kept);
    state.epoch++;
    const { parameters } = state; // a restart begins with others
    if (stalled) restart(job, context.seed, state, optimiser, stopping);
    await keep(state.epoch === options.epochs);
    context.onIteration(kept, options.epochs, () => job.model(parameters));
  }
  if (stopped === 'no improvement') await keep(true);
  const best = stopping.best;
  return best && { parameters: state.bestParameters, best, log: state.log, stopped };
}

function firstState({ shape, options, from }: LoopJob, seed: number, optimiser: Optimiser): LoopState {
  const parameters = from?.slice() ?? randomParameters(shape, options.initial, seed, 0);
  return {
    epoch: 0,
    restarts: 0,
    rate: options.rate,
    parameters,
    optimiser: optimiser.state,
    best: undefined,
    bestParameters: parameters.slice(),
    since: 0,
    startedAt: 0,
    log: [],
  };
}

function restart(job: LoopJob, seed: number, state: LoopState, optimiser: Optimiser, stopping: EarlyStopping): void {
  state.restarts++;
  state.parameters = randomParameters(job.shape, job.options.initial, seed, state.restarts);
  state.rate = job.options.rate;
  state.startedAt = state.epoch;
  stopping.since = state.epoch;
  optimiser.reset();
}

function copyOf(state: LoopState): Pick<LoopState, 'parameters' | 'optimiser'> {
  const { steps, first, second } = state.optimiser;
  return {
    parameters: state.parameters.slice(),
    optimiser: { steps, first: first.slice(), second: second.slice() },
  };
}

/** One epoch's updates, a step each or more. The record's `best` is not settled yet. */
function* epochSteps(
  job: LoopJob,
  context: TrainContext,
  state: LoopState,
  optimiser: Optimiser,
): Steps<{ record: IterationRecord } | 'diverged'> {
  const { engine, options } = job;
  const started = performance.now();
  const iteration = state.epoch + 1;
  // A function of seed and epoch alone, so that a resumed run needs no state of a generator.
  const order = options.shuffle
    ? new Random(context.seed, `order ${iteration}`).permutation(job.queries)
    : Uint32Array.from({ length: job.queries }, (_, q) => q);
  const batches = engine.beginEpoch(iteration, order);
  const gradient = new Float64Array(state.parameters.length);
  engine.write(state.parameters);
  for (let batch = 0; batch < batches; batch++) {
    yield batch / batches;
    yield* engine.gradient(batch, gradient);
    optimiser.step(state.parameters, gradient, state.rate);
    engine.write(state.parameters);
  }
  if (!state.parameters.every(value => Number.isFinite(Math.fround(value)))) return 'diverged';
  const record: IterationRecord = {
    iteration,
    ...engine.epochFigures(),
    ...job.measures.record(yield* engine.evaluate()),
    rate: state.rate,
    seconds: (performance.now() - started) / 1000,
    best: false,
  };
  return { record };
}
