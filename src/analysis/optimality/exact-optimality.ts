/**
 * Is a model whose scores are linear in its parameters an optimum of a measure along lines? No steps are sampled: along
 * a line a rank measure is piecewise constant, and all its breakpoints are known (src/lines/). For each parameter by
 * itself and for random directions the answer is the interval of steps in which nothing rises, and what the best step
 * there is gains.
 */
import { type Dataset, sharedFloat64 } from '../../data/dataset.js';
import { toPortable } from '../../data/portable.js';
import { ListwiseError, quote } from '../../errors.js';
import { LineMeasure } from '../../lines/line-measure.js';
import type { Measure } from '../../measures/measure.js';
import { type MatchOptions, matchFeatures } from '../../models/match-features.js';
import { sharedModel } from '../../models/model-file.js';
import type { Perturbation } from '../../models/perturbation.js';
import type { Ranker } from '../../models/ranker.js';
import type { Portable } from '../../objectives/portable.js';
import { inTurns } from '../../steps.js';
import { TaskCrew } from '../../threads/task-crew.js';
import { norm, refuseTooMany } from './directions.js';
import { ExactLines, FIELDS, type LinearPerturbation, type LinesJob } from './exact-lines.js';
import type { ExactWork } from './exact-worker.js';
import { type GivenMeasures, measuresGiven } from './given-measures.js';

/**
 * How many directions are tried, and what counts as a rise.
 *
 * @example
 * import type { ExactOptions } from 'listwise/analysis';
 *
 * const options: ExactOptions = { directions: 50, seed: 1 };
 */
export interface ExactOptions extends MatchOptions, GivenMeasures {
  /** Random directions beside the parameters (459). */
  directions?: number | undefined;
  /** A rise above this counts apart (0.003). */
  threshold?: number | undefined;
  /** Whether directions are as long as the vector of parameters; otherwise they have length 1. */
  relative?: boolean | undefined;
  seed?: number | undefined;
  threads?: number | undefined;
  progress?: ((done: number, total: number) => void) | undefined;
}

export interface ExactLine {
  /** The parameter moved, in words, or "direction 3". */
  readonly along: string;
  /** Between these steps the measure is nowhere higher than without a step; infinite where it never is. */
  readonly from: number;
  readonly to: number;
  /** What the best step of the line gains, and where it is. */
  readonly gain: number;
  readonly step: number;
}

/**
 * Whether a model is at a local optimum, exactly along lines.
 *
 * @example
 * import type { ExactOptimality } from 'listwise/analysis';
 *
 * const rises = ({ single, threshold }: ExactOptimality): string => `${single.length} directions, ${threshold}`;
 */
export interface ExactOptimality {
  readonly measure: Measure;
  readonly value: number;
  readonly title: string;
  readonly norm: number;
  readonly length: number;
  readonly threshold: number;
  readonly single: readonly ExactLine[];
  readonly random: readonly ExactLine[];
}

/**
 * One result a measure.
 *
 * @example
 * import { ridge } from 'listwise';
 * import { exactOptimality } from 'listwise/analysis';
 *
 * const [result] = await exactOptimality(ridge(data), data, ['ndcg@10'], { directions: 20 });
 * console.log(result?.value);
 */
export async function exactOptimality(
  model: Ranker,
  data: Dataset,
  given: readonly (string | Measure)[],
  options: ExactOptions = {},
): Promise<ExactOptimality[]> {
  const { directions = 459, threshold = 0.003, seed = 1, threads = 1 } = options;
  refuseTooMany(directions);
  const { measures, portable } = await measuresGiven(given, options);
  const perturbation = linearPerturbation(model);
  const { parameters, title } = perturbation;
  const own = norm(parameters);
  const length = options.relative ? own : 1;
  const columns = matchFeatures(model, data, options);
  const lines = parameters.length + directions;
  const results: ExactOptimality[] = [];
  for (const measure of measures) {
    const job: LinesJob = { columns, absent: options.absent ?? 0, seed, length, found: sharedFloat64(FIELDS * lines) };
    const before = results.length * lines;
    const value = await lookAtAll({
      model,
      perturbation,
      data,
      measure,
      threads,
      job,
      portable: portable && { ...portable, measures: [measure.spec] },
      progress: share => options.progress?.(before + Math.floor(share * lines), measures.length * lines),
    });
    const lineOf = (number: number, along: string): ExactLine => {
      const [from, to, gain, step] = job.found.subarray(FIELDS * number);
      return { along, from: from!, to: to!, gain: gain!, step: step! };
    };
    const single = Array.from(parameters, (_, i) => lineOf(i, perturbation.describe(i)));
    const random = Array.from({ length: directions }, (_, d) => lineOf(parameters.length + d, `direction ${d + 1}`));
    results.push({ measure, value, title, norm: own, length, threshold, single, random });
  }
  return results;
}

interface AllLines {
  readonly model: Ranker;
  readonly perturbation: LinearPerturbation;
  readonly data: Dataset;
  readonly measure: Measure;
  /** The measure for other threads; absent where there can be none. */
  readonly portable: Portable | undefined;
  readonly threads: number;
  readonly job: LinesJob;
  progress(share: number): void;
}

/**
 * Fills `job.found`, and returns the value without a step. Each line is looked at by one thread, so that nothing of it
 * is left to one alone; where crossings have no room in every thread, all look at one line together.
 */
async function lookAtAll(given: AllLines): Promise<number> {
  const { model, perturbation, data, measure, portable, threads, job, progress } = given;
  const apart = threads * lineBytes(data) <= MOST_BYTES;
  const line = await LineMeasure.start({ data, measure, portable, threads: apart ? 1 : threads });
  try {
    const own = new ExactLines(line, perturbation, data, job);
    const here = await inTurns(own.here());
    const lines = job.found.length / FIELDS;
    const others = apart && portable !== undefined ? Math.min(threads, lines) - 1 : 0;
    const work = (): ExactWork => ({
      model: sharedModel(model),
      data: toPortable(data),
      portable: portable!,
      job,
      here,
    });
    const works = others > 0 ? Array(others).fill(work()) : [];
    const crew = await TaskCrew.start(new URL('./exact-worker.js', import.meta.url), works);
    try {
      await inTurns(
        crew.steps((_, task) => own.look(task, here), 0, lines),
        progress,
      );
    } finally {
      await crew.close();
    }
    progress(1);
    return line.finish(here);
  } finally {
    await line.close();
  }
}

/** Of all threads together, for lines. */
const MOST_BYTES = 2 ** 31;
/** What becomes of a crossing: its place and its change, as found and in two buffers of twice the length to merge. */
const CROSSING_BYTES = 5 * 16;

/** At most; for measures that look at some labels only it is less. */
function lineBytes({ offsets, queries }: Dataset): number {
  let crossings = 0;
  for (let q = 0; q < queries; q++) {
    const n = offsets[q + 1]! - offsets[q]!;
    crossings += (n * (n - 1)) / 2;
  }
  return CROSSING_BYTES * crossings;
}

function linearPerturbation(model: Ranker): LinearPerturbation {
  const perturbation = model.perturbation?.();
  if (isLinear(perturbation) && perturbation.parameters.length > 0) return perturbation;
  throw new ListwiseError(
    'option-invalid',
    `models of the kind ${quote(model.kind)} are not linear in their parameters, so that steps must be sampled: leave \`exact\` away`,
  );
}

function isLinear(perturbation: Perturbation | undefined): perturbation is LinearPerturbation {
  return perturbation?.line !== undefined;
}

/** Whether no line rises at all, none by more than the threshold, or some does. */
export function exactStanding({
  single,
  random,
  threshold,
}: ExactOptimality): 'optimum' | 'within threshold' | 'no optimum' {
  const most = Math.max(...[...single, ...random].map(({ gain }) => gain));
  return most === 0 ? 'optimum' : most <= threshold ? 'within threshold' : 'no optimum';
}

export function exactVerdict(asked: string, result: ExactOptimality): string {
  const { single, random, title, value, threshold } = result;
  const lines = [...single, ...random];
  const rising = lines.filter(({ gain }) => gain > 0);
  const best = lines.reduce((most, line) => (line.gain > most.gain ? line : most));
  const what = `${single.length} ${title} by themselves and ${random.length} random directions`;
  const shown = value.toFixed(4);
  if (rising.length === 0) {
    return `An optimum of ${asked} (${shown}) along every line looked at, ${what}: no step of any length raises it.`;
  }
  const near = lines.filter(({ from, to }) => from > -1 || to < 1).length;
  const gains = `the most is +${best.gain.toFixed(4)} at step ${Number(best.step.toPrecision(3))} along ${best.along}`;
  const standing =
    exactStanding(result) === 'within threshold'
      ? `An optimum of ${asked} (${shown}) to within ${threshold}`
      : `No optimum of ${asked} (${shown})`;
  return `${standing}: of ${lines.length} lines (${what}) ${rising.length} rise somewhere, ${near} within a step of 1; ${gains}.`;
}
