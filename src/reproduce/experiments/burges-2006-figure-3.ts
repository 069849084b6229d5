/** Web search: RankNet against LambdaRank at NDCG@1 to 10, linear and two layers. */
import { aboveFrom, equivalent } from '../cut-table.js';
import { defineExperiment } from '../experiment.js';
import {
  caseTitle,
  runVersus,
  type VersusConfig,
  type VersusOutcome,
  versusConfig,
  versusSection,
} from '../ranknet-lambdarank.js';

/** “The larger truncation values.” */
const LARGER = 5;

export const burges2006Figure3 = defineExperiment<VersusConfig, VersusOutcome>({
  name: 'burges-2006-figure-3',
  title: 'Web search data: RankNet against LambdaRank, linear and two layers',
  paper: 'Burges, Ragno, Le 2006, Learning to rank with nonsmooth cost functions, Figure 3',
  collections: [],
  config: versusConfig,
  run: runVersus,
  findings: ({ cases, across }) => [
    ...cases.map(one =>
      aboveFrom(
        1,
        `${caseTitle(one)}: LambdaRank beats RankNet at NDCG@1 to 10`,
        'better at every cut-off',
        one.difference,
      ),
    ),
    ...(across === undefined
      ? []
      : [
          equivalent(
            `the linear LambdaRank is as good as the RankNet of two layers at NDCG@${LARGER} to 10`,
            'they lie on top of each other at the larger cut-offs',
            across,
            { higherToo: true, first: LARGER },
          ),
        ]),
  ],
  sections: ({ cases }) => cases.map(versusSection),
});
