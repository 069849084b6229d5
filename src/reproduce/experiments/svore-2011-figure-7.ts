/** What λ(L) that gives way to λ(S) gains with less training data. */
import { z } from 'zod';
import type { LinesChart } from '../../report/charts.js';
import { column } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { written } from '../../report/numbers.js';
import { count } from '../../report/words.js';
import { testsOf } from '../contest.js';
import {
  type CutDifference,
  type CutValue,
  cutDifference,
  cuts,
  cutValues,
  points,
  signedPoints,
} from '../cut-table.js';
import { above, together } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { SVORE, trainAndEvaluate } from '../svore.js';
import { names, scheduleMethods, schedulesConfig } from '../svore-schedules.js';

const config = schedulesConfig.extend({
  /** Of the training queries. */
  shares: z.array(z.number()),
});
type Config = z.output<typeof config>;

type Name = keyof typeof names;
const methodNames = Object.keys(names) as Name[];

const comparisons = [
  ['exponential', 'gradient'],
  ['linear', 'gradient'],
  ['exponential', 'newton'],
  ['linear', 'newton'],
  ['gradient', 'newton'],
] as const satisfies readonly (readonly [Name, Name])[];

/** Cut-offs that the figure draws. The paper excepts the first of significance. */
const drawn = [1, 3, 10] as const;
const claimed = drawn.slice(1);

interface Share {
  readonly training: number;
  readonly values: readonly { readonly name: Name; readonly ndcg: readonly CutValue[] }[];
  /** In the order of `comparisons`. */
  readonly differences: readonly CutDifference[];
}

export const svore2011Figure7 = defineExperiment<Config, { shares: readonly Share[] }>({
  name: 'svore-2011-figure-7',
  title: 'an objective that changes as trees are added, with less training data',
  paper: `${SVORE}, Figure 7`,
  collections: [],
  config,
  async run({ shares, ...settings }, lab) {
    const methods = scheduleMethods(settings);
    const held: Share[] = [];
    for (const share of shares) {
      const data = { ...settings.data, training: Math.round(share * settings.data.training) };
      const evaluated = await trainAndEvaluate(
        { ...settings, data },
        methodNames.map(name => ({ method: methods[name], measures: ['ndcg'] })),
        lab,
      );
      const of = (name: Name) => evaluated[methodNames.indexOf(name)]!.samples.get('ndcg')!;
      held.push({
        training: data.training,
        values: methodNames.map(name => ({ name, ndcg: cutValues(of(name)) })),
        differences: comparisons.map(([one, base]) =>
          cutDifference(`${names[one]} less ${names[base]}`, of(one), of(base)),
        ),
      });
    }
    return { shares: held };
  },
  findings: ({ shares }) => comparisons.map((_, c) => shareFinding(c, shares)),
  sections: ({ shares }) => [...drawn.map(cut => curves(cut, shares)), sharesTable(shares)],
});

/** With every share of the data. */
function shareFinding(c: number, shares: readonly Share[]): Finding {
  const [one, base] = comparisons[c]!;
  const at = (share: Share, cut: number) => share.differences[c]!.against[cut - 1]!;
  const trainings = shares.map(({ training }) => training);
  return {
    claim: `Figure 7: with every share of the training data ${names[one]} is better than ${names[base]} at ${claimed.join(' and ')}`,
    paper: 'significantly, with even small amounts of training data',
    ours: shares
      .map(share => {
        const leads = claimed.map(cut => signedPoints(at(share, cut).difference)).join(' and ');
        return `${leads} with ${count(share.training)} queries`;
      })
      .join(', '),
    drawn: {
      y: 'difference, points',
      x: { label: 'training queries' },
      reference: 0,
      curves: claimed.map(cut => {
        const all = shares.map(share => at(share, cut));
        return {
          name: `NDCG@${cut}`,
          at: trainings,
          ours: all.map(({ difference }) => 100 * difference),
          low: all.map(({ interval }) => 100 * interval[0]),
          high: all.map(({ interval }) => 100 * interval[1]),
        };
      }),
    },
    ...together(shares.flatMap(share => claimed.map(cut => above(...testsOf(at(share, cut), 't'))))),
  };
}

function curves(cut: number, shares: readonly Share[]): Section {
  const value = (share: Share, m: number) => share.values[m]!.ndcg[cut - 1]!;
  return {
    title: `NDCG@${cut}`,
    blocks: [
      {
        kind: 'lines',
        title: `NDCG@${cut} by the number of training queries`,
        note: 'Bands are 95 % intervals over queries.',
        x: { label: 'training queries', style: 'count', scale: 'log' },
        y: { label: 'mean over test queries', style: 'value' },
        series: methodNames.map((name, m) => ({
          name: names[name],
          x: shares.map(({ training }) => training),
          y: shares.map(share => value(share, m).mean),
          low: shares.map(share => value(share, m).interval[0]),
          high: shares.map(share => value(share, m).interval[1]),
        })),
      } satisfies LinesChart,
    ],
  };
}

function sharesTable(shares: readonly Share[]): Section {
  const title = 'NDCG by training queries';
  return {
    title,
    lead: 'In points of 100, and what one has over another; p is of the paired t-test over queries.',
    blocks: [
      {
        kind: 'table',
        title,
        columns: [
          column('training queries', 'count'),
          column('method'),
          ...drawn.map(cut => column(`@${cut}`, 'general')),
        ],
        rows: shares.flatMap(({ training, values, differences }) => [
          ...values.map(({ name, ndcg }) => [training, names[name], ...drawn.map(cut => points(ndcg[cut - 1]!.mean))]),
          ...differences.map(({ name, against }) => [
            training,
            name,
            ...drawn.map(cut => {
              const { difference, p } = against[cuts.indexOf(cut)]!;
              return { value: signedPoints(difference), note: `p ${written(p.t, 'p')}` };
            }),
          ]),
        ]),
      },
    ],
  };
}
