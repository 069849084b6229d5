/** A query as two rankings side by side, and one of its documents. */
import { ofEachModel } from '../../analysis/of-each-model.js';
import { scoreOfDocumentSteps } from '../../analysis/score-of-document.js';
import { queryNumber, scoreQuery } from '../../analysis/scored-query.js';
import { whySteps } from '../../analysis/why.js';
import { whyAboveSteps } from '../../analysis/why-documents.js';
import { parseMeasures } from '../../measures/parse.js';
import { scoreOfDocumentDocument } from '../../report/analyses/score-of-document.js';
import { whyDocument } from '../../report/analyses/why.js';
import { whyDocumentsDocument } from '../../report/analyses/why-documents.js';
import type { Block, Document, TableBlock } from '../../report/document.js';
import { inTurns } from '../../steps.js';
import type { DocumentView, View } from '../answers.js';
import { commandWith } from '../command-line.js';
import type { Workspace } from '../workspace.js';
import { linked } from './queries.js';
import { type Asked, MATCH, type ModelsOver, measureOf, modelsOver, view } from './view.js';

/** Two rankings of one query side by side, and what moved its documents. */
export async function queryView(workspace: Workspace, { ids: [dataId = '', q = ''], query }: Asked): Promise<View> {
  const { data, models, names, named, notes } = await modelsOver(workspace, dataId, query);
  const [a, b = a] = models;
  const measures = parseMeasures(measureOf(query));
  const why = await inTurns(
    whySteps([a!, b!], data, q, { ...MATCH, measures: measures.map(({ measure }) => measure) }),
  );
  const asked = measures.map(one => one.asked);
  const document = whyDocument(why, [names[0]!, names[1] ?? names[0]!], asked, data.label(), undefined);
  const files = named.map(({ file }) => file);
  return view(
    withTitles(
      linked(document, 'document', `#/document/${[dataId, q].map(encodeURIComponent).join('/')}/{}?${query}`),
      await workspace.titles(),
      linkOf(workspace, q, query),
    ),
    commandWith(
      named,
      'analyse',
      'why',
      files[0]!,
      files[1] ?? files[0]!,
      workspace.fileOf(dataId),
      '--query',
      q,
      '-m',
      asked.join(','),
    ),
    notes,
  );
}

/** What gives one document its score; or why it is above or below another. */
export async function documentView(
  workspace: Workspace,
  { ids: [dataId = '', q = '', id = ''], query }: Asked,
): Promise<DocumentView> {
  const over = await modelsOver(workspace, dataId, query);
  const file = workspace.fileOf(dataId);
  const other = query.get('against') ?? '';
  const { data, models } = over;
  const number = queryNumber(data, q);
  const { order } = scoreQuery(models.at(-1)!, data, number, MATCH);
  const ids = Array.from(order, i => data.documentId(data.offsets[number]! + i));
  const titles = await workspace.titles();
  return {
    ...(await (other === '' ? alone(over, q, id, file) : against(over, q, [id, other], file))),
    others: ids.filter(one => one !== id),
    title: titles.get(id),
    link: linkOf(workspace, q, query)?.replaceAll('{}', encodeURIComponent(id)),
  };
}

async function alone(over: ModelsOver, q: string, id: string, file: string): Promise<View> {
  const found = await ofEachModel(over, model => scoreOfDocumentSteps(model, over.data, q, id, MATCH));
  return view(scoreOfDocumentDocument(q, found), whyCommand(over, file, q, [id]), over.notes);
}

async function against(over: ModelsOver, q: string, two: readonly [string, string], file: string): Promise<View> {
  const found = await ofEachModel(over, model => whyAboveSteps(model, over.data, q, two, MATCH));
  return view(whyDocumentsDocument(q, found, undefined), whyCommand(over, file, q, two), over.notes);
}

function whyCommand({ named }: ModelsOver, file: string, q: string, documents: readonly string[]): string {
  const files = named.map(one => one.file);
  const asked = documents.flatMap(document => ['--document', document]);
  return commandWith(named, 'analyse', 'why', ...files, file, '--query', q, ...asked);
}

/** The address of documents, `{}` for the document; what the page asks for goes before what the command said. */
function linkOf({ link }: Workspace, q: string, query: URLSearchParams): string | undefined {
  const template = query.get('link') || link;
  if (template === undefined || !/^https?:\/\//.test(template)) return undefined;
  return template.replaceAll('{query}', encodeURIComponent(q)).replaceAll('{document}', '{}');
}

/** Tables of documents with their titles, and with what leads to them. */
function withTitles(document: Document, titles: ReadonlyMap<string, string>, link: string | undefined): Document {
  if (titles.size === 0 && link === undefined) return document;
  const added = (table: TableBlock): TableBlock => {
    const at = table.columns.findIndex(({ title }) => title === 'document');
    if (at < 0) return table;
    const name = (row: TableBlock['rows'][number]) => String(row[at]);
    return {
      ...table,
      columns: [
        ...table.columns.slice(0, at + 1),
        ...(titles.size === 0 ? [] : [{ title: 'title' }]),
        ...(link === undefined ? [] : [{ title: 'address', link }]),
        ...table.columns.slice(at + 1),
      ],
      rows: table.rows.map(row => [
        ...row.slice(0, at + 1),
        ...(titles.size === 0 ? [] : [titles.get(name(row)) ?? '']),
        ...(link === undefined ? [] : [name(row)]),
        ...row.slice(at + 1),
      ]),
    };
  };
  const block = (one: Block): Block => (one.kind === 'table' ? added(one) : one);
  return {
    ...document,
    sections: document.sections.map(section => ({ ...section, blocks: section.blocks.map(block) })),
  };
}
