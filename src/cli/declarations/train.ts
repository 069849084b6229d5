import { DEFAULT_HOLDOUT } from '../../training/train.js';
import { optional } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { flag, list, namedFile, text } from '../command/option.js';
import { dataOptions } from '../options/data.js';
import { measureNames } from '../options/evaluation.js';
import { reportOption } from '../options/report.js';
import { forceOrResume, modelFolderOptions, modelOutOption } from '../options/run-folder.js';
import { holdoutOption, refitOption, trainNotes, trainOptions } from '../options/training.js';

const args = { data: optional('training data: a file, a directory, a glob or - for stdin') };

const options = {
  ...trainOptions,
  validate: text('data', 'data to select the best iteration on', {
    reads: true,
    tried: ['valid', 'valid-data', 'validation', 'eval-set', 'eval'],
  }),
  ...holdoutOption(
    `share of the training queries to select on instead; 0 selects on the training data (default: ${DEFAULT_HOLDOUT} without --validate)`,
  ),
  ...refitOption,
  measure: list(
    'spec',
    'other measures to follow on the selecting data, separated by commas; repeatable. They do not affect training',
    { short: 'm', suggests: measureNames },
  ),
  from: text('model', 'model file of any format to continue from'),
  ...modelFolderOptions,
  checkpoint: text('dir', 'where to keep the state of the run; --dir has its own'),
  resume: flag(
    'continue from the checkpoint; the model is the same as without the interruption. With --dir the data and options need not be given again',
  ),
  log: text('file', 'the training log, one JSON object per iteration', { writes: true }),
  schema: flag('print the JSON schema of config files and exit'),
  validateLabels: list('name=file', 'like --labels, for the validation data; repeatable', { parse: namedFile }),
  validateGroup: text('file', 'like --group, for the validation data'),
  ...modelOutOption,
  ...reportOption,
  ...dataOptions,
};

export type TrainLine = CommandLine<typeof args, typeof options>;

export const train = defineCommand({
  arguments: args,
  options,
  needs: { resume: { one: ['checkpoint', 'dir'] } },
  excludes: [
    forceOrResume,
    ['validate', 'holdout'],
    { when: 'dir', not: ['checkpoint'], why: '--dir, which keeps its own in the folder' },
  ],
  notes: trainNotes,
  severalRanks: true,
  examples: [
    'listwise train train.txt --validate vali.txt --model linear --objective "lambdarank(ndcg@10)" --out model.json',
    'listwise train data.txt --model net --set hidden=20,10 --set epochs=50 --select ap',
    'listwise train data.txt --select ndcg@10 -m ap,ndcg@1,3 --report train.html',
    'listwise train data.txt --config configs/burges-2006.json --checkpoint run --resume',
  ],
  run: async (line, output) => (await import('../commands/train.js')).train(line, output),
});
