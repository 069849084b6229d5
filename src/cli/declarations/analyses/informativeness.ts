import { optional } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { keysOf, list, text, whole } from '../../command/option.js';
import { dataOptions } from '../../options/data.js';
import { measuresOr } from '../../options/evaluation.js';
import { systemOptions, withQrels } from '../../options/systems.js';
import { analysedTraining, objectivesOption } from '../../options/training.js';
import { analysisOptions, running } from './running.js';

export const DEFAULT_OBJECTIVE = 'lambdarank(ndcg)';

const args = { data: optional('labelled data; left out with --qrels') };

const { seed, ...trainingOptions } = analysedTraining;

/** What goes with --train only. */
const alongTraining = {
  ...objectivesOption(DEFAULT_OBJECTIVE),
  every: whole('models are taken after every so many iterations', { least: 1, default: 1 }),
  ...trainingOptions,
};

const options = {
  ...systemOptions,
  ...measuresOr('ap,ndcg,rprec,p@10'),
  predict: list('spec', 'measures to predict from what each one tells (default: those of -m); repeatable'),
  train: text('data', 'train on this data; the models along the way are systems that rank DATA', { reads: true }),
  ...alongTraining,
  seed,
  ...analysisOptions,
  ...dataOptions,
};

export type InformativenessLine = CommandLine<typeof args, typeof options>;

export const informativeness = defineCommand({
  arguments: args,
  options,
  excludes: [
    withQrels,
    {
      when: line => line.options.train === undefined,
      not: keysOf(alongTraining),
      why: 'systems alone: give --train DATA',
    },
    { when: 'qrels', not: ['train'], why: '--qrels: trained models rank DATA' },
  ],
  examples: [
    'listwise analyse informativeness --qrels qrels.txt --system bm25=bm25.run --system tuned=tuned.run -m ap,ndcg,p@10',
    'listwise analyse informativeness test.txt --system linear=linear.json --system trees=trees.json --predict p@10,rr',
    "listwise analyse informativeness test.txt --train train.txt --objective 'lambdarank(ap)' --every 10",
  ],
  run: running(async () => (await import('../../analyses/informativeness.js')).informativeness),
});
