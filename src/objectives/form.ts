/**
 * What an objective is made of, so that shared code can look inside without knowing names: kernels take pairs, combined
 * objectives show their parts, a smooth stand-in can be held against its measure.
 */
import type { Measure, QueryView } from '../measures/measure.js';
import type { Steps } from '../steps.js';
import type { Objective } from './objective.js';
import type { PairPlan } from './pairs/pair-plan.js';

/**
 * - pairs: a sum over pairs of documents.
 * - sum: the lambdas of the parts, each times its weight in the iteration.
 * - scaled: the lambdas of the part over their standard deviation in the query, hessians likewise.
 * - regularised: the lambdas of the part less alpha times the score, hessians more by alpha.
 * - debiased: the part without the bias of positions; `pairs`: over the same pairs.
 * - smooth: the gradient of a smooth stand-in of a measure.
 */
export type ObjectiveForm =
  | { readonly kind: 'pairs'; readonly plan: PairPlan }
  | { readonly kind: 'sum'; readonly parts: readonly Objective[]; weightsAt(iteration: number): readonly number[] }
  | { readonly kind: 'scaled'; readonly part: Objective }
  | { readonly kind: 'regularised'; readonly part: Objective; readonly alpha: number }
  | { readonly kind: 'debiased'; readonly part: Objective; readonly pairs: boolean }
  | ({ readonly kind: 'smooth' } & Approximation);

/** The names of the forms, for what comes from modules of the user's. */
export const formKinds: readonly ObjectiveForm['kind'][] = [
  'pairs',
  'sum',
  'scaled',
  'regularised',
  'debiased',
  'smooth',
];

/** A smooth stand-in of a measure. */
export interface Approximation {
  readonly measure: Measure;
  /** Gives a function from a query to the smooth value, NaN where it is undefined; each thread has its own. */
  begin(): (view: QueryView) => number;
  /** The same step by step, where one long query can take seconds. */
  beginSteps?(): (view: QueryView) => Steps<number>;
}

type Formed = Pick<Objective, 'form'>;

/** The objectives it combines; none where it is by itself. */
export function partsOf({ form }: Formed): readonly Objective[] {
  if (form === undefined) return [];
  if (form.kind === 'sum') return form.parts;
  return 'part' in form ? [form.part] : [];
}

/** The objectives whose lambdas are added up, seen through a scaling; the objective itself where nothing is added. */
export function addends(objective: Objective): readonly Objective[] {
  if (objective.form?.kind === 'scaled') return addends(objective.form.part);
  return objective.form?.kind === 'sum' ? objective.form.parts : [objective];
}

/** Whether an objective is made of pairs, by itself or through its parts. */
export function madeOfPairs(objective: Formed): boolean {
  if (objective.form?.kind === 'regularised') return false;
  if (objective.form?.kind === 'debiased' && !objective.form.pairs) return false;
  const parts = partsOf(objective);
  return objective.form?.kind === 'pairs' || (parts.length > 0 && parts.every(madeOfPairs));
}

export interface WeightedPairs {
  readonly plan: PairPlan;
  readonly weight: number;
}

/** The pairs whose weighted lambdas an objective's lambdas are; undefined where they are not such a sum. */
export function pairSum({ form }: Formed, iteration: number): WeightedPairs[] | undefined {
  if (form?.kind === 'pairs') return [{ plan: form.plan, weight: 1 }];
  if (form?.kind !== 'sum') return undefined;
  const weights = form.weightsAt(iteration);
  const sums: WeightedPairs[] = [];
  for (const [p, part] of form.parts.entries()) {
    const sum = pairSum(part, iteration);
    if (sum === undefined) return undefined;
    sums.push(...sum.map(({ plan, weight }) => ({ plan, weight: weight * weights[p]! })));
  }
  return sums;
}
