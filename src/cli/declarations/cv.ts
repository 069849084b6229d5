import { required } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { parsed, text } from '../command/option.js';
import { dataOptions } from '../options/data.js';
import { measureOptions } from '../options/evaluation.js';
import { type Folds, foldCount, LETOR, partsOption, validatesOnParts, withLetor } from '../options/folds.js';
import { spreadOption } from '../options/ranks.js';
import { outOption, reportOption } from '../options/report.js';
import { forceOption } from '../options/run-folder.js';
import { holdoutOption, trainNotes, trainOptions } from '../options/training.js';

const args = { data: required('labelled data: a file, a directory, a glob or - for stdin') };

const options = {
  folds: parsed<Folds>(
    'n',
    `number of random folds by query, or ${LETOR}: a directory with S1 to S5, or with Fold1 to Fold5`,
    foldCount,
    { default: 5 },
  ),
  ...partsOption,
  ...trainOptions,
  ...holdoutOption('share of the training queries of a fold to select the best iteration on (default: as in train)'),
  against: text('config', 'a second configuration, compared on the same folds, paired by query'),
  scores: text('file', 'write the out-of-fold scores: one per line, in input row order', { writes: true }),
  ...measureOptions,
  ...spreadOption,
  dir: text('dir', 'run folder: options, log, out-of-fold scores, results and report are kept there'),
  ...forceOption,
  ...outOption,
  ...reportOption,
  ...dataOptions,
};

export type CvLine = CommandLine<typeof args, typeof options>;

export const cv = defineCommand({
  arguments: args,
  options,
  needs: { force: { one: ['dir'] } },
  excludes: [
    withLetor,
    {
      when: line => line.options.parts !== undefined && validatesOnParts(line.options),
      not: ['holdout'],
      why: '--parts',
    },
    {
      when: line => line.options.parts === undefined && validatesOnParts(line.options),
      not: ['holdout'],
      why: `--folds ${LETOR}`,
    },
  ],
  notes: trainNotes,
  severalRanks: true,
  examples: [
    'listwise cv data.txt --folds 5 --model trees --set trees=100 -m ndcg@10,ap',
    'listwise cv MQ2008 --folds letor --model linear --scores out-of-fold.txt',
    'listwise cv data.txt --folds 5 --parts 2,2,1 --model net',
    'listwise cv data.txt --folds 10 --dir runs/cv',
    'mpirun -np 5 listwise cv data.txt --folds 5 --spread folds',
    'listwise cv data.txt --model net --against configs/burges-2006.json -m ndcg@10',
  ],
  run: async (line, output) => (await import('../commands/cv.js')).cv(line, output),
});
