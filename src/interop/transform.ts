/**
 * What a system makes of the sum of leaves before it is a score. Models here score by the sums, which are in the same
 * order: files say what their system does, and engines do it to files that say so.
 */
import type { ModelKindName } from '../models/all.js';

export const transforms = ['none', 'sigmoid'] as const;

/**
 * What is applied to a sum: nothing, or 1 / (1 + exp(-sum)).
 *
 * @example
 * import type { Transform } from 'listwise/interop';
 *
 * const ofProbabilities: Transform = 'sigmoid';
 */
export type Transform = (typeof transforms)[number];

/** By kind of model: what files of a format can ask for beside nothing. */
export type HeldTransforms = Readonly<Partial<Record<ModelKindName, readonly Transform[]>>>;

/** In 64 bits. */
export const sigmoid = (sum: number) => 1 / (1 + Math.exp(-sum));
