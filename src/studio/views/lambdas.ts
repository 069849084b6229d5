/** The documents of a query, and what an objective would do to them. */
import { hasDifferentLabels, setApart } from '../../analysis/field/lambda-field.js';
import { queryNumber, scoreQuery } from '../../analysis/scored-query.js';
import { ListwiseError } from '../../errors.js';
import { DatasetView } from '../../measures/query-view.js';
import { lambdaSteps } from '../../objectives/objective.js';
import { parseObjective } from '../../objectives/parse.js';
import { labelColours } from '../../report/words.js';
import { inTurns } from '../../steps.js';
import type { QueryDocuments, QueryLambdas } from '../answers.js';
import { commandWith } from '../command-line.js';
import type { Workspace } from '../workspace.js';
import { type Asked, asObject, MATCH } from './view.js';

/** Documents of a query with their scores: where the picture of lambdas starts. */
export async function documentsView(
  workspace: Workspace,
  { ids: [dataId = '', q = ''], query }: Asked,
): Promise<QueryDocuments> {
  const modelId = query.get('model');
  const training = workspace.trainings.ofModel(modelId ?? '');
  const asked = query.get('iteration') === null ? training?.iterations[0] : Number(query.get('iteration'));
  const model = modelId === null ? undefined : await workspace.model(modelId, asked);
  const data = await workspace.dataset(dataId, model === undefined ? [] : [model]);
  const number = q === '' ? 0 : queryNumber(data, q);
  const [from, to] = [data.offsets[number]!, data.offsets[number + 1]!];
  const scores = model === undefined ? undefined : scoreQuery(model, data, number, MATCH).scores;
  const labels = data.label();
  const colourOf = labelColours(labels);
  return {
    query: data.queryIds[number]!,
    documents: Array.from({ length: to - from }, (_, i) => ({
      document: data.documentId(from + i),
      label: Number.isNaN(labels[from + i]!) ? undefined : labels[from + i],
      colour: colourOf(labels[from + i]!),
      score: scores?.[i] ?? 0,
    })),
    ...(training && { iterations: training.iterations, iteration: training.at(asked).iteration }),
  };
}

/** What an objective would do to the documents of a query at the scores that the request gives. */
export async function lambdasView(
  workspace: Workspace,
  { ids: [dataId = '', q = ''] }: Asked,
  body: unknown,
): Promise<QueryLambdas> {
  const { objective: spec, scores, model: modelId } = asObject(body);
  if (typeof spec !== 'string' || !Array.isArray(scores) || !scores.every(Number.isFinite))
    throw new ListwiseError('request-invalid', 'give an objective, and a score for each document');
  const named = typeof modelId === 'string' ? await workspace.modelNamed(modelId) : undefined;
  const models = named === undefined ? [] : [await workspace.model(named.id)];
  const data = await workspace.dataset(dataId, models);
  const number = queryNumber(data, q);
  const start = data.offsets[number]!;
  const n = data.offsets[number + 1]! - start;
  if (scores.length !== n)
    throw new ListwiseError('request-invalid', `the query has ${n} documents, found ${scores.length} scores`);
  const objective = parseObjective(spec);
  const lambda = new Float64Array(n);
  const given = Float64Array.from(scores as number[]);
  const ofModel = models.some(model =>
    scoreQuery(model, data, number, MATCH).scores.every((one, i) => one === given[i]),
  );
  setApart(given);
  const at = new DatasetView(data).moveTo(number, given, start);
  const pairs = await inTurns(
    lambdaSteps(objective.start(data, 'reference'), at, { lambda, hessian: new Float64Array(n) }),
  );
  // Of a model that is in a file already, data is read as the model says; other scores are given one by one.
  const files = named === undefined || (!ofModel && named.madeBy !== undefined) ? [] : [named];
  const command = commandWith(
    files,
    'analyse',
    'field',
    workspace.fileOf(dataId),
    ...files.map(({ file }) => file),
    '--query',
    q,
    '--objective',
    spec,
    ...(ofModel ? [] : ['--at', scores.join(',')]),
  );
  return {
    objective: objective.spec,
    pairs,
    lambdas: [...lambda],
    command: hasDifferentLabels(objective, data, number) ? command : '',
  };
}
