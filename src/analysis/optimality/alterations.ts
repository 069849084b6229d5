/** Values of measures at altered parameters, on several threads: the same for any number of them. */
import { type Dataset, sharedFloat64 } from '../../data/dataset.js';
import { toPortable } from '../../data/portable.js';
import { ListwiseError, quote } from '../../errors.js';
import type { Measure } from '../../measures/measure.js';
import type { Ties } from '../../measures/query-view.js';
import { type MatchOptions, matchFeatures } from '../../models/match-features.js';
import { sharedModel } from '../../models/model-file.js';
import type { Perturbation } from '../../models/perturbation.js';
import type { Ranker } from '../../models/ranker.js';
import type { Portable } from '../../objectives/portable.js';
import { inTurns } from '../../steps.js';
import { TaskCrew } from '../../threads/task-crew.js';
import { type AlterationJob, AlterationRunner, alterationKinds, type KindJob } from './alteration-runner.js';
import type { AlterationWork } from './alteration-worker.js';
import { chosenParameters, norm, refuseTooMany } from './directions.js';

export interface AlterationOptions extends MatchOptions {
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
  /** The measures for other threads; absent where there can be none. */
  portable?: Portable | undefined;
  progress?: ((done: number, total: number) => void) | undefined;
}

export interface Alterations {
  readonly perturbation: Perturbation;
  /** Length of the vector of parameters, and of each direction. */
  readonly norm: number;
  readonly length: number;
  /** Values without alteration, one a measure. */
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
  const { seed, directions, steps, threads, portable } = options;
  refuseTooMany(directions);
  const perturbation = perturbationOf(model);
  const size = perturbation.parameters.length;
  const own = norm(perturbation.parameters);
  const length = options.relative ? own : 1;
  const kindJob = (numbers: Uint32Array, at: readonly number[]): KindJob => ({
    numbers,
    steps: at,
    values: sharedFloat64(numbers.length * at.length * measures.length),
  });
  const job: AlterationJob = {
    seed,
    length,
    ties: options.ties ?? 'expected',
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
  const others = portable === undefined ? 0 : threads - 1;
  const work = (): AlterationWork => ({
    job,
    portable: portable!,
    model: sharedModel(model),
    data: toPortable(data),
  });
  const crew = TaskCrew.late(new URL('./alteration-worker.js', import.meta.url), others, work);
  try {
    await playAll(crew, runner, job, options.progress);
  } finally {
    await crew.close();
  }
  return { perturbation, norm: own, length, base, ...job.kinds };
}

function perturbationOf(model: Ranker): Perturbation {
  const perturbation = model.perturbation?.();
  if (perturbation !== undefined && perturbation.parameters.length > 0) return perturbation;
  throw new ListwiseError('option-invalid', `models of the kind ${quote(model.kind)} have no parameters to alter`);
}

async function playAll(
  crew: TaskCrew,
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
      crew.steps((_, task) => runner.run(kind, task), k, Math.ceil(numbers.length / batch)),
      share => progress?.(before + share * alterations(kinds[kind]), total),
    );
    before += alterations(kinds[kind]);
  }
}
