import { resolve } from 'node:path';
import { makeFolder } from '../../io/durable.js';
import { makeTemporaryFolder, removeFolder } from '../../io/temporary-folder.js';
import { demoDocument, demoSection } from '../../report/commands/demo.js';
import type { Screen } from '../../report/render/screen.js';
import { terminalText } from '../../report/render/terminal.js';
import type { DemoLine } from '../declarations/demo.js';
import { type DemoResult, demo as runDemo } from '../demo/demo.js';
import type { Output } from '../output.js';
import { pairJson } from '../pairs.js';
import { originOf, writeQuietly } from '../report-option.js';
import { refuseUnwritable } from '../writable.js';

export async function demo(line: DemoLine, output: Output): Promise<void> {
  const { report, dir: kept, queries, seed, threads } = line.options;
  const directory = kept ?? makeTemporaryFolder();
  if (kept !== undefined) makeFolder(kept);
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
    const document = demoDocument(result);
    await writeQuietly(
      report,
      {
        ...document,
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
    const drawn = (screen: Screen) =>
      [terminalText([demoSection(result)], screen), '', document.verdict, `Page: ${resolve(report)}`].join('\n');
    output.result('demo', toJson(result, document.verdict, kept, report), drawn);
  } finally {
    if (kept === undefined) removeFolder(directory);
  }
}

function toJson(
  { train, test, comparison, models }: DemoResult,
  verdict: string,
  kept: string | undefined,
  report: string,
) {
  return {
    verdict,
    report: resolve(report),
    queries: { train: train.queries, test: test.queries },
    documents: { train: train.rows, test: test.rows },
    features: test.features,
    systems: comparison.systems.map(({ name, means }) => ({ name, means })),
    pairs: comparison.pairs.map(pairJson),
    ...(kept === undefined ? {} : { models }),
  };
}
