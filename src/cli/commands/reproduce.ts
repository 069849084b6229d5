/** Runs an experiment of the papers, or prints all their claims. */
import { join } from 'node:path';
import { fingerprint } from '../../data/fingerprint.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { digestOf } from '../../io/identity.js';
import { experimentsSection } from '../../report/commands/reproduce.js';
import type { NamedData } from '../../report/data-origin.js';
import { terminalText } from '../../report/render/terminal.js';
import { claimsSection, reproduceDocument } from '../../reproduce/document.js';
import type { Experiment } from '../../reproduce/experiment.js';
import { experiments } from '../../reproduce/experiments/all.js';
import { keptResults, notRun } from '../../reproduce/kept.js';
import { collectionDirectory } from '../../reproduce/lab.js';
import { configOf, experimentOf, reproduce as runExperiment } from '../../reproduce/reproduce.js';
import { StepStore } from '../../reproduce/step-store.js';
import { CHECKPOINTS } from '../../runs/layout.js';
import type { RunRecording } from '../../runs/recording.js';
import { version } from '../../version.js';
import { readAlike, spreadRanks, threadsOfRank } from '../agreed-ranks.js';
import { usage } from '../command/option.js';
import type { ExperimentLine, ReproduceLine } from '../declarations/reproduce.js';
import { type Output, printJson } from '../output.js';
import { originOf, reportTarget, writePages } from '../report-option.js';
import { recorded, recordedLine } from '../run-folder.js';

/** Without the name of an experiment: all claims, or the run that a folder holds. */
export async function reproduceAlone(written: ReproduceLine, output: Output): Promise<void> {
  const { dir, out } = written.options;
  if (dir === undefined) return output.ranks.rank === 0 ? list(out, output) : undefined;
  const line = await recordedLine(written);
  const { name } = line.args;
  if (name === undefined) throw usage('name an experiment; listwise reproduce --help lists them');
  await reproduce(experimentOf(name), line, line.options.data, output);
}

export async function reproduce(
  experiment: Experiment,
  line: Pick<ExperimentLine, 'options' | 'written' | 'words' | 'given'>,
  collections: string | undefined,
  output: Output,
): Promise<void> {
  const { scale, seed } = line.options;
  const settled = { scale, config: configOf(experiment, scale) };
  const ranks = await spreadRanks(line, { ...settled, seed }, output);
  if (ranks.rank > 0) {
    await runOn(experiment, line, collections, undefined, output);
    return;
  }
  await reportTarget(line.options);
  await recorded(
    line,
    { seed, options: settled, makes: ['checkpoint'] },
    run => runRecorded(experiment, line, collections, run, output),
    output,
  );
}

/** What every rank does. */
async function runOn(
  experiment: Experiment,
  line: Pick<ExperimentLine, 'options' | 'given'>,
  collected: string | undefined,
  run: RunRecording | undefined,
  output: Output,
) {
  const { scale, seed, report } = line.options;
  const { ranks } = output;
  const signal = output.signals.interruptible();
  // Read for their fingerprints, once more: experiments take from them what they need.
  const used = report !== undefined || run !== undefined || ranks.size > 1 ? experiment.collections : [];
  const readAll = async () => {
    const read: (NamedData & { readonly directory: string })[] = [];
    for (const file of used) {
      const directory = collectionDirectory(collected, file);
      read.push({ file, directory, data: await readDataset(directory) });
    }
    return read;
  };
  const collections = await readAlike(ranks, readAll, read => read.map(({ data }) => data));
  for (const { directory, data } of collections) run?.addData('collection', directory, data);
  const identity = {
    'version of listwise': version,
    experiment: experiment.name,
    scale,
    seed,
    config: configOf(experiment, scale),
    data: digestOf(collections.map(({ data }) => fingerprint(data))),
  };
  const store = run && new StepStore(join(run.path('checkpoint'), CHECKPOINTS.steps), identity);
  const progress = output.progress(experiment.name, { atOnce: true });
  const reproduced = await runExperiment(experiment, scale, {
    seed,
    store,
    signal,
    threads: threadsOfRank(ranks, line),
    ranks,
    collections: collected,
    onBegin: (done, total, key) => progress.update(done, total, key),
    onStep(done, total, key, seconds) {
      progress.update(done, total, key);
      run?.log({ iteration: done, step: key, seconds });
    },
  })
    .then(found => ({ result: found, document: reproduceDocument(experiment, found) }))
    .catch(error => {
      throw store?.blamed(error) ?? error;
    })
    .finally(() => {
      progress.finish();
      store?.close();
      if (signal.aborted && run !== undefined) {
        output.note(`what is done is kept: listwise reproduce --dir ${run.directory} --resume goes on`);
      }
    });
  return { collections, ...reproduced };
}

async function runRecorded(
  experiment: Experiment,
  line: Pick<ExperimentLine, 'options' | 'written' | 'words' | 'given'>,
  collected: string | undefined,
  run: RunRecording | undefined,
  output: Output,
): Promise<void> {
  const { report, out } = line.options;
  const { collections, result, document } = await runOn(experiment, line, collected, run, output);
  const page = () => ({ ...document, origin: originOf(line, collections, output) });
  await writePages({ run, report }, page, output);
  run?.writeResults(printJson('reproduce', { ...result }));
  await output.resultTo(out, 'reproduce', { ...result }, screen => terminalText(document.sections, screen));
}

async function list(out: string | undefined, output: Output): Promise<void> {
  const rows = experiments.map(({ name, title, paper, collections }) => ({ name, title, paper, collections }));
  const kept = keptResults();
  const claims = kept.flatMap(({ name, scale, seed, findings }) =>
    findings.map(finding => ({ experiment: name, scale, seed, ...finding })),
  );
  const shown = kept.length > 0 ? [claimsSection(kept, notRun())] : [experimentsSection(rows)];
  await output.resultTo(out, 'reproduce', { experiments: rows, claims }, screen => terminalText(shown, screen));
}
