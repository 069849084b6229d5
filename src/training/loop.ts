/**
 * The training loop, one for all trainers: iterations of a learner, evaluated, logged and kept in checkpoints, until
 * all are done, none has been better for long enough, the learner ends or diverges, or a signal comes.
 */
import { z } from 'zod';
import { ListwiseError } from '../errors.js';
import type { Identity } from '../io/identity.js';
import { gatherValues } from '../ranks/gathered.js';
import { inTurns, type Steps, Turns } from '../steps.js';
import { refuseFewer } from './checkpoint.js';
import { EarlyStopping } from './early-stopping.js';
import { goOnFrom } from './go-on-from.js';
import { jobIdentity } from './job-fingerprint.js';
import { LearnedState, type LearnedValues } from './learned-state.js';
import type { Diverged, Evaluation, Learner, StepRecord } from './learner.js';
import { firstState, isDue, type LoopState, readLoopState, restore, rulesOf } from './loop-state.js';
import { ModelEvaluation } from './model-evaluation.js';
import { rehearse } from './rehearsal.js';
import type { GivenJob, Stopped, TrainContext, Trainer, TrainJob, TrainResult } from './trainer.js';
import { unlessAborted } from './unless-aborted.js';

export async function runLoop(trainer: Trainer, job: GivenJob, context: TrainContext): Promise<TrainResult> {
  try {
    return await runAlone(trainer, job, context);
  } finally {
    context.checkpoint?.close();
  }
}

async function runAlone(trainer: Trainer, given: GivenJob, context: TrainContext): Promise<TrainResult> {
  const started = performance.now();
  const { ranks } = context;
  if (ranks.size > 1 && trainer.severalRanks === undefined) {
    throw new ListwiseError(
      'option-invalid',
      `${trainer.name} does not train on several ranks yet; train in one process`,
    );
  }
  const evaluation = new ModelEvaluation(given, context.threads, ranks);
  const job = {
    ...given,
    evaluation,
    from: given.from && goOnFrom(trainer, given.from, given.data),
    learned: LearnedState.of(given.objective, given.data, ranks),
  };
  const { checkpoint } = context;
  const keeps = gatherValues(ranks, checkpoint !== undefined)[0]!;
  const identity = keeps ? await jobIdentity(trainer, job, { seed: context.seed, ranks }) : {};
  const [kept] = gatherValues(ranks, await checkpoint?.load(identity));
  if (checkpoint?.replaces !== undefined) {
    context.note(`starting over in place of ${checkpoint.replaces}; to go on from there, give \`resume\``);
  }
  const read = kept === undefined ? undefined : readLoopState(kept, job);
  // Of a run that ended before its first iteration nothing is left to go on with.
  const resumed = read?.log.length === 0 ? undefined : read;
  const most = trainer.iterations === undefined ? Infinity : z.int().parse(job.options[trainer.iterations]);
  const total = job.refit?.iterations ?? most;
  if (resumed !== undefined) refuseFewer(total, resumed.log.length, trainer.iterations ?? 'iterations');
  if (resumed === undefined) await rehearse(job, context);
  const learner = await trainer.start(job, context);
  try {
    const ready = performance.now();
    const result = await new Run({ learner, job, context, total, identity }, resumed).toItsEnd();
    const { log } = result;
    const remark = learner.remark?.(log);
    if (remark !== undefined) context.note(remark);
    const seconds = { bin: (ready - started) / 1000, train: (performance.now() - ready) / 1000 };
    return { ...result, keeps: learner.keeps, iterations: log.length, seconds };
  } finally {
    await learner.close();
    await evaluation.close();
  }
}

interface RunParts {
  readonly learner: Learner;
  readonly job: TrainJob;
  readonly context: TrainContext;
  readonly total: number;
  readonly identity: Identity;
}

class Run {
  readonly #of: RunParts;
  readonly #state: LoopState;
  readonly #evaluateEvery: number;
  readonly #stopping: EarlyStopping;
  readonly #turns = new Turns();
  #unsaved = false;
  /** What the model after the last iteration is made of. */
  #parts: unknown;

  constructor(of: RunParts, resumed: LoopState | undefined) {
    const { learner, job } = of;
    const { patience, evaluateEvery } = rulesOf(job);
    this.#of = of;
    this.#evaluateEvery = evaluateEvery;
    this.#state = resumed ?? firstState();
    this.#stopping = new EarlyStopping(job.select, patience, this.#state);
    if (resumed !== undefined) restore(learner, job, resumed);
    else this.#snapshot();
    this.#parts = learner.parts();
  }

  async toItsEnd(): Promise<Pick<TrainResult, 'model' | 'best' | 'stopped' | 'log' | 'learned'>> {
    const { learner, job, context, total } = this.#of;
    const { log } = this.#state;
    if (log.length > 0) {
      if (log.length < total && !this.#state.done) this.#goOn();
      for (const record of log) context.onIteration(record, total);
      context.note(`going on after iteration ${log.length}`);
    } else if (job.from !== undefined && job.refit === undefined) {
      const before = await this.#unlessAborted(learner.evaluate());
      if (before !== undefined) this.#see(0, job.measures.record(before.values).validation);
    }
    let ended: Stopped | Diverged | undefined;
    while (ended === undefined) {
      if (log.length === total || this.#state.done) ended = 'finished';
      // Iterations that were not evaluated say nothing.
      else if (this.#isEvaluated(log.length) && this.#stopping.stops(log.length)) ended = 'no improvement';
      else ended = await this.#iteration(log.length + 1);
    }
    if (ended !== 'finished') await this.#save(true);
    return { ...(await this.#result(ended)), stopped: typeof ended === 'string' ? ended : 'diverged', log };
  }

  #unlessAborted<T>(steps: Steps<T>): Promise<T | undefined> {
    return unlessAborted(steps, this.#turns, this.#of.context);
  }

  #isDue(iteration: number): boolean {
    return isDue(this.#evaluateEvery, iteration);
  }

  #isEvaluated(iteration: number): boolean {
    return iteration === this.#of.total || this.#isDue(iteration);
  }

  /** Says how the run ended, where it did. */
  async #iteration(iteration: number): Promise<Stopped | Diverged | undefined> {
    const { learner, job, context, total } = this.#of;
    const begun = performance.now();
    const done = await this.#unlessAborted(this.#steps(iteration));
    if (done === undefined) return 'interrupted'; // half an iteration is not kept
    if ('diverged' in done) return done;
    const { last, cost = Number.NaN, training = [], facts, ...said } = done.step;
    job.learned?.advance();
    const { validation, measures } = job.measures.record(done.values);
    const parts = learner.parts();
    this.#parts = parts;
    const { best, bestParts, bestLearned, since } = this.#state;
    const record = {
      iteration,
      cost,
      training: done.training ?? training,
      validation,
      ...(measures && { measures }),
      ...said,
      ...((facts || job.learned) && { facts: { ...facts, ...job.learned?.facts() } }),
      best: validation.length > 0 && this.#see(iteration, validation),
      seconds: (performance.now() - begun) / 1000,
    };
    this.#state.iterations = this.#state.log.push(record);
    if (iteration === total && !this.#isDue(iteration)) {
      const { measures: _, ...others } = record;
      const unseen = { ...others, training, validation: [], best: false };
      this.#state.unended = { best, bestParts, bestLearned, since, record: unseen };
    }
    const ends = last || iteration === total;
    if (last) this.#state.done = true;
    if (!ends) this.#adapt();
    this.#snapshot();
    await this.#save(ends);
    context.onIteration(this.#state.log.at(-1)!, total, () => learner.model(parts));
    return last ? 'finished' : undefined;
  }

  *#steps(iteration: number): Steps<({ step: StepRecord } & Evaluation) | Diverged> {
    const step = yield* this.#of.learner.step(iteration);
    if ('diverged' in step) return step;
    const evaluated = step.last || this.#isEvaluated(iteration);
    return { step, ...(evaluated ? yield* this.#of.learner.evaluate() : { values: [] }) };
  }

  #see(iteration: number, values: readonly number[]): boolean {
    const best = this.#stopping.see(iteration, values);
    if (best) {
      this.#state.bestParts = this.#parts;
      this.#state.bestLearned = this.#of.job.learned?.snapshot();
    }
    return best;
  }

  /** After a run that was ended or interrupted. */
  #goOn(): void {
    const { log, unended } = this.#state;
    if (unended !== undefined) {
      this.#state.best = unended.best;
      this.#state.bestParts = unended.bestParts;
      this.#state.bestLearned = unended.bestLearned;
      this.#state.since = unended.since;
      log[log.length - 1] = unended.record;
      this.#state.unended = undefined;
    }
    this.#adapt();
  }

  /** Not after the last iteration, so that a run that goes on to more does it as one that was never ended. */
  #adapt(): void {
    const { log, adapted } = this.#state;
    if (adapted === log.length) return;
    const { learner, job } = this.#of;
    const event = learner.adapt?.(job.refit?.log.slice(0, log.length) ?? log);
    this.#state.adapted = log.length;
    if (event === undefined) return;
    log[log.length - 1] = { ...log.at(-1)!, event };
    this.#state.since = log.length;
  }

  #snapshot(): void {
    const { learner, job, context } = this.#of;
    if (context.checkpoint === undefined) return;
    this.#state.learner = learner.snapshot();
    this.#state.learned = job.learned?.snapshot();
  }

  /** Work is not given up for a checkpoint that cannot be written: a remark is made, once until one can be again. */
  async #save(always = false): Promise<void> {
    const { context, identity } = this.#of;
    try {
      if (await context.checkpoint?.save(identity, this.#state, always)) this.#unsaved = false;
    } catch (error) {
      if (!(error instanceof ListwiseError) || error.code !== 'file-unwritable') throw error;
      const lost = `no checkpoint: ${error.message}; training goes on without one`;
      if (!this.#unsaved) context.note(lost, 'checkpoint-lost');
      this.#unsaved = true;
    }
  }

  async #result(ended: Stopped | Diverged): Promise<Pick<TrainResult, 'model' | 'best' | 'learned'>> {
    const { learner, job } = this.#of;
    const { best, bestParts, bestLearned, log } = this.#state;
    const learned = (values?: LearnedValues) => job.learned && { learned: job.learned.tables(values) };
    if (ended === 'interrupted' && log.length === 0) {
      throw new ListwiseError(
        'training-interrupted',
        'interrupted before the first iteration was done: there is no new model',
      );
    }
    if (best !== undefined && job.refit === undefined && (learner.keeps === 'best' || log.length === 0)) {
      return { model: learner.model(bestParts), best, ...learned(bestLearned) };
    }
    if (typeof ended !== 'string' && log.length === 0) throw new ListwiseError('training-diverged', ended.diverged);
    const model = learner.model(this.#parts);
    const { validation } = log.at(-1)!;
    const last = { model, ...learned() };
    if (validation.length > 0) return { ...last, best: { iteration: log.length, values: validation } };
    // Ended between two evaluations: the iterations there are stand as they are.
    const { values } = await inTurns(job.evaluation.of(model));
    return { ...last, best: { iteration: log.length, values: job.measures.record(values).validation } };
  }
}
