import { required } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { whole } from '../../command/option.js';
import { dataOptions } from '../../options/data.js';
import { engineOptions } from '../../options/engine.js';
import { measuresOr } from '../../options/evaluation.js';
import { outOption, reportOption } from '../../options/report.js';

const args = {
  model: required('model file of any format'),
  data: required('labelled data, with features as the engine computes them'),
};

const options = {
  ...engineOptions,
  examples: whole('documents that are shown, those that move furthest first', { least: 0, default: 5 }),
  ...measuresOr('ndcg@10'),
  ...outOption,
  ...reportOption,
  ...dataOptions,
};

export type CheckLine = CommandLine<typeof args, typeof options>;

export const check = defineCommand({
  arguments: args,
  options,
  examples: [
    'listwise deploy check trees.json test.csv --engine opensearch@3.5 -m ndcg@5',
    'listwise deploy check xgboost.json logs.json --judgments judgments.txt --engine elasticsearch@8.19',
    'listwise deploy check trees.json test.csv --engine vespa@8.656 --to xgboost-ubj --json',
  ],
  run: async (line, output) => (await import('../../commands/deploy-check.js')).deployCheck(line, output),
});
