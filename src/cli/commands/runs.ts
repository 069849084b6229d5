import { stat } from 'node:fs/promises';
import { ListwiseError } from '../../errors.js';
import type { Document } from '../../report/document.js';
import { terminalText } from '../../report/render/terminal.js';
import { differencesOf, listDocument, runDocument, runsDocument } from '../../studio/run-documents.js';
import { RunList, type StudioRun } from '../../studio/run-list.js';
import { rowOf } from '../../studio/views/overview.js';
import type { RunsLine } from '../declarations/runs.js';
import type { Output } from '../output.js';
import { originOf, reportTarget, writePage } from '../report-option.js';

/** What the studio shows of runs: all of them, or those that are named beside each other. */
export async function runs(line: RunsLine, output: Output): Promise<void> {
  const { args, options } = line;
  const report = await reportTarget(options);
  const folders = args.folders.length === 0 ? ['.'] : args.folders;
  for (const file of folders) {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isDirectory()) throw new ListwiseError('file-not-found', 'there is no such folder', { file });
  }
  const list = new RunList(folders);
  const named = await list.themselves();
  const all = named ?? (await list.all());
  const document = await documentOf(all, named !== undefined);
  if (report !== undefined) await writePage(report, { ...document, origin: originOf(line, [], output) }, output);
  const value = {
    runs: all.map(run => {
      const { name, command, state, model, objective, best, started, ended } = rowOf({}, run);
      return { name, directory: run.run.directory, command, state, model, objective, best, started, ended };
    }),
    ...(named === undefined || named.length < 2 ? {} : { differences: differencesOf(named) }),
  };
  await output.resultTo(
    options.out,
    'runs',
    value,
    screen => `${document.verdict}\n\n${terminalText(document.sections, screen)}`,
  );
}

async function documentOf(all: readonly StudioRun[], named: boolean): Promise<Document> {
  if (!named) return listDocument(all);
  const followed = await Promise.all(all.map(async run => ({ run, log: await run.run.readLog() })));
  return followed.length === 1 ? runDocument(followed[0]!) : runsDocument(followed);
}
