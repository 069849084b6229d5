/** Every kind of model there is: how one is read from its file. */
import { LinearModel, readLinear } from './linear/linear.js';
import type { ModelReader } from './model-reader.js';
import { NetModel, readNet } from './net/net.js';
import type { Ranker } from './ranker.js';
import { readTrees, TreesModel } from './trees/trees.js';

export interface ModelKind {
  readonly title: string;
  /** The class of such models. */
  readonly model: abstract new (
    ...parts: never[]
  ) => Ranker;
  read(reader: ModelReader): Ranker;
}

/**
 * Every kind of model, and how one is read from its file.
 *
 * @example
 * import { kinds } from 'listwise/models';
 *
 * console.log(Object.keys(kinds)); // linear, net, trees
 */
export const kinds = {
  linear: { title: 'A weighted sum of the features.', model: LinearModel, read: readLinear },
  net: { title: 'A dense net of any hidden layers over standardised features.', model: NetModel, read: readNet },
  trees: { title: 'A sum of regression trees.', model: TreesModel, read: readTrees },
} as const satisfies Record<string, ModelKind>;

/**
 * The name of a kind of model.
 *
 * @example
 * import type { ModelKindName } from 'listwise/models';
 *
 * const kind: ModelKindName = model.kind;
 */
export type ModelKindName = keyof typeof kinds;

/** The type of the models of each kind. */
export type ModelOf = { [K in ModelKindName]: ReturnType<(typeof kinds)[K]['read']> };
/**
 * A model of any of the kinds that listwise has.
 *
 * @example
 * import type { Model } from 'listwise';
 *
 * const describe = (model: Model): string => (model.kind === 'trees' ? `${model.trees.length} trees` : model.kind);
 */
export type Model = ModelOf[ModelKindName];

/** What a model remembers of where it comes from. */
export type Memory = Pick<Ranker, 'description' | 'training'>;

/** The model with what it is to remember; other models than ours remember nothing. */
export function withMemory<M extends Ranker>(model: M, { description, training }: Memory): M | Model {
  if (description === undefined && training === undefined) return model;
  const memory = { ...(description && { description }), ...(training && { training }) };
  if (isOfKind(model, 'trees')) return model.with(memory);
  if (isOfKind(model, 'net')) return model.with(memory);
  return isOfKind(model, 'linear') ? model.with(memory) : model;
}

export function isKind(name: unknown): name is ModelKindName {
  return typeof name === 'string' && Object.hasOwn(kinds, name);
}

/** Whether a model is of the kind: of its class, since a model of a program's may call itself anything. */
export function isOfKind<K extends ModelKindName>(model: Ranker, kind: K): model is ModelOf[K] {
  return model instanceof kinds[kind].model;
}
