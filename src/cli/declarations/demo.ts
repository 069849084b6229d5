import { type CommandLine, defineCommand } from '../command/command.js';
import { text, whole } from '../command/option.js';

const options = {
  queries: whole('queries to generate', { least: 10, default: 500 }),
  dir: text('dir', 'keep the data and the models there (default: they are taken away)'),
  report: text('file', 'where the page goes', { writes: true, default: 'listwise-report.html' }),
};

export type DemoLine = CommandLine<Record<never, never>, typeof options>;

export const demo = defineCommand({
  arguments: {},
  options,
  examples: ['listwise demo', 'listwise demo --dir demo --report demo.html'],
  run: async (line, output) => (await import('../commands/demo.js')).demo(line, output),
});
