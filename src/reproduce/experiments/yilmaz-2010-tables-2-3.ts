/** Train for a more informative measure than is tested? LambdaRank and SoftRank, three tests that must agree. */
import { z } from 'zod';
import type { Cell, Section } from '../../report/document.js';
import { count } from '../../report/words.js';
import {
  type Against,
  againstDrawn,
  type Contest,
  type Contested,
  contestConfig,
  holdContests,
  significant,
  testsOf,
} from '../contest.js';
import { contestTable } from '../contest-table.js';
import { points, signedPoints } from '../cut-table.js';
import { testsDrawn } from '../drawn.js';
import { above, testedOver, together } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { generatedConfig } from '../generated.js';
import {
  type Comparison,
  type Variation,
  variationsChart,
  variationsConfig,
  variationsHeld,
  variationsTable,
  variedContests,
} from '../variations.js';

/** What is trained for: the rows of the paper's tables, by the names that they have there. */
const trained = { AP: 'ap', 'P@10': 'p@10', 'NDCG@10': 'ndcg@10', NDCG: 'ndcg' } as const;
type Trained = keyof typeof trained;
const names = Object.keys(trained) as Trained[];

/** What is tested, against training for it; AP and P@10 against training for NDCG too. */
const columns = ['P@10', 'NDCG@10', 'AP'] as const satisfies readonly Trained[];
const couples: readonly (readonly [Trained, Trained])[] = [
  ...columns.map(name => [name, name] as const),
  ['P@10', 'NDCG'],
  ['AP', 'NDCG'],
];

/** What one training has over another, for the table of reasons. */
const comparisons = (
  [
    ['P@10', 'AP', 'P@10'],
    ['NDCG@10', 'NDCG', 'NDCG@10'],
    ['AP', 'AP', 'NDCG'],
    ['P@10', 'AP', 'NDCG'],
  ] as const
).map(([tested, one, base]): Comparison => ({ tested: trained[tested], one, base }));

const config = contestConfig.extend({
  methods: z.array(
    z.strictObject({
      name: z.string(),
      table: z.string(),
      /** {measure} stands for what is trained for. */
      objective: z.string(),
      /** Whether the paper calls the lead of AP over NDCG significant when P@10 is tested. */
      apLeads: z.enum(['significantly', 'somewhat']),
      /** Measures to train for that the paper has not, to see why something comes out as it does. */
      also: z.array(z.strictObject({ name: z.string(), measure: z.string() })).optional(),
      /** What its data has otherwise. */
      data: generatedConfig.partial().optional(),
      variations: variationsConfig,
    }),
  ),
});
type Config = z.output<typeof config>;

interface Method extends Pick<Config['methods'][number], 'name' | 'table' | 'apLeads'> {
  /** In the order of `couples`. */
  readonly contests: readonly Contested[];
  readonly variations: readonly Variation[];
}

export const yilmaz2010Tables23 = defineExperiment<Config, { methods: readonly Method[] }>({
  name: 'yilmaz-2010-tables-2-3',
  title: 'training for a more informative measure than the one tested',
  paper: 'Yilmaz, Robertson 2010, On the choice of effectiveness measures for learning to rank, Tables 2 and 3',
  collections: [],
  config,
  async run({ methods, ...settings }, lab) {
    const planned = methods.flatMap(({ name, objective, also = [], data, variations }) => {
      const config = { ...settings, data: generatedConfig.parse({ ...settings.data, ...data }) };
      const contestWith = (measure: (own: string) => string): Contest => ({
        entrants: [...names.map(own => ({ name: own, measure: measure(trained[own]) })), ...also].map(one => ({
          name: one.name,
          select: one.measure,
          objective: objective.replaceAll('{measure}', one.measure),
        })),
        tests: couples.map(([tested, base]) => ({ measure: measure(trained[tested]), base })),
      });
      const own = { label: '', contest: contestWith(measure => measure), config };
      const varied = variedContests(variations, contestWith, comparisons, config);
      return [own, ...varied].map(one => ({ ...one, label: `${name}, ${one.label}` }));
    });
    const held = await holdContests(planned, lab);
    return {
      methods: methods.map(({ name, table, apLeads, variations }) => {
        const [contests, ...varied] = held.splice(0, variations.length + 1);
        return { name, table, apLeads, contests: contests!, variations: variationsHeld(variations, varied) };
      }),
    };
  },
  findings: ({ methods }) => methods.flatMap(findings),
  sections: ({ methods }) => methods.map(section),
});

function contestOf({ contests }: Method, tested: Trained, base: Trained): Contested {
  return contests[couples.findIndex(([column, to]) => column === tested && to === base)]!;
}

function resultOf({ results }: Contested, name: string) {
  return results.find(result => result.name === name)!;
}

function against(method: Method, tested: Trained, name: Trained, base: Trained): Against {
  return resultOf(contestOf(method, tested, base), name).against!;
}

const shown = ({ difference, interval: [low, high], better }: Against, data: number) =>
  `${signedPoints(difference)} points (${signedPoints(low)} to ${signedPoints(high)}), better on ${better} of ${data} data sets`;

function findings(method: Method): Finding[] {
  const { name, table, apLeads } = method;
  const data = method.contests[0]!.results[0]!.runs.length;
  const claim = (
    tested: Trained,
    better: Trained,
    base: Trained,
    paper: string,
    needs: 'significant' | 'sign',
  ): Finding => {
    const found = against(method, tested, better, base);
    return {
      claim: `${table}, ${name}, tested on ${tested}: training for ${better} beats training for ${base}`,
      paper,
      ours: shown(found, data),
      drawn: againstDrawn(`${table}, on ${tested}: for ${better} less for ${base}`, found),
      ...above(...testsOf(found, 'all').slice(needs === 'sign' ? 1 : 0)),
    };
  };
  return [
    claim('P@10', 'AP', 'P@10', 'better', 'significant'),
    claim('P@10', 'NDCG', 'P@10', 'better', 'significant'),
    claim('NDCG@10', 'NDCG', 'NDCG@10', 'better', 'significant'),
    claim('AP', 'AP', 'NDCG', 'better, significantly', 'significant'),
    claim(
      'P@10',
      'AP',
      'NDCG',
      apLeads === 'significantly' ? 'better, significantly' : 'better, not significantly',
      apLeads === 'significantly' ? 'significant' : 'sign',
    ),
    consistently(method),
  ];
}

function consistently(method: Method): Finding {
  const pairs = columns.map(tested => {
    const contest = contestOf(method, tested, tested);
    return { tested, ndcg: resultOf(contest, 'NDCG@10'), precision: resultOf(contest, 'P@10') };
  });
  const tests = pairs.map(({ tested, ndcg, precision }) => ({
    name: `${method.table}, on ${tested}: for NDCG@10 less for P@10`,
    tested: testedOver(
      'data sets',
      ndcg.runs.map(({ test }, d) => test - precision.runs[d]!.test),
    ),
  }));
  return {
    claim: `${method.table}, ${method.name}: training for NDCG@10 beats training for P@10 whatever is tested`,
    paper: 'consistently',
    ours: pairs
      .map(({ tested, ndcg, precision }) => `${points(ndcg.mean)} against ${points(precision.mean)} (${tested})`)
      .join(', '),
    ...testsDrawn(tests),
    ...together(tests.map(({ tested }) => above(tested))),
  };
}

function section(method: Method): Section {
  const held = columns.map(tested => contestOf(method, tested, tested));
  const title = `${method.table}: ${method.name}`;
  const cell = (contest: Contested, name: string): Cell => {
    const { mean, against: found } = resultOf(contest, name);
    return `${points(mean)}${found !== undefined && significant(found, 'all') ? ' ‡' : ''}`;
  };
  return {
    title,
    lead: `A hundred times the mean over ${count(held[0]!.queries)} test queries. ‡ differs from training for the measure tested by t-test, Wilcoxon and sign test alike.`,
    blocks: [
      {
        kind: 'table',
        title,
        columns: [{ title: 'trained for' }, ...columns.map(tested => ({ title: `tested on ${tested}` }))],
        rows: held[0]!.results.map(({ name }) => [name, ...held.map(contest => cell(contest, name))]),
      },
      contestTable(`${method.name}: differences from training for the measure tested`, held, undefined, 'all'),
      ...reasons(method),
    ],
  };
}

function reasons({ name, contests, variations }: Method): Section['blocks'] {
  if (variations.length === 0) return [];
  const all = [{ name: 'as above', contests }, ...variations];
  const title = `${name}: what the differences come from`;
  return [
    variationsChart(title, all, comparisons),
    variationsTable(`${title}, in points of 100`, all, comparisons, 'all'),
  ];
}
