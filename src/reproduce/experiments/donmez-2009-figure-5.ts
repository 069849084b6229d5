/** Test MRR, and NDCG@10, against the pairs with a lambda: is the measure tested best to train for at equal numbers? */
import { z } from 'zod';
import { mean } from '../../numeric/vectors.js';
import type { LinesChart } from '../../report/charts.js';
import { column, columns } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { written } from '../../report/numbers.js';
import { type Contested, contestConfig, holdContests, pairsOf, type Result } from '../contest.js';
import { testedDrawn } from '../drawn.js';
import { above, testedOver } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';

const NAMES = ['NDCG', 'NDCG@10', 'MAP', 'MRR'] as const;
type Name = (typeof NAMES)[number];
/** Figure 5, and what the paper says without drawing it. */
const TESTED = ['MRR', 'NDCG@10'] as const satisfies readonly Name[];

const config = contestConfig.extend({
  /** Training queries, rising. */
  sizes: z.array(z.int()),
  /** In the order of the paper's. */
  measures: z.array(z.string()).length(NAMES.length),
});
type Config = z.output<typeof config>;

interface Outcome {
  readonly sizes: readonly number[];
  /** By size, then one a measure tested. */
  readonly held: readonly (readonly Contested[])[];
}

export const donmez2009Figure5 = defineExperiment<Config, Outcome>({
  name: 'donmez-2009-figure-5',
  title: 'pairs with a lambda against test MRR and NDCG@10',
  paper: 'Donmez, Svore, Burges 2009, On the local optimality of LambdaRank, Figure 5',
  collections: [],
  config,
  async run({ sizes, measures, ...settings }, lab) {
    const spec = (name: Name) => measures[NAMES.indexOf(name)]!;
    const planned = sizes.map(training => ({
      label: `${training} queries, `,
      config: { ...settings, data: { ...settings.data, training } },
      contest: {
        entrants: NAMES.map(name => ({ name, objective: `lambdarank(${spec(name)})`, select: spec(name) })),
        tests: TESTED.map(name => ({ measure: spec(name), base: name })),
      },
    }));
    return { sizes, held: await holdContests(planned, lab) };
  },
  findings: outcome => TESTED.flatMap((tested, t) => findings(outcome, tested, t)),
  sections: outcome => TESTED.map((tested, t) => section(outcome, tested, t)),
});

const resultOf = (contested: Contested, name: Name): Result => contested.results.find(one => one.name === name)!;

/** Pairs and test values of one training measure on one data set, by size. */
function curve({ held }: Outcome, t: number, name: Name, dataSet: number) {
  return held.map(contests => {
    const { chosen, test } = resultOf(contests[t]!, name).runs[dataSet]!;
    return { pairs: Math.log(Math.max(1, chosen.pairs!)), test };
  });
}

/** Straight between neighbours; nothing outside. */
function valueAt(points: readonly { pairs: number; test: number }[], pairs: number): number | undefined {
  const sorted = [...points].sort((a, b) => a.pairs - b.pairs);
  const after = sorted.findIndex(point => point.pairs >= pairs);
  if (after < 0 || (after === 0 && sorted[0]!.pairs > pairs)) return undefined;
  const [high, low] = [sorted[after]!, sorted[Math.max(0, after - 1)]!];
  const share = high.pairs === low.pairs ? 0 : (pairs - low.pairs) / (high.pairs - low.pairs);
  return low.test + share * (high.test - low.test);
}

/** On each data set: the measure tested less another at the same number of pairs, mean of the sizes where both are. */
function leads(outcome: Outcome, t: number, tested: Name, other: Name): number[] {
  const data = outcome.held[0]![0]!.results[0]!.runs.length;
  return Array.from({ length: data }, (_, d) => {
    const theirs = curve(outcome, t, other, d);
    const gaps = curve(outcome, t, tested, d).flatMap(({ pairs, test }) => {
      const value = valueAt(theirs, pairs);
      return value === undefined ? [] : [test - value];
    });
    return gaps.length === 0 ? Number.NaN : mean(gaps);
  }).filter(lead => !Number.isNaN(lead));
}

function findings(outcome: Outcome, tested: Name, t: number): Finding[] {
  return NAMES.filter(name => name !== tested).map(other => {
    const found = leads(outcome, t, tested, other);
    const test = testedOver('data sets', found);
    return {
      claim: `tested on ${tested}, at equal numbers of pairs: training for it is better than for ${other}`,
      paper: tested === 'MRR' ? 'better, significantly' : 'similar results',
      ours:
        found.length === 0
          ? 'the numbers of pairs do not overlap'
          : `${written(mean(found), 'difference')}, higher on ${found.filter(lead => lead > 0).length} of ${found.length} data sets`,
      ...above(test),
      ...testedDrawn(`on ${tested}: for ${tested} less for ${other}`, test),
    };
  });
}

function section({ sizes, held }: Outcome, tested: Name, t: number): Section {
  const results = (name: Name) => held.map(contests => resultOf(contests[t]!, name));
  const chart: LinesChart = {
    kind: 'lines',
    title: `Pairs with a lambda against test ${tested}`,
    note: 'One dot a number of training queries, means over the data sets. The paper prints no numbers of its figure.',
    x: { label: 'pairs with a lambda in an epoch', style: 'count', scale: 'log' },
    y: { label: `test ${tested}`, style: 'value' },
    series: NAMES.map(name => {
      const points = results(name)
        .map(one => ({ pairs: Math.max(1, pairsOf(one)), test: one.mean }))
        .sort((a, b) => a.pairs - b.pairs);
      return { name: `trained for ${name}`, x: points.map(({ pairs }) => pairs), y: points.map(({ test }) => test) };
    }),
  };
  return {
    title: `Figure 5: tested on ${tested}`,
    blocks: [
      chart,
      {
        kind: 'table',
        title: `Pairs with a lambda, and test ${tested}`,
        columns: [
          column('queries', 'count'),
          ...NAMES.flatMap(name => [...columns('count', `pairs, ${name}`), column(`trained for ${name}`, 'value')]),
        ],
        rows: sizes.map((size, s) => [
          size,
          ...NAMES.flatMap(name => [Math.round(pairsOf(results(name)[s]!)), results(name)[s]!.mean]),
        ]),
      },
    ],
  };
}
