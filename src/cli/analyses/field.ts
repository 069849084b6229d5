import { fieldSteps, fieldVerdict, type LambdaField } from '../../analysis/field/lambda-field.js';
import { queryNumber } from '../../analysis/scored-query.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { quote } from '../../errors.js';
import { openModel } from '../../interop/open-model.js';
import { readFor } from '../../models/read-for.js';
import { scoreDataOnThreads } from '../../models/scoring-threads.js';
import { parseObjective } from '../../objectives/parse.js';
import { loadLibrary } from '../../objectives/plugin.js';
import { fieldDocument, lambdasAt } from '../../report/analyses/field.js';
import { inTurns } from '../../steps.js';
import { invalid } from '../command/option.js';
import type { FieldLine } from '../declarations/analyses/field.js';
import type { Output } from '../output.js';
import { readOptions, scoringOptions } from '../settings/data.js';
import type { AnalysisResult } from './analysis.js';

export async function field({ args, options }: FieldLine, output: Output): Promise<AnalysisResult> {
  const { data: file, model: modelFile } = args;
  const library = await loadLibrary(options.load);
  const specs = options.objective.length > 0 ? options.objective : ['ranknet', 'lambdarank(ndcg)'];
  const objectives = specs.map(spec => parseObjective(spec, library));
  const note = (message: string) => output.note(message);
  const model = modelFile === undefined ? undefined : await openModel(modelFile, { note });
  const read = await readOptions(options, output);
  const data = await readDataset(file, model === undefined ? read : readFor(model, read));
  const settings = {
    queries: options.queries,
    query: options.query,
    mostDocuments: options.mostDocuments,
    points: model === undefined && options.at === undefined ? options.points : 1,
    spread: options.deviation,
    loops: options.loops,
    seed: options.seed,
  };
  const scoring = scoringOptions(options, output);
  const scores =
    options.at !== undefined
      ? scoresAt(options.at, data, options.query!)
      : model && (await scoreDataOnThreads(model, data, scoring.threads, scoring));
  const progress = output.shares('looking');
  const fields: LambdaField[] = [];
  for (const [o, objective] of objectives.entries()) {
    const steps = fieldSteps(objective, data, { ...settings, scores });
    fields.push(await inTurns(steps, share => progress((o + share) / objectives.length)));
  }
  return {
    document: fieldDocument(fields, data),
    data: [{ file, data }],
    facts: { ...settings, scores: options.at ?? modelFile ?? 'random' },
    results: fields.map(of => toJson(of, data)),
  };
}

/** One a row, of which only those of the query are looked at. */
function scoresAt(given: readonly number[], data: Dataset, query: string): Float64Array {
  const q = queryNumber(data, query);
  const [from, to] = [data.offsets[q]!, data.offsets[q + 1]!];
  if (given.length !== to - from)
    throw invalid(`--at is a score for each document: query ${quote(query)} has ${to - from}, found ${given.length}`);
  const scores = new Float64Array(data.rows);
  scores.set(given, from);
  return scores;
}

function toJson(of: LambdaField, data: Dataset): Record<string, unknown> {
  const { points, ...rest } = of;
  const [first] = points;
  return {
    ...rest,
    points: points.length,
    verdict: fieldVerdict(of),
    lambdas: { query: data.queryIds[first!.query], documents: lambdasAt(first!, data) },
  };
}
