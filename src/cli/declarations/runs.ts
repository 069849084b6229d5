import { rest } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { outOption, reportOption } from '../options/report.js';

const args = { folders: rest('run folders, or folders that hold some (default: the current one)') };

const options = { ...outOption, ...reportOption };

export type RunsLine = CommandLine<typeof args, typeof options>;

export const runs = defineCommand({
  arguments: args,
  options,
  examples: ['listwise runs runs', 'listwise runs runs/first runs/second --report runs.html', 'listwise runs --json'],
  notes: [
    'Runs that are named one by one are put beside each other: learning curves, and the options that differ. With one, all of its options.',
  ],
  run: async (line, output) => (await import('../commands/runs.js')).runs(line, output),
});
