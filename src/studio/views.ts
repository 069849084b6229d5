/** What each address of the studio answers: documents as those of report pages, and the command for each. */

import { queryRowSteps } from '../analysis/queries.js';
import { queryNumber } from '../analysis/scored-query.js';
import { whySteps } from '../analysis/why.js';
import type { Dataset } from '../data/dataset.js';
import { inspectSteps } from '../data/inspect.js';
import { ListwiseError } from '../errors.js';
import { parseMeasures } from '../measures/parse.js';
import { DatasetView } from '../measures/query-view.js';
import { lambdaSteps } from '../objectives/objective.js';
import { parseObjective } from '../objectives/parse.js';
import { queriesDocument } from '../report/analyses/queries.js';
import { whyDocument } from '../report/analyses/why.js';
import { inspectDocument } from '../report/commands/inspect.js';
import type { Document } from '../report/document.js';
import { shownOn } from '../report/shown-on.js';
import { inTurns } from '../steps.js';
import { bestOf, runDocument, runsDocument } from './run-documents.js';
import type { StudioRun, Workspace } from './workspace.js';

export interface View {
  readonly document: Document;
  /** The command line that gives the same. */
  readonly command: string;
}

/** Parts of an address after its first word, and what stands behind the question mark. */
export interface Asked {
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
}

const view = (document: Document, command: string): View => ({
  document: { ...document, sections: shownOn('page', document.sections) },
  command: `listwise ${command}`,
});

/** All that the first page shows. */
export async function overview(workspace: Workspace): Promise<object> {
  const runs = await workspace.runs();
  const [models, marks] = await Promise.all([workspace.models(runs), workspace.marks()]);
  return {
    runs: runs.map(run => ({ ...rowOf(run), mark: marks[run.id] ?? { star: false, note: '' } })),
    models: models.map(({ id, name }) => ({ id, name })),
    data: workspace.data.map(({ id, name }) => ({ id, name })),
  };
}

function rowOf({ id, name, run, results, hasModel, hasReport }: StudioRun): object {
  const { command, times, options } = run.record;
  return {
    id,
    name,
    command,
    state: run.state,
    model: String(options.model ?? ''),
    objective: String(options.objective ?? ''),
    best: bestOf(results),
    started: times.started,
    ended: times.ended,
    hasModel,
    hasReport,
  };
}

export async function runView(workspace: Workspace, { ids }: Asked): Promise<View> {
  const run = await workspace.run(ids.join('/'));
  return view(runDocument({ run, log: await run.run.readLog() }), run.run.record.commandLine.join(' '));
}

export async function compareView(workspace: Workspace, { query }: Asked): Promise<View> {
  const runs = await Promise.all(query.getAll('run').map(id => workspace.run(id)));
  if (runs.length < 2) throw new ListwiseError('request-invalid', 'give two runs or more to compare');
  const followed = await Promise.all(runs.map(async run => ({ run, log: await run.run.readLog() })));
  const systems = runs.map(({ name, run }) => `--system ${name}=${run.path('model')}`).join(' ');
  return view(runsDocument(followed), `compare DATA ${systems}`);
}

export async function dataView(workspace: Workspace, { ids: [id = ''] }: Asked): Promise<View> {
  const { file, name } = workspace.dataNamed(id);
  const data = await workspace.dataset(id);
  const inspection = await inTurns(inspectSteps(data));
  return view(inspectDocument({ inspection, data, title: name }), `inspect ${file}`);
}

/** One model, or two against each other, query by query. */
export async function queriesView(workspace: Workspace, { ids: [dataId = ''], query }: Asked): Promise<View> {
  const { data, ids, names, files } = await modelsOver(workspace, dataId, query);
  const systems = await Promise.all(
    ids.map(async (id, m) => ({ name: names[m]!, data, scores: await workspace.scores(id, dataId, data) })),
  );
  const measures = parseMeasures(query.get('measure') ?? 'ndcg@10');
  const rows = await inTurns(
    queryRowSteps(
      systems,
      measures.map(({ measure }) => measure),
    ),
  );
  const asked = measures.map(one => one.asked);
  const flags = names.map((name, m) => `--system ${name}=${files[m]}`).join(' ');
  return view(
    queriesDocument({ rows, systems: names, measures: asked }, undefined),
    `analyse queries ${workspace.dataNamed(dataId).file} ${flags} -m ${asked.join(',')}`,
  );
}

/** Two rankings of one query side by side, and what moved its documents. */
export async function queryView(workspace: Workspace, { ids: [dataId = '', q = ''], query }: Asked): Promise<View> {
  const { data, models, names, files } = await modelsOver(workspace, dataId, query);
  const [a, b = a] = models;
  const measures = parseMeasures(query.get('measure') ?? 'ndcg@10');
  const why = await inTurns(whySteps([a!, b!], data, q, { measures: measures.map(({ measure }) => measure) }));
  return view(
    whyDocument(
      why,
      [names[0]!, names[1] ?? names[0]!],
      measures.map(one => one.asked),
      undefined,
    ),
    `analyse why ${files.join(' ')} ${workspace.dataNamed(dataId).file} --query ${q}`,
  );
}

/** Documents of a query with their scores: where the picture of lambdas starts. */
export async function documentsView(
  workspace: Workspace,
  { ids: [dataId = '', q = ''], query }: Asked,
): Promise<object> {
  const modelId = query.get('model');
  const model = modelId === null ? undefined : await workspace.model(modelId);
  const data = await workspace.dataset(dataId, model === undefined ? [] : [model]);
  const number = q === '' ? 0 : queryNumber(data, q);
  const [from, to] = [data.offsets[number]!, data.offsets[number + 1]!];
  const scores = modelId === null ? undefined : await workspace.scores(modelId, dataId, data);
  const labels = data.label();
  return {
    query: data.queryIds[number],
    documents: Array.from({ length: to - from }, (_, i) => ({
      document: data.documentId(from + i),
      label: Number.isNaN(labels[from + i]!) ? undefined : labels[from + i],
      score: scores?.[from + i] ?? 0,
    })),
  };
}

/** What an objective would do to the documents of a query at the scores that the request gives. */
export async function lambdasView(
  workspace: Workspace,
  { ids: [dataId = '', q = ''] }: Asked,
  body: unknown,
): Promise<object> {
  const {
    objective: spec,
    scores,
    model: modelId,
  } = body as { objective?: unknown; scores?: unknown; model?: unknown };
  if (typeof spec !== 'string' || !Array.isArray(scores) || !scores.every(Number.isFinite))
    throw new ListwiseError('request-invalid', 'give an objective, and a score for each document');
  const models = typeof modelId === 'string' ? [await workspace.model(modelId)] : [];
  const data = await workspace.dataset(dataId, models);
  const number = queryNumber(data, q);
  const start = data.offsets[number]!;
  const n = data.offsets[number + 1]! - start;
  if (scores.length !== n)
    throw new ListwiseError('request-invalid', `the query has ${n} documents, found ${scores.length} scores`);
  const objective = parseObjective(spec);
  const lambda = new Float64Array(n);
  const at = new DatasetView(data).moveTo(number, Float64Array.from(scores as number[]), start);
  const pairs = await inTurns(
    lambdaSteps(objective.start(data, 'reference'), at, { lambda, hessian: new Float64Array(n) }),
  );
  return { objective: objective.spec, pairs, lambdas: [...lambda] };
}

async function modelsOver(workspace: Workspace, dataId: string, query: URLSearchParams) {
  const ids = query.getAll('model');
  if (ids.length < 1 || ids.length > 2) throw new ListwiseError('request-invalid', 'give one model or two');
  const [models, named] = await Promise.all([
    Promise.all(ids.map(id => workspace.model(id))),
    Promise.all(ids.map(id => workspace.modelNamed(id))),
  ]);
  const data: Dataset = await workspace.dataset(dataId, models);
  const names = named.map(({ name }, m) => (named.findIndex(one => one.name === name) < m ? `${name} (2)` : name));
  return { ids, models, data, names, files: named.map(({ file }) => file) };
}
