/** Which pairs take part in an objective, what each weighs and how strongly it pulls. Kernels read this. */
import type { Measure } from '../../measures/measure.js';
import type { Operands } from '../objective.js';
import type { PairFactor } from './pair-factor.js';

export interface PairPlan {
  /** Pairs have different labels of this source; documents without it are in no pair. */
  readonly labels: string;
  /** The two documents have equal labels of these sources. */
  readonly within: readonly string[];
  readonly withoutZeros: boolean;
  /** 1, or the change of a measure when the two trade places. */
  readonly weight: 'unit' | Measure;
  /** The least weight of a pair. */
  readonly floor: number;
  /** All pairs, or only those next to each other in the ranking. */
  readonly reach: 'all' | 'adjacent';
  /** Only pairs of which a document is at one of so many first ranks; Infinity: all. */
  readonly top: number;
  /** Leave out pairs that are ranked the right way round. */
  readonly misrankedOnly: boolean;
  readonly factor: PairFactor;
}

/** Whether weights stay as scores move, so that the lambdas are the gradient of the factor's cost. */
export function weightsStay({ weight, reach, top, misrankedOnly }: PairPlan): boolean {
  return weight === 'unit' && reach === 'all' && top === Infinity && !misrankedOnly;
}

export function pairPlan(plan: Partial<PairPlan> & Pick<PairPlan, 'labels' | 'weight' | 'factor'>): PairPlan {
  return { within: [], withoutZeros: false, floor: 0, reach: 'all', top: Infinity, misrankedOnly: false, ...plan };
}

/**
 * A plan over the pairs that the label source and the surroundings of an objective leave it.
 *
 * @example
 * import { parseMeasure } from 'listwise';
 * import { pairObjective, planWithin } from 'listwise/objectives';
 *
 * const body = pairObjective(
 *   planWithin(
 *     { labels: 'label', context: {} },
 *     { weight: parseMeasure('ap'), factor: { lambda: o => (o < 1 ? 1 : 0), hessian: () => 0, convex: true } },
 *   ),
 * );
 */
export function planWithin(
  { labels, context }: Pick<Operands, 'labels' | 'context'>,
  plan: Partial<PairPlan> & Pick<PairPlan, 'weight' | 'factor'>,
): PairPlan {
  const { within = [], withoutZeros = false } = context;
  return pairPlan({ labels, within, withoutZeros, ...plan });
}
