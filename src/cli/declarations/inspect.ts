import { required } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { text } from '../command/option.js';
import { dataOptions } from '../options/data.js';
import { measureNames } from '../options/evaluation.js';
import { reportOption } from '../options/report.js';
import { allOption } from '../options/rows.js';

const args = {
  data: required('data (a file, a directory, a glob or - for stdin, plain or .gz) or a model file of any format'),
};

const options = {
  ...allOption,
  measure: text('spec', 'also rank by each feature alone, and evaluate that by this measure', {
    short: 'm',
    suggests: measureNames,
  }),
  describe: text('file', 'write how the data is read (data.json), which every command takes in place of the data', {
    writes: true,
  }),
  ...reportOption,
  ...dataOptions,
};

export type InspectLine = CommandLine<typeof args, typeof options>;

export const inspect = defineCommand({
  arguments: args,
  options,
  examples: [
    'listwise inspect train.txt',
    'listwise inspect train.txt -m ndcg@10 --report train.html',
    'listwise inspect products.csv --query-col search_id --ignore title,url --category brand --describe data.json',
    'listwise inspect clicks.parquet --query-col search --label-col grade --json',
  ],
  run: async (line, output) => (await import('../commands/inspect.js')).inspect(line, output),
});
