import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removedOnSignal } from '../../io/temporary-files.js';
import { column, columns, rightColumn } from '../../report/columns.js';
import { compareSections, compareVerdict } from '../../report/commands/compare.js';
import { trainSections } from '../../report/commands/train.js';
import type { TableBlock } from '../../report/document.js';
import { estimateOf } from '../../report/mean-interval.js';
import { fixed } from '../../report/numbers.js';
import type { Screen } from '../../report/render/screen.js';
import { tableText } from '../../report/render/terminal.js';
import { count } from '../../report/words.js';
import type { DemoLine } from '../declarations/demo.js';
import { type DemoResult, demo as runDemo } from '../demo/demo.js';
import type { Output } from '../output.js';
import { originOf, writeQuietly } from '../report-option.js';
import { refuseUnwritable } from '../writable.js';

export async function demo(line: DemoLine, output: Output): Promise<void> {
  const { report, dir: kept, queries, seed, threads } = line.options;
  const directory = kept ?? (await mkdtemp(join(tmpdir(), 'listwise-demo-')));
  if (kept === undefined) removedOnSignal.add(directory);
  else await mkdir(kept, { recursive: true });
  try {
    await refuseUnwritable(report);
    const progress = output.progress('training');
    const result = await runDemo({
      queries,
      seed,
      threads,
      directory,
      note: text => output.note(text),
      onIteration: (done, total) => progress.update(done, total),
    });
    await writeQuietly(
      report,
      {
        title: 'listwise: trained trees against a baseline, on made-up data',
        verdict: compareVerdict(result.comparison),
        sections: [
          ...compareSections({ ...result, curves: { context: {}, ties: 'expected' } }),
          ...trainSections({ trained: result.trained }),
        ],
        origin: originOf(
          line,
          [
            { file: 'made-up, to fit on', data: result.train },
            { file: 'made-up, to evaluate on', data: result.test },
          ],
          output,
        ),
      },
      output,
    );
    output.result('demo', toJson(result, kept, report), screen => drawn(result, report, screen));
  } finally {
    if (kept === undefined) {
      await rm(directory, { recursive: true, force: true });
      removedOnSignal.delete(directory);
    }
  }
}

function toJson({ train, test, comparison, models }: DemoResult, kept: string | undefined, report: string) {
  return {
    verdict: compareVerdict(comparison),
    report: resolve(report),
    queries: { train: train.queries, test: test.queries },
    documents: { train: train.rows, test: test.rows },
    features: test.features,
    systems: comparison.systems.map(({ name, means }) => ({ name, means })),
    pairs: comparison.pairs.map(({ measure, a, b, difference, interval, wins, ties, losses, p, significant }) => ({
      measure,
      a,
      b,
      difference,
      ci: interval,
      wins,
      ties,
      losses,
      p,
      significant,
    })),
    ...(kept === undefined ? {} : { models }),
  };
}

function contestTable({ comparison: { systems, pairs, alpha } }: DemoResult): TableBlock {
  return {
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
  };
}

function drawn(result: DemoResult, report: string, screen: Screen): string {
  const { train, test, comparison } = result;
  return [
    `fitted on ${train.queries} queries (${count(train.rows)} documents), evaluated on ${test.queries} others (${count(test.rows)})`,
    '',
    tableText(contestTable(result), screen),
    '',
    compareVerdict(comparison),
    `Page: ${resolve(report)}`,
  ].join('\n');
}
