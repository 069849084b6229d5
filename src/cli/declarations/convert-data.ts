import { required } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { dataOptions } from '../options/data.js';
import { partsAndSides, writingOptions } from '../options/writing.js';

const args = {
  data: required('a file, a directory, a glob or - for stdin, plain or .gz'),
  out: { ...required('the file to write; .gz compresses'), writes: true, alsoWrites: partsAndSides },
};

const options = { ...writingOptions, ...dataOptions };

export type ConvertDataLine = CommandLine<typeof args, typeof options>;

export const convertData = defineCommand({
  arguments: args,
  options,
  needs: { splitBy: { one: ['split'], why: 'the shares of the parts' } },
  examples: [
    'listwise convert-data train.txt train.parquet',
    'listwise convert-data all.csv data.txt --split 0.6,0.2,0.2 --seed 7',
    'listwise convert-data all.csv data.csv --split 0.8,0.2 --split-by date',
    'listwise convert-data logs.json data.csv --judgments judgments.txt --features feature-set.json',
  ],
  run: async (line, output) => (await import('../commands/convert-data.js')).convertDataFile(line, output),
});
