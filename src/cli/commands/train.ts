/** Trains a model and saves the best iteration. */
import { mergeDescriptions } from '../../data/description.js';
import type { ReadOptions } from '../../data/readers/reader.js';
import { ListwiseError } from '../../errors.js';
import { digestOf } from '../../io/identity.js';
import { writeText } from '../../io/whole-file.js';
import { readFor } from '../../models/read-for.js';
import type { LearnedTable } from '../../objectives/learning.js';
import { agree } from '../../ranks/agree.js';
import { withFingerprint } from '../../ranks/deal.js';
import { readShare } from '../../ranks/read-share.js';
import { ofAll, together } from '../../ranks/together.js';
import { bestMeasures, trainDocument } from '../../report/commands/train.js';
import { fixed } from '../../report/numbers.js';
import { terminalText } from '../../report/render/terminal.js';
import { count } from '../../report/words.js';
import type { RunRecording } from '../../runs/recording.js';
import { configSchema } from '../../training/config.js';
import type { IterationRecord } from '../../training/iteration-record.js';
import type { Trained } from '../../training/train.js';
import { settleSettings, trainSettled } from '../../training/train-settled.js';
import { agreeOnSettings, ranksNote, threadsOfRank } from '../agreed-ranks.js';
import { usage } from '../command/option.js';
import type { TrainLine } from '../declarations/train.js';
import { endingSoon } from '../late-end.js';
import { DEFAULT_OUT } from '../options/run-folder.js';
import { type Drawing, type Output, printJson } from '../output.js';
import { originOf, reportTarget, writePages } from '../report-option.js';
import { recorded, recordedLine, saveRecorded } from '../run-folder.js';
import { matchOptions, readOptions } from '../settings/data.js';
import { type SettledTraining, settledOptions, trainSettings } from '../settings/training.js';
import { refuseOverwriting, refuseUnwritable } from '../writable.js';

export async function train(written: TrainLine, output: Output): Promise<void> {
  if (written.options.schema) return output.data(`${JSON.stringify(configSchema(), undefined, 2)}\n`);
  const { ranks } = output;
  const { line, given } = await together(ranks, async () => {
    const line = await recordedLine(written);
    if (line.args.data === undefined) throw usage('give the training data: listwise train DATA');
    return { line, given: settleSettings(await trainSettings(line.options)) };
  });
  const { args, options } = line;
  const settings = { ...given, threads: threadsOfRank(ranks, line) };
  const settled = { seed: settings.seed, options: settledOptions(settings, options) };
  const file = args.data!;
  await agreeOnSettings(ranks, settled.options, settings.modules);
  // Other ranks have nowhere to say it.
  if (ranks.size > 1) output.note(ranksNote(ranks));
  if (ranks.rank > 0) {
    await readAndTrain(file, line, settings, undefined, output);
    return;
  }
  if (options.out !== undefined || options.dir === undefined) {
    await refuseOverwriting(options.out ?? DEFAULT_OUT, options.force || options.resume);
  }
  if (options.log !== undefined) await refuseUnwritable(options.log);
  await reportTarget(options);
  const { value, text } = await recorded(
    line,
    { ...settled, makes: ['model', 'checkpoint'] },
    run => trainRecorded(file, line, settings, settled.options, run, output),
    output,
  );
  output.result('train', value, text);
}

/** What every rank does: its part of the data, and the model that all of them come to. */
async function readAndTrain(
  file: string,
  line: TrainLine,
  settings: SettledTraining,
  run: RunRecording | undefined,
  output: Output,
) {
  const { options } = line;
  const { ranks } = output;
  const loading = performance.now();
  const note = (text: string) => output.note(text);
  const from = await together(ranks, async () => {
    if (options.from === undefined) return undefined;
    // Formats of other systems, which most trainings have no use for.
    const { openModel } = await import('../../interop/open-model.js');
    return openModel(options.from, { note });
  });
  if (from !== undefined && ranks.size > 1) agree(ranks, { 'the model of --from': digestOf(from.toJSON()) });
  const given = await together(ranks, () => readOptions(options, output));
  const read = { ...given, description: mergeDescriptions(given.description, from?.description) };
  // Pages and run folders name the data by what is in it.
  const named = options.report !== undefined || options.dir !== undefined;
  const readNamed = async (from: string, how: ReadOptions) => {
    const share = await readShare(ranks, from, how);
    return named ? withFingerprint(ranks, share) : share;
  };
  const data = await readNamed(file, read);
  const sources = [{ role: 'train', file, data }];
  if (options.validate !== undefined) {
    const sides = { group: options.validateGroup, labelFiles: options.validateLabels };
    const validation = await readNamed(options.validate, readFor(data, { ...read, ...sides }));
    sources.push({ role: 'validate', file: options.validate, data: validation });
  }
  for (const source of sources) run?.addData(source.role, source.file, source.data);
  const load = (performance.now() - loading) / 1000;
  const progress = output.progress('training');
  const select = String(settings.select);
  const training = () =>
    trainSettled({
      ...settings,
      ranks,
      data,
      validate: sources[1]?.data,
      from,
      match: matchOptions(options, output),
      giveUpFeatures: !named,
      // Only where somebody will look at it: trees evaluate the training data for nothing else.
      evaluateTraining: [options.log, options.report, options.dir].some(file => file !== undefined),
      ...(run && { checkpoint: { directory: run.path('checkpoint'), resume: options.resume } }),
      // Only from here on does a signal leave something to save.
      signal: output.signals.interruptible(),
      note: (text, code) => (code === 'checkpoint-lost' ? output.warn(text) : output.note(text)),
      onIteration(record, total) {
        run?.log(record);
        progress.update(record.iteration, total, ...progressWords(record, select));
      },
      onRefit: ({ iteration }, total) => progress.update(iteration, total, 'refitting'),
    });
  const trained = await endingSoon(ranks, output.signals, training)
    .catch(error => {
      // All ranks leave training together.
      throw error instanceof ListwiseError && error.code === 'training-interrupted' ? ofAll(error) : error;
    })
    .finally(() => progress.finish());
  return { trained, sources, load };
}

async function trainRecorded(
  file: string,
  line: TrainLine,
  settings: SettledTraining,
  settled: ReturnType<typeof settledOptions>,
  run: RunRecording | undefined,
  output: Output,
): Promise<{ value: Record<string, unknown>; text: Drawing }> {
  const { options } = line;
  const { trained, sources, load } = await readAndTrain(file, line, settings, run, output);
  const out = await saveRecorded(trained.model, options.out, run);
  if (options.log !== undefined) await writeLog(options.log, trained.log);
  const value = resultOf(trained, out, load);
  const document = trainDocument({ trained, loadSeconds: load, title: `training on ${file}` });
  const { options: own, ...others } = settled;
  const asked = { options: { ...others, ...own }, seed: settings.seed };
  const page = () => ({ ...document, origin: originOf(line, sources, output, asked) });
  await writePages({ run, report: options.report }, page, output);
  run?.writeResults(printJson('train', value));
  const written = [`model written to ${out}`, ...(run === undefined ? [] : [`run recorded in ${run.directory}`])];
  return { value, text: screen => [terminalText(document.sections, screen), ...written].join('\n') };
}

/** For the progress line, what matters most first. */
function progressWords({ iteration, training, validation }: IterationRecord, select: string): string[] {
  const values = (name: string, numbers: readonly number[]) =>
    numbers.length === 0 ? '' : `${name} ${numbers.map(value => fixed(value)).join(' ')}`;
  return [values(select, validation), `iteration ${count(iteration)}`, values('training', training)];
}

async function writeLog(file: string, log: readonly IterationRecord[]): Promise<void> {
  await writeText(file, async sink => {
    for (const record of log) await sink.write(`${JSON.stringify(record)}\n`);
  });
}

function resultOf(trained: Trained, out: string, load: number) {
  const { best, iterations, stopped, seconds, select, selectedOn } = trained;
  return {
    model: out,
    best: {
      iteration: best.iteration,
      measure: select,
      value: best.values[0]!,
      values: best.values,
      ...(trained.measures.length > 0 && { measures: bestMeasures(trained) }),
    },
    iterations,
    stopped,
    seconds: { load, ...seconds },
    peakBytes: process.resourceUsage().maxRSS * 1024,
    kind: trained.trainer,
    objective: trained.objective,
    queries: trained.queries,
    selectedOn,
    // Queries that had no part in training the model, though they were there.
    heldOut: selectedOn.data === 'holdout' && trained.refitted === undefined ? selectedOn.queries : 0,
    ...(trained.refitted && { refitted: trained.refitted }),
    ...(trained.learned && { learned: trained.learned.map(learnedValue) }),
  };
}

/** A row each, as `{"position": 2, "documents": 500, "examination": 0.5}`. */
function learnedValue({ title, by, at, columns }: LearnedTable) {
  const rows = at.map((place, i) =>
    Object.fromEntries([[by, place], ...columns.map(({ name, values }) => [name, values[i]!] as const)]),
  );
  return { title, rows };
}
