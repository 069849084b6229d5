import { type Drop, permutationSteps, type ShuffleScope } from '../../analysis/importance.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read.js';
import { openModel } from '../../interop/open-model.js';
import type { Ranker } from '../../models/ranker.js';
import { importanceSections, importanceVerdict, type Permutation } from '../../report/importance-page.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import type { ImportanceLine } from '../declarations/analyses/importance.js';
import type { Output } from '../output.js';
import { matchOptions, readOptions } from '../settings/data.js';
import { type Judging, readJudging } from '../settings/judging.js';
import { shownRows } from '../terminal/row-limit.js';
import { count, fixed, right, table } from '../terminal/table.js';
import type { AnalysisResult } from './analysis.js';

interface Row {
  readonly feature: string;
  readonly splits?: number;
  readonly gain?: number;
  readonly drops?: readonly Drop[];
}

export async function importance({ args, options }: ImportanceLine, output: Output): Promise<AnalysisResult> {
  const { model: modelFile, data: dataName } = args;
  const model = await openModel(modelFile, { note: message => output.note(message) });
  const use = model.splitUse?.();
  if (dataName === undefined && use === undefined) {
    throw usage(`a ${model.kind} model has no splits to count; give DATA for importance by permutation`);
  }
  const judged = dataName === undefined ? undefined : await permute(model, dataName, options, output);
  const rows = model.featureNames
    .map(
      (feature, f): Row => ({
        feature,
        ...(use && { splits: use.splits[f]!, gain: use.gain[f]! }),
        ...(judged && { drops: judged.drops[f]! }),
      }),
    )
    .sort((a, b) => weight(b) - weight(a));
  const asked = judged?.judging.measures.map(({ asked }) => asked) ?? [];
  return {
    verdict: importanceVerdict(model, judged && { ...judged, asked }),
    results: rows.map(({ drops, ...row }) => ({
      ...row,
      ...(drops && {
        drops: drops.map(({ mean, deviation }, m) => ({ measure: asked[m], mean, deviation })),
      }),
    })),
    ...(judged && {
      facts: {
        measures: rows[0]?.drops?.map(({ value }, m) => ({ measure: asked[m], value })) ?? [],
        repeats: judged.repeats,
        within: judged.within,
      },
    }),
    text: () => printText(rows, asked, judged, options),
    page: {
      title: `what ${modelFile} looks at`,
      sections: () => importanceSections(model, judged && { ...judged, asked }),
      data: judged === undefined ? [] : [{ file: dataName!, data: judged.data }],
    },
  };
}

/** Features are told in this order: by the drop of the first measure, or else by gain. */
function weight({ drops, gain }: Row): number {
  return (drops?.[0]?.mean ?? gain) || 0; // NaN where no query counts
}

interface Permuted extends Omit<Permutation, 'asked'> {
  readonly data: Dataset;
  readonly judging: Judging;
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
  const judging = await readJudging(options, output);
  const data = await readDataset(dataName, readOptions(options, output));
  const measures = judging.measures.map(({ measure }) => measure);
  const settings = { repeats, within, seed, ties: judging.ties, ...matchOptions(options, output) };
  const drops = await inTurns(permutationSteps(model, data, measures, settings), output.shares('shuffling'));
  return { drops, data, judging, repeats, within, among: scopeWords[within] };
}

function printText(
  rows: readonly Row[],
  asked: readonly string[],
  judged: Permuted | undefined,
  options: ImportanceLine['options'],
): string {
  const { shown, beyond } = shownRows(rows, options);
  const withSplits = rows.some(({ splits }) => splits !== undefined);
  const totalGain = rows.reduce((sum, { gain }) => sum + (gain ?? 0), 0);
  const columns = [
    { title: 'feature' },
    ...(withSplits ? [right('splits'), right('gain'), right('share')] : []),
    ...asked.flatMap(measure => [right(`drop of ${measure}`), right('±')]),
  ];
  const cells = shown.map(({ feature, splits = 0, gain = 0, drops = [] }) => [
    feature,
    ...(withSplits ? [count(splits), gain.toPrecision(4), `${fixed((100 * gain) / (totalGain || 1), 1)} %`] : []),
    ...drops.flatMap(({ mean, deviation }) => [fixed(mean), fixed(deviation)]),
  ]);
  const parts = [table(columns, cells), ...beyond];
  if (judged !== undefined) {
    const values = (rows[0]?.drops ?? []).map(({ value }, m) => `${asked[m]} ${fixed(value)}`).join(', ');
    parts.push(
      `Without shuffling: ${values}. Each feature shuffled ${judged.among}, ${count(judged.repeats)} times; ± is the standard deviation over these.`,
    );
  }
  return parts.join('\n\n');
}
