import { required } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { whole } from '../../command/option.js';
import { analysisOptions, running } from './running.js';

const args = { model: required('a model file: a sum of trees, of any format that is read') };

const options = {
  tree: whole('which tree, counted from 1', { least: 1, default: 1 }),
  ...analysisOptions,
};

export type TreeLine = CommandLine<typeof args, typeof options>;

export const tree = defineCommand({
  arguments: args,
  options,
  examples: ['listwise analyse tree model.json --tree 3 --report tree.html'],
  run: running(async () => (await import('../../analyses/tree.js')).tree),
});
