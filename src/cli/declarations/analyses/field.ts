import { optional, required } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { keysOf, number, numbers, text, whole } from '../../command/option.js';
import { dataOptions } from '../../options/data.js';
import { loadOption } from '../../options/evaluation.js';
import { objectivesOption } from '../../options/training.js';
import { analysisOptions, running } from './running.js';

const args = {
  data: required('labelled data'),
  model: optional('a model file, to look at its scores (default: random scores)'),
};

const randomOptions = {
  points: whole('random score vectors a query', { least: 1, default: 4 }),
  deviation: number('scores', 'standard deviation of random scores', { above: 0, default: 1 }),
};

const options = {
  ...objectivesOption('ranknet and lambdarank(ndcg)'),
  queries: whole('queries to look at: the first in which labels differ', { least: 1, default: 5 }),
  query: text('id', 'look at this query alone'),
  at: numbers('scores of the documents of --query, in the order of the data'),
  mostDocuments: whole('queries with more documents are passed over; at most 5,000', { least: 2, default: 100 }),
  ...randomOptions,
  loops: whole('loops within a region and across swaps, at each point', { least: 0, default: 3 }),
  ...loadOption,
  ...analysisOptions,
  ...dataOptions,
};

export type FieldLine = CommandLine<typeof args, typeof options>;

export const field = defineCommand({
  arguments: args,
  options,
  needs: { at: { one: ['query'] } },
  excludes: [
    { when: 'query', not: ['queries', 'mostDocuments'], why: '--query, which names the one' },
    { when: 'at', not: keysOf(randomOptions), why: '--at, which gives the scores' },
    { when: line => line.args.model !== undefined, not: keysOf(randomOptions), why: 'the scores of a model' },
  ],
  examples: [
    'listwise analyse field train.txt --objective ranknet --objective "lambdarank(ndcg@10)"',
    'listwise analyse field train.txt model.json --objective "lambdarank(ap)" --report field.html',
  ],
  run: running(async () => (await import('../../analyses/field.js')).field),
});
