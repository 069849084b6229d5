/**
 * Is a model whose scores are linear in its parameters an optimum of a measure along lines? No steps are sampled: along
 * a line a rank measure is piecewise constant, and all its breakpoints are known (src/lines/). For each parameter by
 * itself and for random directions the answer is the interval of steps in which nothing rises, and what the best step
 * there is gains.
 */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError, quote } from '../../errors.js';
import { LineMeasure } from '../../lines/line-measure.js';
import { middle } from '../../lines/piecewise.js';
import type { Measure } from '../../measures/measure.js';
import { type MatchOptions, matchFeatures } from '../../models/match-features.js';
import type { Perturbation } from '../../models/perturbation.js';
import type { Ranker } from '../../models/ranker.js';
import { inTurns } from '../../steps.js';
import { norm, randomDirection, refuseTooMany, singleDirection } from './directions.js';
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

/** Breakpoints beyond this many lengths come from slopes that differ by rounding alone. */
const FAR = 1e9;
/** Smaller gains are rounding. */
const ROUNDING = 1e-11;

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
  const total = measures.length * (parameters.length + directions);
  const results: ExactOptimality[] = [];
  for (const measure of measures) {
    const ported = portable && { ...portable, measures: [measure.spec] };
    const line = await LineMeasure.start({ data, measure, threads, portable: ported });
    try {
      let done = results.length * (total / measures.length);
      const show = (direction: Float64Array) => {
        for (const block of data.blocks) {
          const end = block.start + block.rows;
          perturbation.show(block, columns, options.absent ?? 0);
          perturbation.line(direction, line.start.subarray(block.start, end), line.slope.subarray(block.start, end));
        }
      };
      show(new Float64Array(parameters.length));
      const here = await inTurns(line.here());
      const value = line.finish(here);
      const look = async (direction: Float64Array, along: string): Promise<ExactLine> => {
        show(direction);
        const found = await inTurns(line.along());
        options.progress?.(++done, total);
        const best = found.best();
        const { from, to } = found.withoutRise(0, here);
        const gain = line.finish(best.value) - value;
        return {
          along,
          from: from < -FAR ? -Infinity : from,
          to: to > FAR ? Infinity : to,
          gain: gain > ROUNDING ? gain : 0,
          step: gain > ROUNDING ? middle(best) : 0,
        };
      };
      const single: ExactLine[] = [];
      for (let i = 0; i < parameters.length; i++) {
        single.push(await look(singleDirection(i, parameters.length, length), perturbation.describe(i)));
      }
      const random: ExactLine[] = [];
      for (let d = 0; d < directions; d++) {
        random.push(await look(randomDirection(seed, d, parameters.length, length), `direction ${d + 1}`));
      }
      results.push({ measure, value, title, norm: own, length, threshold, single, random });
    } finally {
      await line.close();
    }
  }
  return results;
}

function linearPerturbation(model: Ranker): Perturbation & Required<Pick<Perturbation, 'line'>> {
  const perturbation = model.perturbation?.();
  if (isLinear(perturbation) && perturbation.parameters.length > 0) return perturbation;
  throw new ListwiseError(
    'option-invalid',
    `models of the kind ${quote(model.kind)} are not linear in their parameters, so that steps must be sampled: leave \`exact\` away`,
  );
}

function isLinear(
  perturbation: Perturbation | undefined,
): perturbation is Perturbation & Required<Pick<Perturbation, 'line'>> {
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
