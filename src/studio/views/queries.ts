/** One model, or two against each other, query by query. */
import { queryRowSteps } from '../../analysis/queries.js';
import { parseMeasures } from '../../measures/parse.js';
import { EVERY_QUERY, queriesDocument } from '../../report/analyses/queries.js';
import { cellValue } from '../../report/cells.js';
import { distinct } from '../../report/distinct.js';
import type { Block, Document, TableBlock } from '../../report/document.js';
import { rowsInOrder } from '../../report/row-order.js';
import { inTurns } from '../../steps.js';
import type { Neighbours, View } from '../answers.js';
import { commandWith } from '../command-line.js';
import { orderOf, SORT } from '../kept-orders.js';
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
    linked(document, 'query', `#/query/${encodeURIComponent(dataId)}/{}?${query}`),
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

/** Which come before and after a query in the list, in the order that the address has. */
export async function neighboursView(
  workspace: Workspace,
  { ids: [dataId = '', q = ''], query }: Asked,
): Promise<Neighbours> {
  const of = { data: [dataId], models: query.getAll('model') };
  // Whoever goes through the list asks for every query's: it is sorted once.
  const { ids, places } = await workspace.answer(['order', String(query)], of, () =>
    orderedIds(workspace, dataId, query),
  );
  const at = places.get(q);
  return at === undefined ? {} : { previous: ids[at - 1], next: ids[at + 1] };
}

interface OrderedIds {
  readonly ids: readonly string[];
  readonly places: ReadonlyMap<string, number>;
}

async function orderedIds(workspace: Workspace, dataId: string, query: URLSearchParams): Promise<OrderedIds> {
  const ofList = new URLSearchParams(query);
  ofList.delete(SORT);
  const { document } = await queriesView(workspace, { ids: [dataId], query: ofList });
  const blocks = document.sections.flatMap(section => section.blocks);
  const { columns, rows } = blocks.find((one): one is TableBlock => one.kind === 'table' && one.title === EVERY_QUERY)!;
  const names = distinct(columns.map(({ title }) => title));
  const order = orderOf(EVERY_QUERY, query.getAll(SORT));
  const ids = rowsInOrder(rows, names, order, (row, c) => cellValue(row[c]!)).map(row => String(row[0]));
  return { ids, places: new Map(ids.map((id, i) => [id, i])) };
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
