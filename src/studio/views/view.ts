/** What every view is made of. */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import { isObject } from '../../io/is-object.js';
import type { Ranker } from '../../models/ranker.js';
import type { Document } from '../../report/document.js';
import { shownOn } from '../../report/shown-on.js';
import type { View } from '../answers.js';
import { distinct } from '../distinct.js';
import type { Named, Workspace } from '../workspace.js';

/** Parts of an address after its first word, and what stands behind the question mark. */
export interface Asked {
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
}

export function view(document: Document, command: string): View {
  return { document: { ...document, sections: shownOn('page', document.sections) }, command };
}

/** What a request says, as far as it is an object. */
export function asObject(body: unknown): Readonly<Record<string, unknown>> {
  return isObject(body) ? body : {};
}

export const DEFAULT_MEASURE = 'ndcg@10';

export function measureOf(query: URLSearchParams): string {
  return query.get('measure') ?? DEFAULT_MEASURE;
}

export interface ModelsOver {
  readonly data: Dataset;
  readonly models: readonly Ranker[];
  /** As they are called here: no two alike. */
  readonly names: readonly string[];
  readonly named: readonly Named[];
}

/** One model or two, and the data as they read it. */
export async function modelsOver(workspace: Workspace, dataId: string, query: URLSearchParams): Promise<ModelsOver> {
  const ids = query.getAll('model');
  if (ids.length < 1 || ids.length > 2) throw new ListwiseError('request-invalid', 'give one model or two');
  return theseModels(workspace, dataId, ids);
}

export async function theseModels(workspace: Workspace, dataId: string, ids: readonly string[]): Promise<ModelsOver> {
  const [models, named] = await Promise.all([
    Promise.all(ids.map(id => workspace.model(id))),
    Promise.all(ids.map(id => workspace.modelNamed(id))),
  ]);
  const data = await workspace.dataset(dataId, models);
  return { data, models, named, names: distinct(named.map(({ name }) => name)) };
}
