/** Every kind of model there is: how one is read from its file. */
import { readLinear } from './linear/linear.js';
import type { ModelReader } from './model-reader.js';
import { readNet } from './net/net.js';
import type { Ranker } from './ranker.js';
import { readTrees } from './trees/trees.js';

export interface ModelKind {
  readonly title: string;
  read(reader: ModelReader): Ranker;
}

export const kinds = {
  linear: { title: 'A weighted sum of the features.', read: readLinear },
  net: { title: 'A dense net of any hidden layers over standardised features.', read: readNet },
  trees: { title: 'A sum of regression trees.', read: readTrees },
} as const satisfies Record<string, ModelKind>;

export type ModelKindName = keyof typeof kinds;
