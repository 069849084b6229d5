import { type Drop, permutationSteps, type ShuffleScope, shuffleScopes } from '../../analysis/importance.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read.js';
import { openModel } from '../../interop/open-model.js';
import type { Ranker } from '../../models/ranker.js';
import { importanceSections, importanceVerdict, type Permutation } from '../../report/importance-page.js';
import { inTurns } from '../../steps.js';
import type { CommandOption, OptionValues } from '../command.js';
import { refuseFlags, usage } from '../contradictions.js';
import { dataOptions, matchOptions, readOptions, wholeNumber } from '../data-options.js';
import { type Judging, measureOptions, readJudging } from '../measure-options.js';
import type { Output } from '../output.js';
import { count, fixed, table } from '../table.js';
import type { AnalysisDefinition } from './analysis.js';
import { allOption, shownRows } from './row-limit.js';

const DEFAULT_MEASURE = 'ndcg@10';

const permutationOptions: readonly CommandOption[] = [
  { flags: '--repeats <n>', description: 'shuffles of each feature', default: 5 },
  {
    flags: '--within <what>',
    description: 'shuffle values among the documents of each query, or of the whole data',
    default: 'query',
    choices: shuffleScopes,
  },
];

interface Row {
  readonly feature: string;
  readonly splits?: number;
  readonly gain?: number;
  readonly drops?: readonly Drop[];
}

export const importance: AnalysisDefinition = {
  name: 'importance',
  summary: 'how much each feature matters: by splits and their gain, and with DATA by permutation',
  arguments: [
    { name: '<model>', description: 'a model file' },
    { name: '[data]', description: 'labelled data, to shuffle one feature at a time' },
  ],
  options: [
    ...measureOptions.map(option =>
      option.flags.startsWith('-m,')
        ? { ...option, description: `measures whose drop is told, separated by commas (default: ${DEFAULT_MEASURE})` }
        : option,
    ),
    ...permutationOptions,
    allOption,
    ...dataOptions,
  ],
  examples: [
    'listwise analyse importance model.json',
    'listwise analyse importance model.json test.txt -m ndcg@10 --repeats 10',
  ],
  async run([modelFile, dataName], options, output) {
    if (dataName === undefined)
      refuseFlags(options, [...measureOptions, ...permutationOptions, ...dataOptions], 'a model alone: give DATA');
    const model = await openModel(modelFile!, { note: message => output.note(message) });
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
  },
};

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

async function permute(model: Ranker, dataName: string, options: OptionValues, output: Output): Promise<Permuted> {
  const judging = await readJudging({ ...options, measure: options.measure ?? [DEFAULT_MEASURE] }, output);
  const repeats = wholeNumber(options, 'repeats', 1)!;
  const within = options.within as ShuffleScope;
  const seed = wholeNumber(options, 'seed', 0);
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
  options: OptionValues,
): string {
  const { shown, beyond } = shownRows(rows, options);
  const right = (title: string) => ({ title, align: 'right' as const });
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
