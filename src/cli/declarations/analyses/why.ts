import { optional, required } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { flag, keysOf, list, text } from '../../command/option.js';
import { backgroundOptions } from '../../options/background.js';
import { dataOptions } from '../../options/data.js';
import { measuresOr } from '../../options/evaluation.js';
import { allOption } from '../../options/rows.js';
import { analysisOptions, running } from './running.js';

const args = {
  model: required('a model file, a'),
  other: optional('another, b; for documents that are named one model will do'),
  data: required('labelled data'),
};

const options = {
  query: text('id', 'the query to look at', { required: 'give --query ID: the query to look at' }),
  document: list(
    'id',
    'a document of the query, to tell what makes its score; given twice, why one is above the other: by feature and, for trees, by tree',
  ),
  shapley: flag('give features their Shapley values for the two documents, one less the other'),
  ...backgroundOptions,
  ...measuresOr('ndcg@10'),
  ...allOption,
  ...analysisOptions,
  ...dataOptions,
};

export type WhyLine = CommandLine<typeof args, typeof options>;

export const why = defineCommand({
  arguments: args,
  options,
  needs: { shapley: { one: ['document'], why: 'two documents of a query are compared' } },
  excludes: [
    { when: 'document', not: ['measure', 'rel', 'load'], why: '--document: no ranking is evaluated' },
    { when: line => !line.options.shapley, not: keysOf(backgroundOptions), why: 'this: give --shapley' },
  ],
  examples: [
    'listwise analyse why old.json new.json test.txt --query 17',
    'listwise analyse why model.json test.txt --query 17 --document d5',
    'listwise analyse why model.json test.txt --query 17 --document d5 --document d9',
    'listwise analyse why model.json test.txt --query 17 --document d5 --document d9 --shapley',
  ],
  run: running(async () => (await import('../../analyses/why.js')).why),
});
