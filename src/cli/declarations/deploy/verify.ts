import { required } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { whole } from '../../command/option.js';
import { dataOptions } from '../../options/data.js';
import { engineOptions } from '../../options/engine.js';
import { outOption, reportOption } from '../../options/report.js';

const args = {
  model: required('model file of any format'),
  data: required('data with the features that the engine computed'),
  answers: required('answers of the engine, one a line or one in a file: searches, explained ones, _explain'),
};

const options = {
  ...engineOptions,
  examples: whole('documents that are shown, those that are furthest off first', { least: 0, default: 5 }),
  ...outOption,
  ...reportOption,
  ...dataOptions,
};

export type VerifyLine = CommandLine<typeof args, typeof options>;

export const verify = defineCommand({
  arguments: args,
  options,
  examples: [
    'listwise deploy verify trees.json logs.json answers.json --judgments judgments.txt --engine opensearch@3.8',
    'listwise deploy verify trees.json test.csv q1.json --engine solr@9.5 --json',
  ],
  run: async (line, output) => (await import('../../commands/deploy-verify.js')).deployVerify(line, output),
});
