/** Ways to make lambdas of a measure: which learns best? */
import { z } from 'zod';
import type { Section } from '../../report/document.js';
import { againstDrawn, type Contested, contestConfig, holdContests, reversed, testsOf } from '../contest.js';
import { contestTable } from '../contest-table.js';
import { above } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';

/** Of LambdaRank, which the paper calls RankNetWeightPairs: the others are compared with it. */
const BASE = 'RankNetWeightPairs';

/** The paper's constructions, the objective of each, and the validation scores that it prints for MAP and MRR. */
const CONSTRUCTIONS = [
  { name: BASE, objective: 'lambdarank', printed: { 'Table 1': '0.462±0.0048', 'Table 2': '0.524±0.0059' } },
  {
    name: 'LocalGradient',
    objective: 'localgradient',
    printed: { 'Table 1': '0.435±0.0048', 'Table 2': '0.512±0.0059' },
  },
  { name: 'LocalCost', objective: 'localcost', printed: { 'Table 1': '0.427±0.0049', 'Table 2': '0.515±0.0060' } },
  {
    name: 'SpringSmooth',
    objective: 'springsmooth',
    printed: { 'Table 1': '0.424±0.0048', 'Table 2': '0.498±0.0058' },
  },
  {
    name: 'DiscreteBounded',
    objective: 'discretebounded',
    printed: { 'Table 1': '0.401±0.0049', 'Table 2': '0.471±0.0059' },
  },
] as const;

const tableNames = ['Table 1', 'Table 2'] as const;
type TableName = (typeof tableNames)[number];

const config = contestConfig.extend({
  /** MAP and MRR. */
  measures: z.record(z.enum(tableNames), z.string()),
});
type Config = z.output<typeof config>;

interface Table {
  readonly table: TableName;
  readonly contest: Contested;
}

export const donmez2009Tables12 = defineExperiment<Config, { tables: readonly Table[] }>({
  name: 'donmez-2009-tables-1-2',
  title: 'five ways to make lambdas of MAP and MRR',
  paper: 'Donmez, Svore, Burges 2009, On the local optimality of LambdaRank, Tables 1 and 2',
  collections: [],
  config,
  async run({ measures, ...settings }, lab) {
    const planned = tableNames.map(table => ({
      label: `${measures[table]}, `,
      config: settings,
      contest: {
        entrants: CONSTRUCTIONS.map(({ name, objective }) => ({
          name,
          objective: `${objective}(${measures[table]})`,
          select: measures[table],
        })),
        tests: [{ measure: measures[table], base: BASE }],
      },
    }));
    const held = await holdContests(planned, lab);
    return { tables: tableNames.map((table, t) => ({ table, contest: held[t]![0]! })) };
  },
  findings: ({ tables }) => tables.flatMap(findings),
  sections: ({ tables }) => tables.map(section),
});

/** The paper's claim of every other construction: worse, with significance. */
function findings({ table, contest: { measure, results } }: Table): Finding[] {
  const [base, ...others] = results;
  const printed = (c: number) => Number.parseFloat(CONSTRUCTIONS[c]!.printed[table]);
  return others.map(({ name, mean, against }, c) => ({
    claim: `${table}, ${measure}: ${BASE} is better than ${name}, significantly`,
    paper: `${CONSTRUCTIONS[0].printed[table]} to ${CONSTRUCTIONS[c + 1]!.printed[table]}`,
    ours: `${base!.mean.toFixed(4)} to ${mean.toFixed(4)}`,
    drawn: againstDrawn(`${table}: ${name} less ${BASE}`, against!, printed(c + 1) - printed(0)),
    ...above(...testsOf(reversed(against!), 't')),
  }));
}

function section({ table, contest }: Table): Section {
  return {
    title: `${table}: ${contest.measure}`,
    lead: `Differences are from ${BASE}; p is of the paired t-test.`,
    blocks: [
      contestTable(`${table}: ${contest.measure}`, [contest], (_, e) => CONSTRUCTIONS[e]!.printed[table], 't'),
      {
        kind: 'table',
        title: `${table}: pairs, or documents, with a lambda in the last epoch of the first data set`,
        columns: [{ title: 'construction' }, { title: 'with a lambda', style: 'count' }],
        rows: contest.results.map(({ name, runs }) => [name, runs[0]!.chosen.pairs!]),
      },
    ],
  };
}
