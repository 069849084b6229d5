import { permutationSteps, type ShuffleScope } from '../../analysis/importance.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { openModel } from '../../interop/open-model.js';
import type { Ranker } from '../../models/ranker.js';
import { readFor } from '../../models/read-for.js';
import { featureRows, importanceDocument, type Permutation } from '../../report/analyses/importance.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import type { ImportanceLine } from '../declarations/analyses/importance.js';
import type { Output } from '../output.js';
import { modelMatch, readOptions } from '../settings/data.js';
import { readEvaluation } from '../settings/evaluation.js';
import { firstRows } from '../terminal/row-limit.js';
import type { AnalysisResult } from './analysis.js';

export async function importance({ args, options }: ImportanceLine, output: Output): Promise<AnalysisResult> {
  const { model: modelFile, data: dataName } = args;
  const model = await openModel(modelFile, { note: message => output.note(message) });
  if (dataName === undefined && model.splitUse?.() === undefined) {
    throw usage(`a ${model.kind} model has no splits to count; give DATA for importance by permutation`);
  }
  const evaluated = dataName === undefined ? undefined : await permute(model, dataName, options, output);
  const rows = featureRows(model, evaluated);
  return {
    document: importanceDocument(modelFile, model, evaluated, firstRows(options)),
    data: evaluated === undefined ? [] : [{ file: dataName!, data: evaluated.data }],
    results: rows.map(({ drops, ...row }) => ({
      ...row,
      ...(drops && {
        drops: drops.map(({ mean, deviation }, m) => ({ measure: evaluated!.asked[m], mean, deviation })),
      }),
    })),
    ...(evaluated && {
      facts: {
        measures: rows[0]?.drops?.map(({ value }, m) => ({ measure: evaluated.asked[m], value })) ?? [],
        repeats: evaluated.repeats,
        within: evaluated.within,
      },
    }),
  };
}

interface Permuted extends Permutation {
  readonly data: Dataset;
  readonly within: ShuffleScope;
}

const scopeWords: Record<ShuffleScope, string> = {
  query: 'among the documents of each query',
  data: 'among all documents',
};

async function permute(
  model: Ranker,
  dataName: string,
  options: ImportanceLine['options'],
  output: Output,
): Promise<Permuted> {
  const { repeats, within, seed } = options;
  const evaluation = await readEvaluation(options, output);
  const data = await readDataset(dataName, readFor(model, await readOptions(options, output)));
  const measures = evaluation.measures.map(({ measure }) => measure);
  const settings = { repeats, within, seed, ties: evaluation.ties, ...modelMatch(options, output) };
  const drops = await inTurns(permutationSteps(model, data, measures, settings), output.shares('shuffling'));
  const asked = evaluation.measures.map(one => one.asked);
  return { drops, data, asked, repeats, within, among: scopeWords[within] };
}
