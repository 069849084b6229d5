/**
 * Is a model a local optimum of a measure? The Monte-Carlo test of Donmez, Svore, Burges 2009 (section 5): alter the
 * parameters in random directions and see whether the measure rises. Where none of K directions raises it, then, with
 * confidence 1 - delta, fewer than a share epsilon of all directions would.
 */
import type { Dataset } from '../../data/dataset.js';
import type { Measure } from '../../measures/measure.js';
import type { Ranker } from '../../models/ranker.js';
import { Random } from '../../numeric/random.js';
import { incompleteBeta } from '../../numeric/special-functions.js';
import type { KindJob } from './alteration-runner.js';
import { type AlterationOptions, evaluateAlterations } from './alterations.js';
import { directionCount, norm } from './directions.js';
import { type GivenMeasures, measuresGiven } from './given-measures.js';

type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/**
 * Directions are as many as epsilon and delta ask for, steps 0.1 to 1.0, on one thread, where not given.
 *
 * @example
 * import type { OptimalityOptions } from 'listwise/analysis';
 *
 * const options: OptimalityOptions = { epsilon: 0.05, delta: 0.05, seed: 1 };
 */
export interface OptimalityOptions extends Optional<Omit<AlterationOptions, 'portable'>>, GivenMeasures {
  /** The share of improving directions that must not be missed, and the probability of missing it (0.01 and 0.01). */
  epsilon?: number | undefined;
  delta?: number | undefined;
  /** A rise above this counts apart; it is what Yilmaz and Robertson 2010 allow a local optimum (0.003). */
  threshold?: number | undefined;
  /** Whether an equal value counts as a rise, as in Donmez et al. */
  equalCounts?: boolean | undefined;
  /** Directions whose curves are kept (4). */
  curves?: number | undefined;
}

/** What some alterations did to a measure. */
export interface Rises {
  /** Directions (or single parameters) tried, and alterations: directions times steps. */
  readonly directions: number;
  readonly alterations: number;
  /** Those that raised the measure at all, and by more than the threshold; a direction counts with any of its steps. */
  readonly directionsImproved: number;
  readonly directionsAbove: number;
  readonly improved: number;
  readonly above: number;
  /** Alterations that changed the measure at all. */
  readonly changed: number;
  /** The most that each direction gained at any of its steps. */
  readonly gains: readonly number[];
  /** The alteration that gained most; a gain below 0 is a loss. */
  readonly best: { readonly direction: number; readonly step: number; readonly gain: number };
}

export interface Curve {
  readonly direction: number;
  /** The value of the measure at each step. */
  readonly values: readonly number[];
}

/** `flat`: no alteration changes the measure: no order could be better, or the steps are too short. */
export type Standing = 'optimum' | 'within threshold' | 'no optimum' | 'flat';

/**
 * Whether small changes of a model's parameters improve a measure.
 *
 * @example
 * import type { Optimality } from 'listwise/analysis';
 *
 * const shown = ({ measure, value }: Optimality): string => `${measure.spec} ${value}`;
 */
export interface Optimality {
  readonly measure: Measure;
  /** The value without alteration. */
  readonly value: number;
  readonly parameters: number;
  /** What the parameters are, in the plural. */
  readonly title: string;
  /** Length of the vector of parameters, and of a direction. */
  readonly norm: number;
  readonly length: number;
  readonly steps: readonly number[];
  readonly threshold: number;
  readonly epsilon: number;
  /** That fewer than a share epsilon of all directions improve, where none of those tried did. */
  readonly confidence: number;
  readonly random: Rises;
  /**
   * With that confidence no larger share of all directions improves (Clopper and Pearson): at all, and above the
   * threshold.
   */
  readonly shareAtMost: { readonly improved: number; readonly above: number };
  readonly curves: readonly Curve[];
  /** Lowest, mean and highest value of all directions at each step. */
  readonly envelope: readonly { readonly low: number; readonly mean: number; readonly high: number }[];
  /** One parameter at a time, where asked for: "the gradient vanishes". `best.direction` is the parameter. */
  readonly single: (Rises & { readonly describe: string }) | undefined;
  readonly standing: Standing;
}

export const defaultSteps: readonly number[] = Array.from({ length: 10 }, (_, i) => (i + 1) / 10);
export const DEFAULT_THRESHOLD = 0.003;
/** Sums in another order of queries differ by less: such a rise is none. */
const ROUNDING = 1e-12;

/**
 * One result a measure.
 *
 * @example
 * import { localOptimality } from 'listwise/analysis';
 *
 * const [result] = await localOptimality(model, data, ['ndcg@10']);
 * console.log(result?.standing);
 */
export async function localOptimality(
  model: Ranker,
  data: Dataset,
  given: readonly (string | Measure)[],
  options: OptimalityOptions = {},
): Promise<Optimality[]> {
  const { measures, portable } = await measuresGiven(given, options);
  const { epsilon = 0.01, delta = 0.01, threshold = DEFAULT_THRESHOLD } = options;
  const { equalCounts = false, curves = 4 } = options;
  const wanted = directionCount(epsilon, delta);
  const alterations = await evaluateAlterations(model, data, measures, {
    ...options,
    directions: options.directions ?? wanted,
    steps: options.steps ?? defaultSteps,
    singles: options.singles ?? 0,
    relative: options.relative ?? false,
    seed: options.seed ?? 1,
    threads: options.threads ?? 1,
    portable,
  });
  const { perturbation, random, single } = alterations;
  const directions = random.numbers.length;
  const confidence = 1 - (1 - epsilon) ** directions;
  return measures.map((measure, m) => {
    const value = alterations.base[m]!;
    const gains = (kind: KindJob) => risesOf(kind, value, valuesOf(kind, measures.length, m), threshold, equalCounts);
    const all = gains(random);
    const singles = single.numbers.length === 0 ? undefined : gains(single);
    return {
      measure,
      value,
      threshold,
      epsilon,
      confidence,
      parameters: perturbation.parameters.length,
      title: perturbation.title,
      norm: alterations.norm,
      length: alterations.length,
      steps: random.steps,
      random: all,
      shareAtMost: {
        improved: shareAtMost(all.directionsImproved, directions, 1 - confidence),
        above: shareAtMost(all.directionsAbove, directions, 1 - confidence),
      },
      curves: curvesOf(random, measures.length, m, curves),
      envelope: envelopeOf(random, measures.length, m),
      single: singles && { ...singles, describe: perturbation.describe(singles.best.direction) },
      standing: standingOf(all),
    };
  });
}

function standingOf({ changed, directionsImproved, directionsAbove }: Rises): Standing {
  if (changed === 0) return 'flat';
  if (directionsAbove > 0) return 'no optimum';
  return directionsImproved > 0 ? 'within threshold' : 'optimum';
}

/** The model with random parameters of the same length: what must not pass for a local optimum. */
export function randomised(model: Ranker, seed: number): Ranker {
  const perturbation = model.perturbation!();
  const random = new Random(seed, 'randomised');
  const values = perturbation.parameters.map(() => random.gaussian());
  const scale = norm(perturbation.parameters) / norm(values);
  return perturbation.at(values.map(value => value * scale));
}

/** [direction][step] of one measure. */
function valuesOf({ numbers, steps, values }: KindJob, measures: number, m: number): number[][] {
  return Array.from(numbers, (_, d) => steps.map((_, k) => values[(d * steps.length + k) * measures + m]!));
}

function risesOf(
  { numbers, steps }: KindJob,
  value: number,
  altered: readonly (readonly number[])[],
  threshold: number,
  equalCounts: boolean,
): Rises {
  const rises = (after: number) => after - value > (equalCounts ? -ROUNDING : ROUNDING);
  const above = (after: number) => after - value > threshold;
  let best = { direction: numbers[0]!, step: steps[0]!, gain: Number.NEGATIVE_INFINITY };
  for (const [d, row] of altered.entries()) {
    for (const [k, after] of row.entries()) {
      const gain = Math.abs(after - value) > ROUNDING ? after - value : 0;
      if (gain > best.gain) best = { direction: numbers[d]!, step: steps[k]!, gain };
    }
  }
  const count = (holds: (after: number) => boolean) => altered.flat().filter(holds).length;
  const directions = (holds: (after: number) => boolean) => altered.filter(row => row.some(holds)).length;
  return {
    directions: altered.length,
    alterations: altered.length * steps.length,
    gains: altered.map(row => Math.max(...row) - value),
    best,
    directionsImproved: directions(rises),
    directionsAbove: directions(above),
    improved: count(rises),
    above: count(above),
    changed: count(after => Math.abs(after - value) > ROUNDING),
  };
}

function curvesOf(kind: KindJob, measures: number, m: number, most: number): Curve[] {
  return valuesOf(kind, measures, m)
    .slice(0, most)
    .map((values, d) => ({ direction: kind.numbers[d]!, values }));
}

function envelopeOf(kind: KindJob, measures: number, m: number): Optimality['envelope'] {
  const rows = valuesOf(kind, measures, m);
  return kind.steps.map((_, k) => {
    const values = rows.map(row => row[k]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      low: values.reduce((low, value) => Math.min(low, value)),
      mean,
      high: values.reduce((high, value) => Math.max(high, value)),
    };
  });
}

/** The share p at which `found` or fewer of `tried` have probability `alpha`: I_(1-p)(tried - found, found + 1). */
export function shareAtMost(found: number, tried: number, alpha: number): number {
  if (found >= tried) return 1;
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const p = (low + high) / 2;
    if (incompleteBeta(1 - p, p, tried - found, found + 1) > alpha) low = p;
    else high = p;
  }
  return high;
}

/** The answer in one sentence; `name` is the measure as it was asked for. */
export function optimalityVerdict(name: string, result: Optimality): string {
  const { value, random, standing, threshold, epsilon, confidence, single } = result;
  const sure = `${percent(confidence)} confidence that fewer than ${percent(epsilon)} of all directions would`;
  const named = `${name} (${value.toFixed(4)})`;
  const most = `+${random.best.gain.toFixed(4)} at step ${random.best.step}`;
  const alone =
    single !== undefined && single.above > 0
      ? ` One at a time, ${single.directionsAbove} of ${single.directions} ${result.title} ${raise(single.directionsAbove)} it by more than ${threshold}.`
      : '';
  switch (standing) {
    case 'flat':
      return `Nothing can be said of ${named}: none of ${random.alterations} alterations changes it at all.`;
    case 'optimum':
      return `A local optimum of ${named}: none of ${random.directions} random directions raises it (${sure}).${alone}`;
    case 'within threshold':
      return `A local optimum of ${named} to within ${threshold}: ${random.directionsImproved} of ${random.directions} random directions ${raise(random.directionsImproved)} it, none by more (most: ${most}; ${sure} by more).${alone}`;
    case 'no optimum':
      return `Not a local optimum of ${named}: ${random.directionsAbove} of ${random.directions} random directions ${raise(random.directionsAbove)} it by more than ${threshold} (most: ${most}).${alone}`;
  }
}

function raise(many: number): string {
  return many === 1 ? 'raises' : 'raise';
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
