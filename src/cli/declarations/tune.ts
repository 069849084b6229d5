import { trainers } from '../../training/all.js';
import { DEFAULT_SELECT } from '../../training/train.js';
import { methods } from '../../tuning/methods/all.js';
import { readySpaces } from '../../tuning/ready-spaces.js';
import { DEFAULT_BATCH } from '../../tuning/tune.js';
import { optional } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { choice, flag, text, whole } from '../command/option.js';
import { dataOptions } from '../options/data.js';
import { loadOption, measureNames } from '../options/evaluation.js';
import { foldsOption, LETOR, withLetor } from '../options/folds.js';
import { spreadOption } from '../options/ranks.js';
import { reportOption } from '../options/report.js';
import { forceOrResume, modelFolderOptions, modelOutOption } from '../options/run-folder.js';
import { DEFAULT_KIND, holdoutOption, refitOption, setOption } from '../options/training.js';

export const DEFAULT_FOLDS = 5;

const args = { data: optional('training data: a file, a directory, a glob or - for stdin') };

const known = Object.values(methods);

const options = {
  model: choice(trainers, 'kind', `kind of model, searched over as its ready space says (default: ${DEFAULT_KIND})`),
  space: text(
    'name',
    `what to search over: a ready space (${readySpaces().join(', ')}), or a JSON file of your own (--schema prints its schema)`,
    { suggests: async () => readySpaces() },
  ),
  method: choice(
    methods,
    'name',
    `how to search. ${known.map(({ name, description }) => `${name}: ${description}`).join('; ')}`,
    { default: 'sequential' },
  ),
  trials: whole(
    `number of trials (default: ${known
      .map(({ name, usual }) => `${name} ${Number.isFinite(usual) ? usual : 'all'}`)
      .join(', ')})`,
    { least: 1 },
  ),
  folds: foldsOption(
    `random folds by query that each trial is trained on, or ${LETOR} for a directory that comes with its folds (default: ${DEFAULT_FOLDS} without --validate or --holdout)`,
  ),
  validate: text('data', 'evaluate trials on this data instead of on folds', { reads: true }),
  ...holdoutOption('evaluate trials on this share of the queries instead of on folds'),
  refit: { ...refitOption.refit, description: 'train the winner on all queries, to the iteration found' },
  seeds: whole('train each trial with this many seeds; its value is their mean', { least: 1, default: 1 }),
  select: text('spec', `what trials and iterations are selected by (default: the space says, or ${DEFAULT_SELECT})`, {
    suggests: measureNames,
  }),
  set: { ...setOption.set, description: 'an option that all trials have; repeatable' },
  ...loadOption,
  batch: whole('trials that the sequential method proposes at a time', { least: 1, default: DEFAULT_BATCH }),
  test: text('data', 'evaluate the winner and the defaults on data not used in the search', { reads: true }),
  ...spreadOption,
  ...modelFolderOptions,
  resume: flag('continue the search in --dir, even after a kill; data and options need not be given again'),
  schema: flag('print the JSON schema of search spaces and exit'),
  ...modelOutOption,
  ...reportOption,
  ...dataOptions,
};

export type TuneLine = CommandLine<typeof args, typeof options>;

export const tune = defineCommand({
  arguments: args,
  options,
  needs: { resume: { one: ['dir'] } },
  excludes: [
    forceOrResume,
    ['space', 'model'],
    ['folds', 'validate'],
    ['folds', 'holdout'],
    ['validate', 'holdout'],
    withLetor,
  ],
  severalRanks: true,
  examples: [
    'listwise tune data.txt --model linear',
    'listwise tune data.txt --space trees --trials 40 --dir runs/tune',
    'listwise tune --dir runs/tune --resume',
    'listwise tune train.txt --validate vali.txt --test test.txt --space space.json --method random --seeds 3',
  ],
  run: async (line, output) => (await import('../commands/tune.js')).tune(line, output),
});
