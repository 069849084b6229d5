import { shapOf } from '../../analysis/shap.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { didYouMean } from '../../errors.js';
import { openModel } from '../../interop/open-model.js';
import { readFor } from '../../models/read-for.js';
import { shapDocument } from '../../report/analyses/shap.js';
import { usage } from '../command/option.js';
import type { ShapLine } from '../declarations/analyses/shap.js';
import type { Output } from '../output.js';
import { readBackground } from '../settings/background.js';
import { modelMatch, readOptions } from '../settings/data.js';
import { firstRows } from '../terminal/row-limit.js';
import type { AnalysisResult } from './analysis.js';

export async function shap({ args, options }: ShapLine, output: Output): Promise<AnalysisResult> {
  const { documents, interactions, feature: dependences, threads, seed } = options;
  const model = await openModel(args.model, { note: message => output.note(message) });
  const stray = dependences.find(name => !model.featureNames.includes(name));
  if (stray !== undefined) {
    throw usage(`the model has no feature ${JSON.stringify(stray)}${didYouMean(stray, model.featureNames)}`);
  }
  const background = await readBackground(model, options, output);
  const reading = { ...readFor(model, await readOptions(options, output)), unlabelled: true };
  const data = await readDataset(args.data, reading);
  const found = await shapOf(model, data, {
    ...modelMatch(options, output),
    documents,
    interactions,
    background,
    threads,
    seed,
    progress: output.shares('explaining'),
  });
  return {
    document: shapDocument({
      file: args.model,
      shap: found,
      documents: Array.from(found.rows, row => data.documentId(row)),
      dependences,
      first: firstRows(options),
    }),
    data: [{ file: args.data, data }],
    facts: {
      how: found.how,
      base: found.base,
      documents: found.rows.length,
      ...(found.interactions && { interactions: found.interactions }),
    },
    results: found.features.map(one => ({ ...one })),
  };
}
