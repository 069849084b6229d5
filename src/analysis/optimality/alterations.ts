/** Figures of measures at altered parameters, on several threads: the same for any number of them. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Dataset, sharedFloat64 } from '../../data/dataset.js';
import { ListwiseError, quote } from '../../errors.js';
import type { Measure } from '../../measures/measure.js';
import { parseMeasure } from '../../measures/parse.js';
import { loadMeasures } from '../../measures/plugin.js';
import type { Ties } from '../../measures/query-view.js';
import { type MatchOptions, matchFeatures } from '../../models/match-features.js';
import { printModel } from '../../models/model-file.js';
import type { Perturbation } from '../../models/perturbation.js';
import type { Ranker } from '../../models/ranker.js';
import { inTurns } from '../../steps.js';
import { createTaskBoard, stopTasks, type TaskBoard, taskSteps } from '../../threads/task-board.js';
import { type AlterationJob, AlterationRunner, alterationKinds, type KindJob } from './alteration-runner.js';
import type { AlterationWork } from './alteration-worker.js';
import { chosenParameters, norm, refuseTooMany } from './directions.js';

export interface AlterationOptions extends MatchOptions {
  /** Random directions. */
  directions: number;
  /** Multiples of a direction's length that are added to the parameters. */
  steps: readonly number[];
  /** How many parameters are altered one at a time too, both ways. */
  singles: number;
  /** Whether directions are as long as the vector of parameters; otherwise they have length 1. */
  relative: boolean;
  seed: number;
  threads: number;
  ties?: Ties | undefined;
  /** Modules of the user's measures, for the threads. */
  modules?: readonly string[] | undefined;
  progress?: ((done: number, total: number) => void) | undefined;
}

export interface Alterations {
  readonly perturbation: Perturbation;
  /** Length of the vector of parameters, and of each direction. */
  readonly norm: number;
  readonly length: number;
  /** Figures without alteration, one a measure. */
  readonly base: readonly number[];
  readonly random: KindJob;
  /** The parameters altered one at a time; steps go both ways. */
  readonly single: KindJob;
}

/** Directions of a task: enough to share the work on the documents, few enough that threads end together. */
const MOST_BATCH = 16;

export async function evaluateAlterations(
  model: Ranker,
  data: Dataset,
  measures: readonly Measure[],
  options: AlterationOptions,
): Promise<Alterations> {
  const { seed, directions, steps, threads, modules = [] } = options;
  refuseTooMany(directions);
  const perturbation = perturbationOf(model);
  const size = perturbation.parameters.length;
  const own = norm(perturbation.parameters);
  const length = options.relative ? own : 1;
  const kindJob = (numbers: Uint32Array, at: readonly number[]): KindJob => ({
    numbers,
    steps: at,
    figures: sharedFloat64(numbers.length * at.length * measures.length),
  });
  const job: AlterationJob = {
    seed,
    length,
    ties: options.ties ?? 'input',
    absent: options.absent ?? 0,
    columns: matchFeatures(model, data, options),
    batch: Math.max(1, Math.min(MOST_BATCH, Math.floor(directions / (4 * threads)))),
    kinds: {
      random: kindJob(
        Uint32Array.from({ length: directions }, (_, i) => i),
        steps,
      ),
      single: kindJob(chosenParameters(seed, size, options.singles), [...steps.map(step => -step).reverse(), ...steps]),
    },
  };
  const runner = new AlterationRunner(perturbation, data, measures, job);
  const base = await inTurns(runner.base());
  const board = createTaskBoard();
  const workers = (await portable(measures, modules))
    ? startWorkers(threads - 1, {
        board,
        job,
        modules,
        model: printModel(model),
        data: { ...data, documentIds: undefined },
        documentIds: idsOf(data, job.ties),
        measures: measures.map(({ spec }) => spec),
      })
    : [];
  try {
    // A thread is up when it says so itself; blocking on it earlier would hang.
    await Promise.all(workers.map(worker => once(worker, 'message')));
    await playAll(board, runner, job, options.progress);
  } finally {
    stopTasks(board);
    await Promise.all(workers.map(worker => worker.terminate()));
  }
  return { perturbation, norm: own, length, base, ...job.kinds };
}

function perturbationOf(model: Ranker): Perturbation {
  const perturbation = model.perturbation?.();
  if (perturbation !== undefined && perturbation.parameters.length > 0) return perturbation;
  throw new ListwiseError('option-invalid', `models of the kind ${quote(model.kind)} have no parameters to alter`);
}

async function playAll(
  board: TaskBoard,
  runner: AlterationRunner,
  { batch, kinds }: AlterationJob,
  progress: AlterationOptions['progress'],
): Promise<void> {
  const alterations = ({ numbers, steps }: KindJob) => numbers.length * steps.length;
  const total = alterations(kinds.random) + alterations(kinds.single);
  let before = 0;
  for (const [k, kind] of alterationKinds.entries()) {
    const { numbers } = kinds[kind];
    await inTurns(
      taskSteps(board, (_, task) => runner.run(kind, task), k, Math.ceil(numbers.length / batch)),
      share => progress?.(before + share * alterations(kinds[kind]), total),
    );
    before += alterations(kinds[kind]);
  }
}

/** Whether threads can make the measures from their strings; those of a program's own run on one thread. */
async function portable(measures: readonly Measure[], modules: readonly string[]): Promise<boolean> {
  const more = await loadMeasures(modules);
  try {
    for (const { spec } of measures) parseMeasure(spec, { more });
    return true;
  } catch (error) {
    if (error instanceof ListwiseError && error.code === 'spec-unknown') return false;
    throw error;
  }
}

function startWorkers(count: number, workerData: AlterationWork): Worker[] {
  return Array.from(
    { length: count },
    () => new Worker(new URL('./alteration-worker.js', import.meta.url), { workerData }),
  );
}

/** The ids of all documents, where ties are broken by them. */
function idsOf(data: Dataset, ties: Ties): string[] | undefined {
  return ties === 'document' ? Array.from({ length: data.rows }, (_, row) => data.documentId(row)) : undefined;
}
