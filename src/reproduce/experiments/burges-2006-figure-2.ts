/** Cubic data: RankNet against LambdaRank at NDCG@1 to 10, linear and two layers. */
import { aboveFrom, signedPoints } from '../cut-table.js';
import { defineExperiment, type Finding } from '../experiment.js';
import {
  type Case,
  caseTitle,
  largerLead,
  leads,
  runVersus,
  type VersusConfig,
  type VersusOutcome,
  versusConfig,
  versusSection,
} from '../ranknet-lambdarank.js';

export const burges2006Figure2 = defineExperiment<VersusConfig, VersusOutcome>({
  name: 'burges-2006-figure-2',
  title: 'cubic data: RankNet against LambdaRank, linear and two layers',
  paper: 'Burges, Ragno, Le 2006, Learning to rank with nonsmooth cost functions, Figure 2 left',
  collections: [],
  config: versusConfig,
  run: runVersus,
  findings({ cases }) {
    // The paper has one size of training data; smaller ones are there for comparison and no claim of the paper's.
    const most = Math.max(...cases.map(({ training }) => training));
    return cases.filter(({ training }) => training === most).flatMap(findings);
  },
  sections: ({ cases }) => cases.map(versusSection),
});

function findings(one: Case): Finding[] {
  const [top, low] = [one.difference.against[0]!, one.difference.against.at(-1)!];
  return [
    aboveFrom(
      1,
      `${caseTitle(one)}: LambdaRank beats RankNet at NDCG@1 to 10`,
      'better at every cut-off',
      one.difference,
    ),
    {
      claim: `${caseTitle(one)}: the lead is larger at the top, at 1 than at 10`,
      paper: 'the gap increases at higher relevance levels',
      ours: `${signedPoints(top.difference)} at 1, ${signedPoints(low.difference)} at 10`,
      ...largerLead(leads(one, 1), leads(one, 10), `${caseTitle(one)}: at 1 less at 10`),
    },
  ];
}
