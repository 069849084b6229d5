/**
 * What XGBoost's two formats share. Its rule: value < condition goes left, in float32; a missing value (NaN) goes the
 * way of its node; leaf values and sums are float32, the sum rounded after every tree. For float32 numbers, x < c is x
 * <= the number below c.
 */

import { shortestFloat32 } from '../../data/writers/shortest-float.js';
import { quote } from '../../errors.js';
import { nextBelow } from '../float32.js';
import type { ImportJob } from '../format.js';

export function thresholdOf(condition: number): number {
  return condition === Number.NEGATIVE_INFINITY ? condition : nextBelow(Math.fround(condition));
}

/** A float32 in its shortest form; never like a whole number, which XGBoost tells from a real one. */
export function real(value: number): string {
  const text = shortestFloat32(Math.fround(value));
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** The name of the objective whose predictions are the transform of the sum; its base score of 0.5 is a sum of 0. */
export const LOGISTIC = 'binary:logistic';

/** In float32 throughout: every step is rounded. */
const logit = (base: number) => -Math.log(Math.fround(Math.fround(1 / base) - 1));
const sigmoid = { output: 'a sigmoid of the sum', margin: logit };
const exponential = { output: 'exp(sum)', margin: Math.log };

/** Objectives whose predictions are not the sum of leaves, and the sum that the base score stands for. */
const transformed: Readonly<Record<string, { output: string; margin(base: number): number }>> = {
  [LOGISTIC]: sigmoid,
  'reg:logistic': sigmoid,
  'count:poisson': exponential,
  'reg:gamma': exponential,
  'reg:tweedie': exponential,
  'survival:cox': exponential,
  'survival:aft': exponential,
  'binary:hinge': { output: '1 where the sum is above 0, else 0', margin: base => base },
};

/** Objectives whose predictions are the sum of leaves. */
const plain: ReadonlySet<string> = new Set([
  'rank:ndcg',
  'rank:map',
  'rank:pairwise',
  'binary:logitraw',
  'reg:linear',
  'reg:squarederror',
  'reg:squaredlogerror',
  'reg:pseudohubererror',
  'reg:absoluteerror',
  'reg:quantileerror',
  'reg:expectileerror',
]);

/** What is added to the leaves; a loss is noted where predictions are something else than the sum, or may be. */
export function marginOf(objective: string, baseScore: number, job: ImportJob): number {
  const known = transformed[objective];
  if (known === undefined) {
    if (!plain.has(objective))
      job.changes.loses(
        `its objective ${quote(objective)} is not known; scores are the base score and the leaves added up`,
      );
    return Math.fround(baseScore);
  }
  const loss = `with objective ${quote(objective)} XGBoost predicts ${known.output}; scores here are the sums, in the same order`;
  if (known === sigmoid) job.changes.applies('sigmoid', loss);
  else job.changes.loses(loss);
  return Math.fround(known.margin(Math.fround(baseScore)));
}
