import { queryOrders } from '../../../analysis/queries.js';
import { optional } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { choice } from '../../command/option.js';
import { dataOptions } from '../../options/data.js';
import { measuresOr } from '../../options/evaluation.js';
import { allOption } from '../../options/rows.js';
import { systemOptions, withQrels } from '../../options/systems.js';
import { analysisOptions, running } from './running.js';

const args = { data: optional('labelled data; left out with --qrels') };

const options = {
  ...systemOptions,
  ...measuresOr('ndcg@10'),
  sort: choice(
    queryOrders,
    'order',
    'order of the queries, by the first measure (default: loss with two systems, worst with one)',
  ),
  ...allOption,
  ...analysisOptions,
  ...dataOptions,
};

export type QueriesLine = CommandLine<typeof args, typeof options>;

export const queries = defineCommand({
  arguments: args,
  options,
  excludes: [withQrels],
  examples: [
    'listwise analyse queries test.txt --system old=old.json --system new=new.json -m ndcg@10',
    'listwise analyse queries --qrels qrels.txt --system bm25=bm25.run -m ap --sort worst',
  ],
  run: running(async () => (await import('../../analyses/queries.js')).queries),
});
