/** Every analysis there is, in the order help shows them. */
import type { Group } from '../../command/group.js';

export const analyses: Group = {
  noun: 'analysis',
  plural: 'Analyses',
  members: [
    {
      name: 'importance',
      summary: 'How much each feature matters: by splits and their gain, and with DATA by permutation.',
      load: async () => (await import('./importance.js')).importance,
    },
    {
      name: 'shap',
      summary: 'What each feature adds to scores: Shapley values of documents, their dependence and interactions.',
      load: async () => (await import('./shap.js')).shap,
    },
    {
      name: 'dependence',
      summary: 'How the mean score depends on one feature: partial dependence, for any model.',
      load: async () => (await import('./dependence.js')).dependence,
    },
    {
      name: 'tree',
      summary: 'Draw one tree of a model.',
      load: async () => (await import('./tree.js')).tree,
    },
    {
      name: 'optimality',
      summary:
        'Whether a model is a local optimum of a measure: changes its parameters at random and checks whether the measure rises.',
      load: async () => (await import('./optimality.js')).optimality,
    },
    {
      name: 'field',
      summary:
        'What the lambdas of an objective are: a gradient or not, of a convex cost or not; and a picture of them.',
      load: async () => (await import('./field.js')).field,
    },
    {
      name: 'informativeness',
      summary:
        'How much a measure reveals about the lists it evaluates: what can be inferred from its value by maximum entropy.',
      load: async () => (await import('./informativeness.js')).informativeness,
    },
    {
      name: 'approximation',
      summary:
        'How far the smooth approximation that an objective optimises is from its measure: at a model, or along training.',
      load: async () => (await import('./approximation.js')).approximation,
    },
    {
      name: 'queries',
      summary: 'Gains and losses query by query from one system to another, and the queries that fail.',
      load: async () => (await import('./queries.js')).queries,
    },
    {
      name: 'why',
      summary:
        'Why two models rank the documents of a query differently: ranks side by side, and the features that moved them; or why a model has one document above another.',
      load: async () => (await import('./why.js')).why,
    },
    {
      name: 'advise',
      summary: 'Which measure to train for when another one counts: trains each candidate on this data and compares.',
      load: async () => (await import('./advise.js')).advise,
    },
  ],
};
