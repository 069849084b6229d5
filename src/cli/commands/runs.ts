import { stat } from 'node:fs/promises';
import { ListwiseError } from '../../errors.js';
import type { Document } from '../../report/document.js';
import { terminalText } from '../../report/render/terminal.js';
import { differencesOf, type Followed, listDocument, runDocument, runsDocument } from '../../studio/run-documents.js';
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
  const followed = named && (await Promise.all(named.map(async run => ({ run, log: await list.logOf(run) }))));
  const document = documentOf(all, followed);
  if (report !== undefined) await writePage(report, { ...document, origin: originOf(line, [], output) }, output);
  const value = {
    runs: all.map((run, r) => {
      const { name, command, state, model, objective, best, started, ended } = rowOf({}, run);
      const { directory } = run.run;
      const row = { name, directory, command, state, model, objective, best, started, ended };
      return followed === undefined ? row : { ...row, log: followed[r]!.log };
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

function documentOf(all: readonly StudioRun[], followed: readonly Followed[] | undefined): Document {
  if (followed === undefined) return listDocument(all);
  return followed.length === 1 ? runDocument(followed[0]!) : runsDocument(followed);
}
