/** Every kind of model there is: how one is read from its file. */
import { readLinear } from './linear/linear.js';
import type { ModelReader } from './model-reader.js';
import type { Ranker } from './ranker.js';

export interface ModelKind {
  readonly title: string;
  read(reader: ModelReader): Ranker;
}

export const kinds = {
  linear: { title: 'A weighted sum of the features.', read: readLinear },
} as const satisfies Record<string, ModelKind>;

export type ModelKindName = keyof typeof kinds;
