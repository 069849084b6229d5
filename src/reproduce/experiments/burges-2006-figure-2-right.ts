/** 400 queries, five folds of 2 + 2 + 1 parts: too few to tell LambdaRank from RankNet. */
import { mean } from '../../numeric/vectors.js';
import { cuts, differenceDrawn, signedPoints } from '../cut-table.js';
import { above, testedBySign, testedOver, together } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import {
  type Case,
  caseTitle,
  largerLead,
  layersOf,
  leads,
  runVersus,
  type VersusConfig,
  type VersusOutcome,
  versusConfig,
  versusSection,
} from '../ranknet-lambdarank.js';

export const burges2006Figure2Right = defineExperiment<VersusConfig, VersusOutcome>({
  name: 'burges-2006-figure-2-right',
  title: 'RankNet against LambdaRank on 400 queries, five folds',
  paper: 'Burges, Ragno, Le 2006, Learning to rank with nonsmooth cost functions, Figure 2 right',
  collections: [],
  config: versusConfig,
  run: runVersus,
  findings: ({ cases }) => [...cases.flatMap(uniformly), ...closer(cases)],
  sections: ({ cases }) => cases.map(versusSection),
});

/** The lead at a cut-off, mean over the data sets. */
const shown = (one: Case, k: number) => `${signedPoints(mean(leads(one, k)))} at ${k}`;

function uniformly(one: Case): Finding[] {
  const { against } = one.difference;
  const data = against[0]!.dataSets.length;
  // Of one data set, as the paper has one: its lead against twice the standard error of one over its queries.
  const error = (cut: number) => {
    const { interval, queries } = against[cut]!;
    return ((interval[1] - interval[0]) / 2) * Math.sqrt(data) * (queries > 0 ? 1 : Number.NaN);
  };
  const open = Array.from({ length: data }, (_, d) => cuts.every((k, cut) => Math.abs(leads(one, k)[d]!) < error(cut)));
  return [
    {
      claim: `${caseTitle(one)}: LambdaRank's mean NDCG is higher at 1 to 10`,
      paper: 'uniformly better means',
      ours: [1, 3, 10].map(k => shown(one, k)).join(', '),
      drawn: differenceDrawn(one.difference),
      ...together(cuts.map(k => above(testedOver('data sets', leads(one, k))))),
    },
    {
      claim: `${caseTitle(one)}: on most data sets no lead is significant at any cut-off`,
      paper: 'not significant at 95 %',
      ours: `none on ${open.filter(Boolean).length} of ${data} data sets`,
      drawn: {
        y: 'data sets without a significant lead',
        axis: 'share',
        style: 'percent',
        reference: 0.5,
        curves: [{ name: caseTitle(one), at: [0], ours: [mean(open.map(Number))] }],
      },
      ...above(testedBySign('data sets', open)),
    },
  ];
}

function closer(cases: readonly Case[]): Finding[] {
  const [linear, net] = ['linear', 'net'].map(model => cases.find(one => one.model === model));
  if (linear === undefined || net === undefined) return [];
  const lead = (one: Case) => one.difference.against[0]!.dataSets.map((_, d) => mean(cuts.map(k => leads(one, k)[d]!)));
  return [
    {
      claim: `${layersOf('net')}: means are closer than ${layersOf('linear')}`,
      paper: 'even closer',
      ours: `lead, mean of NDCG@1 to 10: ${signedPoints(mean(lead(net)))} against ${signedPoints(mean(lead(linear)))}`,
      ...largerLead(lead(linear), lead(net), `${layersOf('linear')} less ${layersOf('net')}`),
    },
  ];
}
