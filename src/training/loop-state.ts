/**
 * What a checkpoint holds of a training. A checksum says that it is as it was written, not by whom: what is gone on
 * from must be a state that the loop could have been in, and its models are checked as those of model files are.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ListwiseError } from '../errors.js';
import { isKind, isOfKind } from '../models/all.js';
import { readObject } from '../models/model-json.js';
import { type BestState, EarlyStopping } from './early-stopping.js';
import type { IterationRecord } from './iteration-record.js';
import type { LearnedValues } from './learned-state.js';
import type { Learner } from './learner.js';
import { count, iterationRecord, real } from './state-schema.js';
import type { GivenJob, TrainJob } from './trainer.js';

export interface LoopState {
  /** How many were done: as many as the log tells of. */
  iterations: number;
  /** The learner after the last iteration that was done. */
  learner: unknown;
  /** Iterations after which the learner has looked at the log. */
  adapted: number;
  best?: BestState | undefined;
  /** What the best model is made of. */
  bestParts?: unknown;
  /** What the objective learned for itself after the last iteration, and after the best. */
  learned?: LearnedValues | undefined;
  bestLearned?: LearnedValues | undefined;
  /** The iteration from which patience counts. */
  since: number;
  readonly log: IterationRecord[];
  /** Whether the learner said that no iteration need follow. */
  done: boolean;
  /**
   * The state before the last iteration was evaluated for being the last: a run that goes on to more does so as one
   * that was never ended.
   */
  unended?:
    | (Pick<LoopState, 'best' | 'bestParts' | 'bestLearned' | 'since'> & { readonly record: IterationRecord })
    | undefined;
}

export function firstState(): LoopState {
  return { iterations: 0, learner: undefined, adapted: 0, since: 0, log: [], done: false };
}

const learnedValues = z.record(z.string(), z.instanceof(Float64Array)).optional();
const seen = {
  best: z.object({ iteration: count, values: z.array(real) }).optional(),
  bestParts: z.unknown().optional(),
  bestLearned: learnedValues,
  since: count,
};
const loopState = z.object({
  ...seen,
  iterations: count,
  learner: z.unknown(),
  adapted: count,
  learned: learnedValues,
  log: z.array(iterationRecord),
  done: z.boolean(),
  unended: z.object({ ...seen, record: iterationRecord }).optional(),
});

/** The options of any trainer that the loop follows. */
const loopOptions = z.object({ patience: z.int().default(0), evaluateEvery: z.int().default(1) });

/** Of a refit nothing is selected, so that the last iteration alone is evaluated. */
export function rulesOf({ refit, options }: GivenJob): z.output<typeof loopOptions> {
  return refit === undefined ? loopOptions.parse(options) : { patience: 0, evaluateEvery: 0 };
}

/** Whether an iteration is evaluated, however many there are. */
export function isDue(evaluateEvery: number, iteration: number): boolean {
  return evaluateEvery > 0 && iteration % evaluateEvery === 0;
}

/** What was read from a checkpoint, where the loop can have been so; what the learner makes of it is not looked at. */
export function readLoopState(read: unknown, job: GivenJob): LoopState {
  const state: LoopState = checked(loopState, read);
  const { log, iterations, adapted, done, unended } = state;
  const { evaluateEvery } = rulesOf(job);
  if (log.length !== iterations) throw foreignState(`its log has ${log.length} of ${iterations} iterations`);
  if (adapted !== iterations && adapted !== iterations - 1) throw foreignState('it is between two iterations');
  const ended = done || unended !== undefined;
  for (const [i, record] of log.entries()) {
    if (record.iteration !== i + 1) throw foreignState('its log is not in order');
    const isEvaluated = isDue(evaluateEvery, i + 1) || (i + 1 === iterations && ended);
    refuseValues(record, isEvaluated ? job.select.measures.length : 0);
  }
  refuseUnseen(state, log, job);
  if (unended === undefined) return state;
  refuseValues(unended.record, 0);
  if (unended.record.iteration !== iterations) throw foreignState('its log is not in order');
  refuseUnseen(unended, [...log.slice(0, -1), unended.record], job);
  return state;
}

function refuseValues({ iteration, validation }: IterationRecord, measures: number): void {
  if (validation.length === measures) return;
  throw foreignState(`iteration ${iteration} has ${validation.length} values, not ${measures}`);
}

/** Which iteration is the best, and from where patience counts, follow from the log. */
function refuseUnseen(
  { best, since }: Pick<LoopState, 'best' | 'since'>,
  log: readonly IterationRecord[],
  { select, from, refit }: GivenJob,
): void {
  const goesOn = from !== undefined && refit === undefined;
  // The values of the model to go on from are in no log.
  const found = { best: goesOn && best?.iteration === 0 ? best : undefined, since: 0 };
  const stopping = new EarlyStopping(select, 0, found);
  for (const record of log) {
    const { iteration, validation, event } = record;
    const isFirst = found.best === undefined && goesOn;
    const isBest = validation.length > 0 && (!isFirst || record.best) && stopping.see(iteration, validation);
    if (record.best !== isBest) throw foreignState(`its log is wrong about iteration ${iteration} being the best`);
    if (event !== undefined) found.since = iteration;
  }
  if (!isDeepStrictEqual({ ...found.best }, { ...best }) || found.since !== since) {
    throw foreignState('its best iteration is not that of its log');
  }
}

/** Takes the learner, and what the objective learned, to where they were. */
export function restore(learner: Learner, job: TrainJob, state: LoopState): void {
  const { log, best, bestParts, unended } = state;
  const learned = learner.schema.state(log);
  state.learner = checked(learned, state.learner);
  if (best !== undefined) state.bestParts = checked(learner.schema.parts(best.iteration), bestParts);
  if (unended?.best !== undefined) {
    unended.bestParts = checked(learner.schema.parts(unended.best.iteration), unended.bestParts);
  }
  try {
    learner.restore(state.learner);
    const made = [state, ...(unended === undefined ? [] : [unended])].filter(one => one.best !== undefined);
    for (const parts of [learner.parts(), ...made.map(one => one.bestParts)]) {
      const model = learner.model(parts);
      if (isKind(model.kind) && isOfKind(model, model.kind)) readObject(model.toJSON(), undefined, true);
    }
  } catch (error) {
    throw foreignState(error instanceof Error ? error.message : String(error));
  }
  const values = [state.learned, ...[state, unended].flatMap(one => (one?.best ? [one.bestLearned] : []))];
  if (values.every(own => job.learned?.isOwn(own) ?? true)) job.learned?.restore(state.learned!);
  else throw foreignState('it lacks what the objective learned');
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const { path, message } = error.issues[0]!;
  throw foreignState(`${path.length === 0 ? 'all of it' : path.join('.')}: ${message}`);
}

function foreignState(why: string): ListwiseError {
  return new ListwiseError(
    'checkpoint-invalid',
    `the checkpoint holds no state of this training (${why}); train without \`resume\``,
  );
}
