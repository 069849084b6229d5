import { whySteps } from '../../analysis/why.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { isModelFile, openModel } from '../../interop/open-model.js';
import { readForAll } from '../../models/read-for.js';
import { whyDocument } from '../../report/analyses/why.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import type { WhyLine } from '../declarations/analyses/why.js';
import type { Output } from '../output.js';
import { modelMatch, readOptions } from '../settings/data.js';
import { readEvaluation } from '../settings/evaluation.js';
import { firstRows } from '../terminal/row-limit.js';
import type { AnalysisResult } from './analysis.js';
import { whyOfNamed } from './why-documents.js';

export async function why({ inputs, options }: WhyLine, output: Output): Promise<AnalysisResult> {
  const { query, document: documents, label: labels } = options;
  const evaluation = await readEvaluation(options, output);
  const { names, models, file } = await readInputs(inputs, documents.length > 0 ? 1 : 2, output);
  const data = await readDataset(file, readForAll(models, await readOptions(options, output)));
  if (documents.length > 0)
    return whyOfNamed({ names, models, file, data, ties: evaluation.ties }, query, documents, options, output);
  const steps = whySteps([models[0]!, models[1]!], data, query, {
    ...modelMatch(options, output),
    ties: evaluation.ties,
    measures: evaluation.measures.map(({ measure }) => measure),
    labels,
  });
  const result = await inTurns(steps, output.shares('explaining'));
  const asked = evaluation.measures.map(one => one.asked);
  return {
    document: whyDocument(result, names, asked, data.label(labels), firstRows(options)),
    data: [{ file, data }],
    facts: {
      query,
      a: names[0],
      b: names[1],
      contributions: result.how,
      measures: result.measures.map(({ a, b }, m) => ({ measure: asked[m], a, b })),
      features: result.features,
    },
    results: result.documents.map(document => ({ ...document })),
  };
}

/** Model files, a and b in their order, and the data; an input that starts as model files do is a model. */
async function readInputs(inputs: readonly string[], least: number, output: Output) {
  const isModel = await Promise.all(inputs.map(isModelFile));
  const files = inputs.filter((_, i) => isModel[i]);
  const [file] = inputs.filter((_, i) => !isModel[i]);
  if (files.length < least || files.length > 2 || inputs.length > files.length + 1 || file === undefined) {
    const wanted = least === 2 ? 'two model files' : 'one model file or two';
    throw usage(`give ${wanted} and one DATA, found ${files.length} and ${inputs.length - files.length}`);
  }
  const options = { note: (message: string) => output.note(message) };
  const models = await Promise.all(files.map(file => openModel(file, options)));
  return { names: files, models, file };
}
