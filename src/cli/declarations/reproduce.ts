/** The experiments as commands of their own, and their list. */
import { type Experiment, scales } from '../../reproduce/experiment.js';
import { experiments } from '../../reproduce/experiments/all.js';
import { optional } from '../command/argument.js';
import { type Command, type CommandLine, defineCommand } from '../command/command.js';
import type { Group } from '../command/group.js';
import { choice, flag, text } from '../command/option.js';
import { spreadOption } from '../options/ranks.js';
import { outOption, reportOption } from '../options/report.js';
import { forceOrResume, runFolderOptions } from '../options/run-folder.js';

const options = {
  scale: choice(scales, 'scale', "tiny takes seconds, small minutes on two cores, paper has the paper's own sizes", {
    default: 'small',
  }),
  ...runFolderOptions,
  resume: flag('go on with the run in --dir; what was finished is not run again'),
  ...spreadOption,
  ...outOption,
  ...reportOption,
};

const dataOption = { data: text('dir', 'where the collections are that an experiment reads, such as ohsumed') };

const withData = { ...options, ...dataOption };

export type ExperimentLine = CommandLine<Record<never, never>, typeof options>;
export type ReproduceLine = CommandLine<{ readonly name: ReturnType<typeof optional> }, typeof withData>;

const needs = { force: { one: ['dir'] }, resume: { one: ['dir'] } } as const;

function commandOf(experiment: Experiment): Command {
  const { name, paper, collections } = experiment;
  const from = collections.length === 0 ? 'Generated data.' : `Reads ${collections.join(', ')}.`;
  const shared = { arguments: {}, needs, excludes: [forceOrResume], notes: [`${paper}. ${from}`], severalRanks: true };
  const example = `listwise reproduce ${name} --scale tiny --report page.html`;
  if (collections.length === 0) {
    return defineCommand({
      ...shared,
      options,
      examples: [example],
      run: async (line, output) =>
        (await import('../commands/reproduce.js')).reproduce(experiment, line, undefined, output),
    });
  }
  return defineCommand({
    ...shared,
    options: withData,
    examples: [`${example} --data letor`],
    run: async (line, output) =>
      (await import('../commands/reproduce.js')).reproduce(experiment, line, line.options.data, output),
  });
}

/** Without a name: all claims, or the run of a folder. */
const alone = defineCommand({
  arguments: { name: optional('the experiment') },
  options: withData,
  needs,
  excludes: [
    forceOrResume,
    {
      when: ({ options: { dir }, args: { name } }) => dir === undefined && name === undefined,
      not: ['data', 'report'],
      why: 'the table of all claims: name an experiment',
    },
  ],
  severalRanks: true,
  examples: [
    'listwise reproduce',
    'listwise reproduce burges-2006-figure-2 --scale tiny --report figure-2.html',
    'listwise reproduce qin-2010-ohsumed --data letor --dir runs/ohsumed --resume',
  ],
  run: async (line, output) => (await import('../commands/reproduce.js')).reproduceAlone(line, output),
});

export const reproduce: Group = {
  noun: 'experiment',
  plural: 'Experiments',
  members: experiments.map(experiment => ({
    name: experiment.name,
    summary: experiment.title,
    load: async () => commandOf(experiment),
  })),
  alone,
};
