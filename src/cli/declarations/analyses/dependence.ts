import { required } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { list, whole } from '../../command/option.js';
import { dataOptions } from '../../options/data.js';
import { allOption } from '../../options/rows.js';
import { analysisOptions, running } from './running.js';

const args = { model: required('a model file'), data: required('documents whose features are altered') };

const options = {
  feature: list('name', 'a feature to look at; repeatable'),
  documents: whole('documents of DATA that take each value, by chance', { least: 1, default: 500 }),
  points: whole('values of the feature, at most; of a category its most frequent levels', { least: 2, default: 30 }),
  ...allOption,
  ...analysisOptions,
  ...dataOptions,
};

export type DependenceLine = CommandLine<typeof args, typeof options>;

export const dependence = defineCommand({
  arguments: args,
  options,
  examples: ['listwise analyse dependence model.json test.txt --feature 3 --feature 7 --report dependence.html'],
  run: running(async () => (await import('../../analyses/dependence.js')).dependence),
});
