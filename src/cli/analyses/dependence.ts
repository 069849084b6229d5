import { partialDependence } from '../../analysis/partial-dependence.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { openModel } from '../../interop/open-model.js';
import { readFor } from '../../models/read-for.js';
import { dependenceDocument } from '../../report/analyses/dependence.js';
import { usage } from '../command/option.js';
import type { DependenceLine } from '../declarations/analyses/dependence.js';
import type { Output } from '../output.js';
import { modelMatch, readOptions } from '../settings/data.js';
import { firstRows } from '../terminal/row-limit.js';
import type { AnalysisResult } from './analysis.js';

export async function dependence({ args, options }: DependenceLine, output: Output): Promise<AnalysisResult> {
  const { feature: features, documents, points, seed } = options;
  if (features.length === 0) throw usage('give --feature NAME: a feature to look at');
  const model = await openModel(args.model, { note: message => output.note(message) });
  const reading = { ...readFor(model, await readOptions(options, output)), unlabelled: true };
  const data = await readDataset(args.data, reading);
  const found = partialDependence(model, data, features, { ...modelMatch(options, output), documents, points, seed });
  return {
    document: dependenceDocument(args.model, found, firstRows(options)),
    data: [{ file: args.data, data }],
    results: found.map(one => ({ ...one })),
  };
}
