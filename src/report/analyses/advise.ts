/** What to train for: each candidate by the measure that counts, against training for that measure itself. */
import { type Advice, adviceVerdict, decidingTests } from '../../analysis/advise.js';
import type { Chart } from '../charts.js';
import { column, columns, rightColumn } from '../columns.js';
import type { Document, TableBlock } from '../document.js';
import { remark } from '../remark.js';
import { confidence, count } from '../words.js';

export function adviseDocument(advice: Advice, model: string): Document {
  const { testMeasure, testQueries, shares, seeds, alpha } = advice;
  return {
    title: 'What to train for',
    verdict: adviceVerdict(advice),
    sections: [
      {
        title: `${testMeasure} by what was trained for`,
        lead: `Each model is evaluated by ${testMeasure}; the difference is from training for ${testMeasure} itself.`,
        blocks: [
          candidatesTable(advice),
          remark(
            `Kind of model: ${model}. Differences are from training for ${testMeasure}, over ${count(testQueries)} test queries, each averaged over ${count(seeds)} ${seeds === 1 ? 'seed' : 'seeds'}; the best iteration is selected by ${testMeasure} on validation queries. p-values adjusted by Holm for the candidates, intervals by Bonferroni; significant: all three below ${alpha}.`,
          ),
          shares.length > 1 ? byQueries(advice) : differences(advice),
        ],
      },
    ],
  };
}

function candidatesTable({ testMeasure, alpha, cells, comparisons, seeds }: Advice): TableBlock {
  return {
    kind: 'table',
    title: 'Candidates',
    columns: [
      column('queries', 'count'),
      column('trained for'),
      column(testMeasure, 'value'),
      column('difference', 'difference', { interval: `${confidence(alpha)} interval` }),
      rightColumn('w/t/l'),
      ...columns('p', ...decidingTests.map(name => `p ${name}`)),
      column('significant', undefined, { verdict: true }),
      rightColumn('seeds ahead'),
    ],
    rows: cells.map(({ candidate, share, queries, mean }) => {
      const found = comparisons.find(other => other.candidate === candidate && other.share === share);
      const start = [queries, candidate, mean];
      // The test measure itself has nothing to differ from.
      if (found === undefined) return [...start, '', '', ...decidingTests.map(() => ''), '', ''];
      return [
        ...start,
        { value: found.difference, interval: found.interval },
        `${found.wins}/${found.ties}/${found.losses}`,
        ...decidingTests.map(name => found.adjusted[name]),
        found.significant ? 'yes' : 'no',
        `${found.seedsAhead} of ${seeds}`,
      ];
    }),
  };
}

function byQueries({ testMeasure, candidates, cells }: Advice): Chart {
  return {
    kind: 'lines',
    title: `${testMeasure} by training queries`,
    x: { label: 'training queries', style: 'count' },
    y: { label: testMeasure, style: 'value' },
    series: candidates.map(name => {
      const own = cells.filter(({ candidate }) => candidate === name);
      return { name: `trained for ${name}`, x: own.map(({ queries }) => queries), y: own.map(({ mean }) => mean) };
    }),
  };
}

function differences({ testMeasure, comparisons }: Advice): Chart {
  return {
    kind: 'intervals',
    title: `Difference from training for ${testMeasure}`,
    x: { label: `difference in ${testMeasure}`, style: 'difference' },
    reference: 0,
    dots: comparisons.map(({ candidate, difference, interval: [low, high] }) => ({
      label: candidate,
      series: 'difference',
      value: difference,
      low,
      high,
    })),
  };
}
