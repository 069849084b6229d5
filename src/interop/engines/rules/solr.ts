/** Solr's learning to rank. Nets came with 7.3 (SOLR-11597), their tanh with 7.6 (SOLR-12780). */
import { SOLR_SLACK, slackNode } from '../../written-node.js';
import type { EngineRule, NetRule, TreesRule } from '../rule.js';
import { anyScore32, ranklibTrees, zeros } from './shared.js';

const slack: TreesRule = {
  ...ranklibTrees,
  written: slackNode,
  reads: condition => Math.fround(condition + SOLR_SLACK),
};

const early = 'MultipleAdditiveTreesModel: 1e-6 is added to every threshold';

function zeroRule(since: string, before: string, net: NetRule | undefined, evidence: string): EngineRule {
  return {
    engine: 'solr',
    since,
    before,
    format: 'solr',
    trees: slack,
    linear: { width: 32, standardises: 'normalisers' },
    net,
    ...anyScore32,
    evidence,
    advice: `${zeros} Or go to Solr 9.2 or later.`,
  };
}

export const solrRules: readonly EngineRule[] = [
  zeroRule('6.4', '7.3', undefined, early),
  zeroRule('7.3', '7.6', { activations: ['relu', 'sigmoid'] }, `${early}; NeuralNetworkModel (SOLR-11597)`),
  zeroRule('7.6', '9.2', {}, `${early}; NeuralNetworkModel with tanh (SOLR-12780)`),
  {
    engine: 'solr',
    since: '9.2',
    format: 'solr',
    trees: { ...slack, missing: 'node' },
    linear: { width: 32, standardises: 'normalisers' },
    net: {},
    ...anyScore32,
    evidence: 'SOLR-16596: "isNullSameAsZero": false, "missing" of a node, and NaN as the default of the features',
    advice: zeros,
  },
];
