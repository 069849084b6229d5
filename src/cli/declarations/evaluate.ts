import { optional } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { flag, keysOf, text } from '../command/option.js';
import { dataOptions } from '../options/data.js';
import { measureOptions } from '../options/evaluation.js';
import { outOption, reportOption } from '../options/report.js';
import { byOption } from '../options/segments.js';
import { runOptions } from '../options/systems.js';

const args = {
  model: optional('model file of any format; left out with --scores and --run'),
  data: optional('labelled data: a file, a directory, a glob or - for stdin'),
};

const options = {
  scores: text('file', 'scores of the data, one per line in input order, or as RankLib writes them', { reads: true }),
  run: text('file', 'TREC run file', { reads: true }),
  ...runOptions,
  ...measureOptions,
  perQuery: flag('also show the value of every query'),
  csv: flag('comma-separated values, numbers in full'),
  ...byOption,
  ...outOption,
  ...reportOption,
  ...dataOptions,
};

export type EvaluateLine = CommandLine<typeof args, typeof options>;

export const evaluate = defineCommand({
  arguments: args,
  options,
  needs: { run: { one: ['qrels'], why: 'the judgments of its documents' } },
  excludes: [
    { when: ({ options: { json } }) => json, not: ['csv'], why: '--json' },
    ['run', 'scores'],
    { when: 'run', not: ['by', ...keysOf(dataOptions)], why: '--run: qrels and run files have one layout' },
    { when: line => line.options.run === undefined, not: keysOf(runOptions), why: 'data: it belongs to --run' },
  ],
  examples: [
    'listwise evaluate model.json test.txt -m ndcg@1,3,5,10,ap',
    'listwise evaluate --scores scores.txt test.txt --preset lightgbm',
    'listwise evaluate model.json test.csv --by country',
    'listwise evaluate --run results.txt --qrels qrels.txt --preset trec_eval -m map,P_10,ndcg_cut_10 --per-query',
  ],
  run: async (line, output) => (await import('../commands/evaluate.js')).evaluate(line, output),
});
