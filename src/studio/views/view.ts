/** What every view is made of. */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import { isObject } from '../../io/is-object.js';
import { type MatchOptions, matchFeatures } from '../../models/match-features.js';
import type { Ranker } from '../../models/ranker.js';
import { distinct } from '../../report/distinct.js';
import type { Document } from '../../report/document.js';
import { shownOn } from '../../report/shown-on.js';
import type { View } from '../answers.js';
import { DEFAULT_MEASURE } from '../default-measure.js';
import type { Named, Workspace } from '../workspace.js';

/** Parts of an address after its first word, and what stands behind the question mark. */
export interface Asked {
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
}

/** `notes` are what a command would say beside its output. */
export function view(document: Document, command: string, notes: readonly string[] = []): View {
  const blocks = notes.map(text => ({ kind: 'text', text: `${text}.` }) as const);
  const remarks = blocks.length === 0 ? [] : [{ title: 'Remarks', blocks }];
  return { document: { ...document, sections: [...shownOn('page', document.sections), ...remarks] }, command };
}

/** As commands over models match features: those that a model does not know are left out, and said. */
export const MATCH: MatchOptions = { others: 'ignore' };

/** What a request says, as far as it is an object. */
export function asObject(body: unknown): Readonly<Record<string, unknown>> {
  return isObject(body) ? body : {};
}

export function measureOf(query: URLSearchParams): string {
  return query.get('measure') ?? DEFAULT_MEASURE;
}

export interface ModelsOver {
  readonly data: Dataset;
  readonly models: readonly Ranker[];
  /** As they are called here: no two alike. */
  readonly names: readonly string[];
  readonly named: readonly Named[];
  /** Which features each leaves out. */
  readonly notes: readonly string[];
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
  const names = distinct(named.map(({ name }) => name));
  const notes: string[] = [];
  for (const [m, model] of models.entries())
    matchFeatures(model, data, { ...MATCH, note: text => notes.push(`${names[m]}: ${text}`) });
  return { data, models, named, names, notes };
}
