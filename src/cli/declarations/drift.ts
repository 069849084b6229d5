import { required } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { number, text } from '../command/option.js';
import { dataOptions } from '../options/data.js';
import { outOption } from '../options/report.js';

const args = { log: required('what was ranked: a feature log of listwise serve, or other data') };

const options = {
  model: text('file', 'model file that was trained by listwise', { reads: true }),
  against: text('data', 'other data to compare with, instead of what a model was trained on', { reads: true }),
  alpha: number('p', 'chance of naming anything where nothing has drifted', { above: 0, below: 1, default: 0.01 }),
  ...outOption,
  ...dataOptions,
};

export type DriftLine = CommandLine<typeof args, typeof options>;

export const drift = defineCommand({
  arguments: args,
  options,
  excludes: [['model', 'against']],
  examples: [
    'listwise drift log/ --model model.json',
    'listwise drift today.jsonl --model model.json --alpha 0.001 --json',
    'listwise drift june.txt --against may.txt',
  ],
  run: async (line, output) => (await import('../commands/drift.js')).drift(line, output),
});
