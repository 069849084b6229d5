import { corrections } from '../../analysis/compare.js';
import { optional } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { choice, flag, number, text } from '../command/option.js';
import { dataOptions } from '../options/data.js';
import { measureOptions } from '../options/evaluation.js';
import { outOption, reportOption } from '../options/report.js';
import { byOption } from '../options/segments.js';
import { systemOptions, withQrels } from '../options/systems.js';

const args = { data: optional('labelled data; left out with --qrels') };

const options = {
  ...systemOptions,
  baseline: text('name', 'compare every system with this one (default: all pairs)'),
  alpha: number('level', 'level of significance and of the confidence intervals', {
    above: 0,
    below: 1,
    default: 0.05,
  }),
  correction: choice(corrections, 'how', 'adjust p-values for the number of pairs under a measure', {
    default: 'holm',
  }),
  agree: flag('significant only if t, Wilcoxon and sign test all agree (default: the randomisation test decides)'),
  ...measureOptions,
  ...byOption,
  ...outOption,
  ...reportOption,
  ...dataOptions,
};

export type CompareLine = CommandLine<typeof args, typeof options>;

export const compare = defineCommand({
  arguments: args,
  options,
  excludes: [withQrels],
  examples: [
    'listwise compare --qrels qrels.txt --system bm25=bm25.run --system ours=ours.run -m ndcg@10,ap --baseline bm25',
    'listwise compare test.txt --system linear=linear.json --system trees=scores.txt --agree',
  ],
  run: async (line, output) => (await import('../commands/compare.js')).compare(line, output),
});
