import { required } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { number, numbers, text, whole } from '../../command/option.js';
import { dataOptions } from '../../options/data.js';
import { measureOptions } from '../../options/evaluation.js';
import { spreadOption } from '../../options/ranks.js';
import { analysedTraining, validateOption } from '../../options/training.js';
import { analysisOptions, running } from './running.js';

const args = { data: required('labelled data') };

const { measure: _, ...conventions } = measureOptions;

const options = {
  testMeasure: text('spec', 'the measure that counts in the end', {
    required: 'say what counts in the end: --test-measure p@10',
  }),
  candidates: text('specs', 'measures to train for, separated by commas, beside the test measure', {
    default: 'ndcg,ndcg@10,ap',
  }),
  seeds: whole('trainings of each candidate and share', { least: 1, default: 3 }),
  shares: numbers('shares of the training queries', { above: 0, most: 1, default: [1] }),
  ...analysedTraining,
  construction: text('name', 'the objective made of each candidate', { default: 'lambdarank' }),
  ...validateOption('a fifth of DATA'),
  test: text('data', 'data to compare on (default: a fifth of DATA)', { reads: true }),
  alpha: number('level', 'level of significance', { above: 0, below: 1, default: 0.05 }),
  ...conventions,
  ...spreadOption,
  ...analysisOptions,
  ...dataOptions,
};

export type AdviseLine = CommandLine<typeof args, typeof options>;

export const advise = defineCommand({
  arguments: args,
  options,
  severalRanks: true,
  examples: [
    'listwise analyse advise data.txt --test-measure p@10',
    'listwise analyse advise data.txt --test-measure p@10 --candidates ap,ndcg --shares 0.1,0.3,1 --seeds 5 --model net',
  ],
  run: running(async () => (await import('../../analyses/advise.js')).advise),
});
