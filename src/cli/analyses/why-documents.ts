/** `analyse why` of named documents: what makes the score of one, or why a model has one above the other. */
import { ofEachModel } from '../../analysis/of-each-model.js';
import { scoreOfDocumentSteps } from '../../analysis/score-of-document.js';
import { whyAboveSteps } from '../../analysis/why-documents.js';
import type { Dataset, FeatureBlock } from '../../data/dataset.js';
import type { Ties } from '../../measures/query-view.js';
import type { Ranker } from '../../models/ranker.js';
import { scoreOfDocumentDocument } from '../../report/analyses/score-of-document.js';
import { whyDocumentsDocument } from '../../report/analyses/why-documents.js';
import { listed } from '../../report/words.js';
import { usage } from '../command/option.js';
import type { WhyLine } from '../declarations/analyses/why.js';
import type { Output } from '../output.js';
import { readBackground } from '../settings/background.js';
import { modelMatch } from '../settings/data.js';
import { firstRows } from '../terminal/row-limit.js';
import type { AnalysisResult } from './analysis.js';

export interface WhyInputs {
  readonly names: readonly string[];
  readonly models: readonly Ranker[];
  readonly file: string;
  readonly data: Dataset;
  readonly ties: Ties;
}

export async function whyOfNamed(
  inputs: WhyInputs,
  query: string,
  documents: readonly string[],
  options: WhyLine['options'],
  output: Output,
): Promise<AnalysisResult> {
  const [first, second, ...more] = documents;
  const match = { ...modelMatch(options, output), labels: options.label, ties: inputs.ties };
  if (second === undefined && !options.shapley) {
    const steps = (model: Ranker) => scoreOfDocumentSteps(model, inputs.data, query, first!, match);
    const found = await ofEachModel(inputs, steps, output.shares('explaining'));
    return {
      document: scoreOfDocumentDocument(query, found, firstRows(options)),
      data: [inputs],
      facts: { query, documents },
      results: found.map(({ document: ranked, ...one }) => ({ ...one, ranked })),
    };
  }
  if (second === undefined || more.length > 0 || first === second) {
    const few = options.shapley ? 'give --document twice' : 'give --document once or twice';
    throw usage(`${few}, for documents of the query; found ${listed(documents)}`);
  }
  const backgrounds = new Map<Ranker, FeatureBlock | undefined>();
  for (const model of inputs.models) backgrounds.set(model, await readBackground(model, options, output));
  const steps = (model: Ranker) =>
    whyAboveSteps(model, inputs.data, query, [first!, second], {
      ...match,
      shapley: options.shapley,
      background: backgrounds.get(model),
    });
  const found = await ofEachModel(inputs, steps, output.shares('explaining'));
  return {
    document: whyDocumentsDocument(query, found, firstRows(options)),
    data: [inputs],
    facts: { query, documents: [first, second] },
    results: found.map(({ documents: pair, ...one }) => ({ ...one, ranked: pair })),
  };
}
