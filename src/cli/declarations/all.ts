/** Every command there is, in the order help shows them. What each takes and does is loaded when it is wanted. */
import { type Group, isGroup } from '../command/group.js';
import { analyses } from './analyses/all.js';
import { deployments } from './deploy/all.js';

const commands: Group = {
  noun: 'command',
  plural: 'Commands',
  members: [
    {
      name: 'evaluate',
      summary: 'Evaluate a ranking: a model or a score file over data, or a TREC run against qrels.',
      load: async () => (await import('./evaluate.js')).evaluate,
    },
    {
      name: 'compare',
      summary: 'Compare systems on the same queries: means, differences, significance.',
      load: async () => (await import('./compare.js')).compare,
    },
    { name: 'score', summary: 'Score documents with a model.', load: async () => (await import('./score.js')).score },
    {
      name: 'serve',
      summary: 'Serve models over HTTP: rank, score, metrics, feature log, hot reload.',
      load: async () => (await import('./serve.js')).serve,
    },
    {
      name: 'drift',
      summary: 'Compare what was ranked with what a model was trained on: which features drifted.',
      load: async () => (await import('./drift.js')).drift,
    },
    {
      name: 'inspect',
      summary: 'Show what is in data or in a model file.',
      load: async () => (await import('./inspect.js')).inspect,
    },
    {
      name: 'convert',
      summary: "Write a model in another system's format, or read one from there.",
      load: async () => (await import('./convert.js')).convert,
    },
    {
      name: 'convert-data',
      summary: 'Write data in another format, complete or split by query.',
      load: async () => (await import('./convert-data.js')).convertData,
    },
    {
      name: 'deploy',
      summary: 'What a search engine makes of a model: check it beforehand, verify it with the scores that came back.',
      load: async () => deployments,
    },
    {
      name: 'generate',
      summary: 'Generate ranking data of a known kind.',
      load: async () => (await import('./generate.js')).generate,
    },
    {
      name: 'demo',
      summary: 'Run everything on generated data: generate, train, evaluate, compare, report.',
      load: async () => (await import('./demo.js')).demo,
    },
    {
      name: 'train',
      summary: 'Train a model: any objective, selected by any measure.',
      load: async () => (await import('./train.js')).train,
    },
    {
      name: 'cv',
      summary: 'Cross-validate: train on folds of the queries, evaluate on the queries left out.',
      load: async () => (await import('./cv.js')).cv,
    },
    {
      name: 'tune',
      summary: 'Search for good options of any model and objective, train the best and save it.',
      load: async () => (await import('./tune.js')).tune,
    },
    {
      name: 'analyse',
      summary: `Analyse a model or a measure: ${analyses.members.map(({ name }) => name).join(', ')}.`,
      load: async () => analyses,
    },
    {
      name: 'reproduce',
      summary: 'Reproduce a result from a paper; without a name, all claims in one table.',
      load: async () => (await import('./reproduce.js')).reproduce,
    },
    {
      name: 'runs',
      summary: 'List run folders, or put some beside each other: learning curves, options that differ.',
      load: async () => (await import('./runs.js')).runs,
    },
    {
      name: 'studio',
      summary: 'Look at runs, queries, lambdas and data in a local web page.',
      load: async () => (await import('./studio.js')).studio,
    },
    {
      name: 'completion',
      summary: 'Print a script that completes command lines in bash, zsh or fish.',
      load: async () => (await import('./completion.js')).completion,
    },
  ],
};

export const program = {
  summary: 'Learning to rank: evaluate and compare rankings, train models, score documents.',
  found: commands,
};

/** Commands that go on with a run that has stopped. */
export async function resumable(): Promise<string[]> {
  const loaded = await Promise.all(commands.members.map(async ({ name, load }) => ({ name, found: await load() })));
  return loaded.filter(({ found }) => !isGroup(found) && 'resume' in found.options).map(({ name }) => name);
}
