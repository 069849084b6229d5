/** What the demo shows: a trained model against a baseline, on made-up data. */
import type { Dataset } from '../../data/dataset.js';
import type { Trained } from '../../training/train.js';
import { column, columns, rightColumn } from '../columns.js';
import type { Document, Section } from '../document.js';
import { estimateOf } from '../mean-interval.js';
import { fixed } from '../numbers.js';
import { count } from '../words.js';
import { type CompareInput, compareSections, compareVerdict } from './compare.js';
import { trainSections } from './train.js';

interface DemoInput extends Pick<CompareInput, 'comparison' | 'systems'> {
  readonly train: Dataset;
  readonly test: Dataset;
  readonly trained: Trained;
}

/** The page. */
export function demoDocument(input: DemoInput): Document {
  return {
    title: 'listwise: trained trees against a baseline, on made-up data',
    verdict: compareVerdict(input.comparison),
    sections: [
      ...compareSections({ ...input, curves: { context: {}, ties: 'expected' } }),
      ...trainSections({ trained: input.trained }),
    ],
  };
}

/** What a terminal has room for. */
export function demoSection({ train, test, comparison: { systems, pairs, alpha } }: DemoInput): Section {
  return {
    title: 'Measures',
    blocks: [
      {
        kind: 'text',
        text: `fitted on ${train.queries} queries (${count(train.rows)} documents), evaluated on ${test.queries} others (${count(test.rows)})`,
      },
      {
        kind: 'table',
        title: 'Measures',
        columns: [
          column('measure'),
          ...columns(undefined, ...systems.map(({ name }) => name)),
          column('difference', 'value'),
          rightColumn('w/t/l'),
          column('p', 'p'),
        ],
        rows: pairs.map((pair, m) => [
          pair.measure,
          ...systems.map(({ results }) => {
            const { value, low, high } = estimateOf(results[m]!, alpha);
            return `${fixed(value)} [${fixed(low)}, ${fixed(high)}]`;
          }),
          pair.difference,
          `${pair.wins}/${pair.ties}/${pair.losses}`,
          pair.adjusted.randomisation,
        ]),
      },
    ],
  };
}
