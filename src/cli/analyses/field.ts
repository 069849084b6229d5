import { fieldSteps, fieldVerdict, type LambdaField } from '../../analysis/field/lambda-field.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { openModel } from '../../interop/open-model.js';
import { readFor } from '../../models/read-for.js';
import { scoreDataOnThreads } from '../../models/scoring-threads.js';
import { parseObjective } from '../../objectives/parse.js';
import { loadLibrary } from '../../objectives/plugin.js';
import { fieldDocument, lambdasAt } from '../../report/analyses/field.js';
import { inTurns } from '../../steps.js';
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
    points: model === undefined ? options.points : 1,
    spread: options.deviation,
    loops: options.loops,
    seed: options.seed,
  };
  const scoring = scoringOptions(options, output);
  const scores = model && (await scoreDataOnThreads(model, data, scoring.threads, scoring));
  const progress = output.shares('looking');
  const fields: LambdaField[] = [];
  for (const [o, objective] of objectives.entries()) {
    const steps = fieldSteps(objective, data, { ...settings, scores });
    fields.push(await inTurns(steps, share => progress((o + share) / objectives.length)));
  }
  return {
    document: fieldDocument(fields, data),
    data: [{ file, data }],
    facts: { ...settings, scores: modelFile ?? 'random' },
    results: fields.map(of => toJson(of, data)),
  };
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
