import { required } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { dataOptions } from '../options/data.js';
import { reportOption } from '../options/report.js';
import { allOption } from '../options/rows.js';

const args = {
  data: required('data (a file, a directory, a glob or - for stdin, plain or .gz) or a model file of any format'),
};

const options = { ...allOption, ...reportOption, ...dataOptions };

export type InspectLine = CommandLine<typeof args, typeof options>;

export const inspect = defineCommand({
  arguments: args,
  options,
  examples: [
    'listwise inspect train.txt',
    'listwise inspect clicks.parquet --query-col search --label-col grade --json',
  ],
  run: async (line, output) => (await import('../commands/inspect.js')).inspect(line, output),
});
