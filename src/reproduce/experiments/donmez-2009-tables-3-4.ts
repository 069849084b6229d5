/** Does training for the measure that is tested pay? Train for four measures, test on the same, two sizes of data. */
import { z } from 'zod';
import type { Section } from '../../report/document.js';
import { written } from '../../report/numbers.js';
import { count } from '../../report/words.js';
import {
  againstDrawn,
  type Contest,
  type Contested,
  contestConfig,
  holdContests,
  pairsOf,
  type Result,
  reversed,
  testsOf,
} from '../contest.js';
import { contestTable } from '../contest-table.js';
import { type Drawn, testsDrawn } from '../drawn.js';
import { above, byValues, testedOver, together } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import {
  type Comparison,
  pairsTable,
  type Variation,
  variationsChart,
  variationsConfig,
  variationsHeld,
  variationsTable,
  variedContests,
} from '../variations.js';

/** Test scores that the paper prints, by measure tested and measure trained for, each in this order. */
const NAMES = ['NDCG', 'NDCG@10', 'MAP', 'MRR'] as const;
const [AT_10, MRR] = [NAMES.indexOf('NDCG@10'), NAMES.indexOf('MRR')];
const tableNames = ['Table 3', 'Table 4'] as const;
type TableName = (typeof tableNames)[number];
const TABLES: Readonly<Record<TableName, readonly (readonly number[])[]>> = {
  'Table 3': [
    [0.723, 0.722, 0.718, 0.704],
    [0.442, 0.422, 0.435, 0.403],
    [0.335, 0.335, 0.337, 0.314],
    [0.546, 0.548, 0.546, 0.526],
  ],
  'Table 4': [
    [0.726, 0.724, 0.723, 0.709],
    [0.452, 0.448, 0.447, 0.415],
    [0.341, 0.338, 0.343, 0.322],
    [0.55, 0.547, 0.55, 0.539],
  ],
};

const config = contestConfig.extend({
  /** Training queries that stand for the two sizes of the paper's Web data. */
  sizes: z.record(z.enum(tableNames), z.int()),
  /** In the order of the paper's. */
  measures: z.array(z.string()).length(NAMES.length),
  /** Data altered in one respect from that of Table 3. */
  variations: variationsConfig,
});
type Config = z.output<typeof config>;

interface Table {
  readonly table: TableName;
  readonly training: number;
  readonly contests: readonly Contested[];
}

interface Outcome {
  readonly tables: readonly Table[];
  readonly variations: readonly Variation[];
}

export const donmez2009Tables34 = defineExperiment<Config, Outcome>({
  name: 'donmez-2009-tables-3-4',
  title: 'training for one measure, testing on another, two sizes of data',
  paper: 'Donmez, Svore, Burges 2009, On the local optimality of LambdaRank, Tables 3 and 4',
  collections: [],
  config,
  async run({ sizes, measures, variations, ...settings }, lab) {
    const contestWith = (measure: (own: string) => string): Contest => {
      const selects = measures.map(measure);
      const mrr = selects[MRR]!;
      return {
        entrants: [
          ...selects.map((select, n) => ({ name: NAMES[n]!, objective: `lambdarank(${select})`, select })),
          // The paper's Equation 11 leaves out what a well-ranked pair would lose; compared here, but no claim rests on
          // it.
          { name: 'MRR, Eq. 11', objective: `lambdarank(${mrr},pairs=misranked)`, select: mrr },
        ],
        tests: selects.map((select, m) => ({ measure: select, base: NAMES[m]! })),
      };
    };
    const contest = contestWith(own => own);
    const ofSize = (training: number) => ({ ...settings, data: { ...settings.data, training } });
    const ofTables = tableNames.map(table => ({
      label: `${sizes[table]} queries, `,
      contest,
      config: ofSize(sizes[table]),
    }));
    const varied = variedContests(variations, contestWith, comparisons(measures), ofSize(sizes['Table 3']));
    const held = await holdContests([...ofTables, ...varied], lab);
    return {
      tables: tableNames.map((table, t) => ({ table, training: sizes[table], contests: held[t]! })),
      variations: variationsHeld(variations, held.slice(tableNames.length)),
    };
  },
  findings: ({ tables }) => [
    ...tables.flatMap(matching),
    ...tables.map(worst),
    ...leads(tables as readonly [Table, Table]),
    pairs(tables[0]!),
  ],
  sections: outcome => [...outcome.tables.map(section), reasons(outcome)],
});

/** Whether another measure than the one tested is as good to train for. */
function comparisons(measures: readonly string[]): Comparison[] {
  const couples = [
    ['NDCG', 'NDCG@10'],
    ['NDCG', 'MAP'],
    ['NDCG@10', 'NDCG'],
    ['MAP', 'NDCG'],
  ] as const;
  return couples.map(([base, one]) => ({ tested: measures[NAMES.indexOf(base)]!, one, base }));
}

/** Those trained as in the paper's tables, in its order. */
const ofPaper = ({ results }: Contested) => results.slice(0, NAMES.length);

/** What the paper says of each measure tested: training for it is best, or training for another is better. */
function matching({ table, training, contests }: Table): Finding[] {
  return contests.map((contest, m) => {
    const results = ofPaper(contest);
    const printed = TABLES[table][m]!;
    const shown = {
      paper: printed.map((score, n) => `${score.toFixed(3)} (${NAMES[n]})`).join(', '),
      ours: results.map(({ name, mean }) => `${mean.toFixed(4)} (${name})`).join(', '),
    };
    const tested = `${table}, ${count(training)} queries, tested on ${contest.base}`;
    if (printed.every(score => score <= printed[m]!)) {
      const others = results.flatMap(({ against }) => against ?? []);
      return {
        claim: `${tested}: training for it is best, significantly`,
        ...shown,
        drawn: leadsDrawn(table, contest, m, printed),
        ...together(others.map(against => above(...testsOf(reversed(against), 't')))),
      };
    }
    const best = printed.indexOf(Math.max(...printed));
    const against = results[best]!.against!;
    return {
      claim: `${tested}: training for ${NAMES[best]} is better than for ${contest.base}`,
      ...shown,
      drawn: againstDrawn(
        `${table}, ${contest.base}: ${NAMES[best]} less ${contest.base}`,
        against,
        printed[best]! - printed[m]!,
      ),
      ...above(...testsOf(against, 't')),
    };
  });
}

/** How far training for each of the others is from training for the measure tested: as in the table. */
function leadsDrawn(table: TableName, contest: Contested, m: number, printed: readonly number[]): Drawn {
  const others = NAMES.flatMap((_, n) => (n === m ? [] : [{ n, against: ofPaper(contest)[n]!.against! }]));
  return {
    y: 'difference',
    style: 'difference',
    reference: 0,
    curves: others.flatMap(
      ({ n, against }) =>
        againstDrawn(`${table}, ${contest.base}: ${NAMES[n]} less ${NAMES[m]}`, against, printed[n]! - printed[m]!)
          .curves,
    ),
  };
}

const differences = (one: Result, other: Result) => one.runs.map(({ test }, d) => test - other.runs[d]!.test);

/** In every row of both tables the models trained for MRR are the worst. */
function worst({ table, training, contests }: Table): Finding {
  const rows = contests.map(contest => ofPaper(contest).map(({ mean }) => mean));
  const tests = contests.flatMap(contest => {
    const results = ofPaper(contest);
    return results.slice(0, MRR).map(other => ({
      name: `${table}, ${contest.base}: ${other.name} less ${NAMES[MRR]}`,
      tested: testedOver('data sets', differences(other, results[MRR]!)),
    }));
  });
  const lowest = rows.filter(means => means[MRR] === Math.min(...means)).length;
  return {
    claim: `${table}, ${count(training)} queries: training for MRR is worst whatever is tested`,
    paper: 'lowest for all four measures',
    ours: `lowest for ${lowest} of ${rows.length}`,
    ...testsDrawn(tests, 'difference over data sets', 'difference'),
    ...together(tests.map(({ tested }) => above(tested))),
  };
}

/** With more data the lead of training for NDCG over training for the measure tested shrinks. */
function leads([fewer, more]: readonly [Table, Table]): Finding[] {
  return [AT_10, MRR].map(m => {
    const lead = (means: readonly number[]) => means[0]! - means[m]!;
    const ours = ({ contests }: Table) => lead(ofPaper(contests[m]!).map(({ mean }) => mean));
    const [before, after] = [ours(fewer), ours(more)];
    const leadOf = ({ contests }: Table) => differences(ofPaper(contests[m]!)[0]!, ofPaper(contests[m]!)[m]!);
    const shrunk = leadOf(fewer).map((lead, d) => lead - leadOf(more)[d]!);
    const [printedBefore, printedAfter] = [lead(TABLES[fewer.table][m]!), lead(TABLES[more.table][m]!)];
    return {
      claim: `tested on ${NAMES[m]}: the lead of training for NDCG shrinks with more data`,
      paper: `${printedBefore.toFixed(3)} to ${printedAfter.toFixed(3)}`,
      ours: `${written(before, 'value')} to ${written(after, 'value')}`,
      drawn: {
        y: 'lead of training for NDCG',
        style: 'difference',
        reference: 0,
        curves: [
          { name: `on ${NAMES[m]}, ${fewer.table}`, at: [0], paper: [printedBefore], ours: [before] },
          { name: `on ${NAMES[m]}, ${more.table}`, at: [0], paper: [printedAfter], ours: [after] },
        ],
      },
      ...together([above(testedOver('data sets', leadOf(fewer))), above(testedOver('data sets', shrunk))]),
    };
  });
}

function pairs({ contests, training }: Table): Finding {
  const found = ofPaper(contests[0]!).map(pairsOf);
  return {
    claim: `${count(training)} queries: pairs with a lambda are most for NDCG, then NDCG@10, MAP, MRR`,
    paper: 'at most 73 million for graded measures, 27 million for binary ones; MRR 1 to 2 magnitudes fewer',
    ours: found.map((value, n) => `${count(Math.round(value))} (${NAMES[n]})`).join(', '),
    drawn: {
      y: 'pairs with a lambda, an epoch',
      axis: 'pairs',
      style: 'count',
      curves: found.map((value, n) => ({ name: NAMES[n]!, at: [0], ours: [value] })),
    },
    ...byValues(found.every((value, n) => n === 0 || value < found[n - 1]!)),
  };
}

function section({ table, training, contests }: Table): Section {
  const printed = (m: number, n: number) => TABLES[table][m]![n]?.toFixed(3);
  const title = `${table}: ${count(training)} training queries`;
  return {
    title,
    lead: 'Differences are from the model trained for the measure tested; p is of the paired t-test.',
    blocks: [contestTable(title, contests, printed, 't')],
  };
}

/** The data of the tables first, then what was altered. */
function reasons({ tables, variations }: Outcome): Section {
  const all = [...tables.map(({ table, contests }) => ({ name: table, contests })), ...variations];
  const compared = comparisons(tables[0]!.contests.map(({ measure }) => measure));
  return {
    title: 'What the differences come from',
    lead: 'Data altered from that of Table 3. The table has a hundred times the difference, with its 95 % interval; ‡ is significant by the paired t-test.',
    blocks: [
      variationsChart('What the differences come from', all, compared),
      variationsTable('What the differences come from, in points of 100', all, compared, 't'),
      pairsTable(
        'Pairs with a lambda in an epoch',
        all,
        tables[0]!.contests[0]!.results.map(({ name }) => name),
      ),
    ],
  };
}
