import { scoreFormats } from '../../data/writers/score-file.js';
import { required } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { choice, flag, keysOf, text } from '../command/option.js';
import { backgroundOptions } from '../options/background.js';
import { dataOptions } from '../options/data.js';

const args = {
  model: required('a model file of any format: our own, LightGBM, XGBoost, RankLib, …'),
  data: required('a file, a directory, a glob or - for stdin, plain or .gz'),
};

const options = {
  out: text('file', 'where to write the scores (default: stdout)', { writes: true }),
  ids: flag(`write ${scoreFormats.ids.description}`),
  as: choice(
    scoreFormats,
    'layout',
    'layout of the output: scores (one per line, in input row order), ids, or run (TREC)',
  ),
  contributions: flag(
    'write Shapley values instead of scores: what each feature of the model adds, in its order, then the base, separated by tabs',
  ),
  leaves: flag('write leaves instead of scores: the number of one leaf a tree, separated by tabs'),
  ...backgroundOptions,
  tag: text('name', 'name of the system in a run', { default: 'listwise' }),
  ...dataOptions,
};

export type ScoreLine = CommandLine<typeof args, typeof options>;

export const score = defineCommand({
  arguments: args,
  options,
  excludes: [
    ['leaves', 'contributions'],
    { when: line => !line.options.contributions, not: keysOf(backgroundOptions), why: 'scores: give --contributions' },
  ],
  examples: [
    'listwise score model.json test.txt --out scores.txt',
    'listwise score lightgbm.txt big.txt.gz --out scores.txt.gz',
    'listwise score model.json test.txt --as run --tag mine --out mine.run',
    'listwise score model.json test.txt --contributions --ids --out shap.tsv',
    'listwise score model.json test.txt --leaves --out leaves.tsv',
  ],
  run: async (line, output) => (await import('../commands/score.js')).score(line, output),
});
