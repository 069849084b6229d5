/** `analyse why` of two documents: why each model has one above the other. */
import { whyAboveSteps } from '../../analysis/why-documents.js';
import type { Dataset } from '../../data/dataset.js';
import type { Ties } from '../../measures/query-view.js';
import type { Ranker } from '../../models/ranker.js';
import { type WhyOfModel, whyDocumentsDocument } from '../../report/analyses/why-documents.js';
import { listed } from '../../report/words.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import type { WhyLine } from '../declarations/analyses/why.js';
import type { Output } from '../output.js';
import { readBackground } from '../settings/background.js';
import { matchOptions } from '../settings/data.js';
import { firstRows } from '../terminal/row-limit.js';
import type { AnalysisResult } from './analysis.js';

export interface WhyInputs {
  readonly names: readonly string[];
  readonly models: readonly Ranker[];
  readonly file: string;
  readonly data: Dataset;
  readonly ties: Ties;
}

export async function whyOfPair(
  { names, models, file, data, ties }: WhyInputs,
  query: string,
  documents: readonly string[],
  options: WhyLine['options'],
  output: Output,
): Promise<AnalysisResult> {
  const [first, second, ...more] = documents;
  if (second === undefined || more.length > 0 || first === second) {
    throw usage(`give --document twice, for two documents of the query; found ${listed(documents)}`);
  }
  const progress = output.shares('explaining');
  const found: WhyOfModel[] = [];
  for (const [m, model] of models.entries()) {
    const steps = whyAboveSteps(model, data, query, [first!, second], {
      ...matchOptions(options, output),
      labels: options.label,
      ties,
      shapley: options.shapley,
      background: await readBackground(model, options, output),
    });
    const why = await inTurns(steps, share => progress((m + share) / models.length));
    found.push({ model: names[m]!, ...why });
  }
  return {
    document: whyDocumentsDocument(query, found, firstRows(options)),
    data: [{ file, data }],
    facts: { query, documents: [first, second] },
    results: found.map(({ documents: pair, ...one }) => ({ ...one, ranked: pair })),
  };
}
