/** One model, or two against each other, query by query. */
import { queryRowSteps } from '../../analysis/queries.js';
import { parseMeasures } from '../../measures/parse.js';
import { queriesDocument } from '../../report/analyses/queries.js';
import type { Block, Document } from '../../report/document.js';
import { inTurns } from '../../steps.js';
import type { View } from '../answers.js';
import { commandWith } from '../command-line.js';
import type { Workspace } from '../workspace.js';
import { type Asked, measureOf, modelsOver, view } from './view.js';

export function queriesView(workspace: Workspace, asked: Asked): Promise<View> {
  const { ids, query } = asked;
  const of = { data: [ids[0] ?? ''], models: query.getAll('model') };
  return workspace.answer(['queries', String(query)], of, () => madeOf(workspace, asked));
}

async function madeOf(workspace: Workspace, { ids: [dataId = ''], query }: Asked): Promise<View> {
  const { data, names, named, notes } = await modelsOver(workspace, dataId, query);
  const systems = await Promise.all(
    named.map(async ({ id }, m) => ({ name: names[m]!, data, scores: await workspace.scores(id, data) })),
  );
  const measures = parseMeasures(measureOf(query));
  const rows = await inTurns(
    queryRowSteps(
      systems,
      measures.map(({ measure }) => measure),
    ),
  );
  const asked = measures.map(one => one.asked);
  const document = queriesDocument({ rows, systems: names, measures: asked }, undefined);
  return view(
    linked(document, 'query', `#/query/${dataId}/{}?${query}`),
    commandWith(
      named,
      'analyse',
      'queries',
      workspace.fileOf(dataId),
      ...names.flatMap((name, m) => ['--system', `${name}=${named[m]!.file}`]),
      '-m',
      asked.join(','),
    ),
    notes,
  );
}

/** The document with values of a column leading somewhere. */
export function linked(document: Document, title: string, link: string): Document {
  const block = (one: Block): Block =>
    one.kind !== 'table'
      ? one
      : { ...one, columns: one.columns.map(column => (column.title === title ? { ...column, link } : column)) };
  return {
    ...document,
    sections: document.sections.map(section => ({ ...section, blocks: section.blocks.map(block) })),
  };
}
