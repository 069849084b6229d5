import { shuffleScopes } from '../../../analysis/importance.js';
import { optional, required } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { choice, keysOf, whole } from '../../command/option.js';
import { dataOptions } from '../../options/data.js';
import { measuresOr } from '../../options/evaluation.js';
import { allOption } from '../../options/rows.js';
import { analysisOptions, running } from './running.js';

const args = { model: required('a model file'), data: optional('labelled data, to shuffle one feature at a time') };

/** What needs data. */
const permutationOptions = {
  ...measuresOr('ndcg@10', 'measures whose drop is shown, separated by commas'),
  repeats: whole('shuffles of each feature', { least: 1, default: 5 }),
  within: choice(shuffleScopes, 'what', 'shuffle values among the documents of each query, or of the whole data', {
    default: 'query',
  }),
};

const options = { ...permutationOptions, ...allOption, ...analysisOptions, ...dataOptions };

export type ImportanceLine = CommandLine<typeof args, typeof options>;

export const importance = defineCommand({
  arguments: args,
  options,
  excludes: [
    {
      when: line => line.args.data === undefined,
      not: [...keysOf(permutationOptions), ...keysOf(dataOptions)],
      why: 'a model alone: give DATA',
    },
  ],
  examples: [
    'listwise analyse importance model.json',
    'listwise analyse importance model.json test.txt -m ndcg@10 --repeats 10',
  ],
  run: running(async () => (await import('../../analyses/importance.js')).importance),
});
