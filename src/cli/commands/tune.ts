/** Searches for good options, trains a model with the best and saves it. */
import { closeSync, existsSync, fsyncSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '../../data/dataset.js';
import { sharedQueries } from '../../data/doubts.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { splitByQuery } from '../../data/split.js';
import { didYouMean, ListwiseError } from '../../errors.js';
import { unreadable } from '../../io/unreadable.js';
import { unwritable } from '../../io/unwritable.js';
import { openAnew } from '../../io/whole-file.js';
import { parseCriterion } from '../../measures/criterion.js';
import { loadMeasures } from '../../measures/plugin.js';
import { withFeaturesOf } from '../../models/match-features.js';
import { type Ranker, scoreData } from '../../models/ranker.js';
import { readFor } from '../../models/read-for.js';
import { partOfRank } from '../../ranks/read-share.js';
import { ofAll, together } from '../../ranks/together.js';
import { type Tested, tuningDocument } from '../../report/commands/tune.js';
import type { NamedData } from '../../report/data-origin.js';
import { fixed } from '../../report/numbers.js';
import { terminalText } from '../../report/render/terminal.js';
import { CHECKPOINTS } from '../../runs/layout.js';
import type { RunRecording } from '../../runs/recording.js';
import { trainerOf } from '../../training/all.js';
import { optionsFromText } from '../../training/options.js';
import { DEFAULT_SELECT, type NamedSettings } from '../../training/train.js';
import { settleSettings, trainSettled } from '../../training/train-settled.js';
import type { MethodName } from '../../tuning/methods/all.js';
import { readySpaces, spaceFile } from '../../tuning/ready-spaces.js';
import { configurationOf, parseSpace, type SearchSpace, spaceSchema } from '../../tuning/space.js';
import { type Trial, type Tuned, type TuningFold, tuneOn } from '../../tuning/tune.js';
import { readAlike, spreadRanks, threadsOfRank } from '../agreed-ranks.js';
import { usage } from '../command/option.js';
import { DEFAULT_FOLDS, type TuneLine } from '../declarations/tune.js';
import { inFlags } from '../flags.js';
import { endingSoon } from '../late-end.js';
import type { LETOR } from '../options/folds.js';
import { DEFAULT_OUT } from '../options/run-folder.js';
import { DEFAULT_KIND } from '../options/training.js';
import { type Output, printJson } from '../output.js';
import { originOf, reportTarget, writePages } from '../report-option.js';
import { recorded, recordedLine, saveRecorded } from '../run-folder.js';
import { matchOptions, readOptions } from '../settings/data.js';
import { readFolds } from '../settings/folds.js';
import { summaryJson, type TuningSummary, testOf, trialJson } from '../tuning-summary.js';
import { refuseOverwriting } from '../writable.js';

export async function tune(written: TuneLine, output: Output): Promise<void> {
  if (written.options.schema) return output.data(`${JSON.stringify(spaceSchema(), undefined, 2)}\n`);
  const { line, file, settings } = await together(output.ranks, async () => {
    const line = await recordedLine(written);
    const file = line.args.data;
    if (file === undefined) throw usage('give the data: listwise tune DATA');
    return { line, file, settings: await readSettings(line) };
  });
  const ranks = await spreadRanks(line, { ...settings }, output);
  if (ranks.rank > 0) {
    await winnersOf(line, settings, await searchOn(file, line, settings, undefined, output), output);
    return;
  }
  const { out, dir, force, resume } = line.options;
  if (out !== undefined || dir === undefined) await refuseOverwriting(out ?? DEFAULT_OUT, force || resume);
  await reportTarget(line.options);
  const { seed, ...settled } = settings;
  await recorded(
    line,
    { seed, options: settled, makes: ['trials', 'model', 'checkpoint'] },
    run => tuneRecorded(file, line, settings, run, output),
    output,
  );
}

interface Settings {
  readonly space: SearchSpace;
  readonly method: MethodName;
  readonly trials: number | undefined;
  readonly seeds: number;
  readonly seed: number;
  readonly batch: number;
  readonly select: string;
  readonly folds: number | typeof LETOR | undefined;
  readonly holdout: number | undefined;
  readonly modules: readonly string[];
}

async function readSettings({ options }: TuneLine): Promise<Settings> {
  const { method, trials, seeds, seed, batch, validate, holdout } = options;
  const space = await readSpace(options.space ?? options.model ?? DEFAULT_KIND);
  const set = optionsFromText(trainerOf(space.model), options.set);
  return {
    space: { ...space, options: { ...space.options, ...set } },
    method,
    trials,
    seeds,
    seed,
    batch,
    select: options.select ?? space.select ?? DEFAULT_SELECT,
    folds: validate === undefined && holdout === undefined ? (options.folds ?? DEFAULT_FOLDS) : undefined,
    holdout,
    modules: options.load,
  };
}

/** A file, or else a ready space of that name. */
async function readSpace(name: string): Promise<SearchSpace> {
  const ready = readySpaces();
  const file = ready.includes(name) && !existsSync(name) ? spaceFile(name) : name;
  const text = await readFile(file, 'utf8').catch(error => {
    throw unreadable(file, error, `no such search space${didYouMean(name, ready)} Ready ones: ${ready.join(', ')}`);
  });
  return parseSpace(text, file);
}

interface TuningData {
  readonly folds: readonly TuningFold[];
  /** What the winner is trained on, and how its best iteration is selected. */
  readonly final: Pick<NamedSettings, 'data' | 'validate' | 'holdout'>;
  readonly named: readonly (NamedData & { readonly role: string })[];
}

async function readData(
  file: string,
  options: TuneLine['options'],
  settings: Settings,
  output: Output,
): Promise<TuningData> {
  const { folds, seed, holdout } = settings;
  const read = await readOptions(options, output);
  const own = (data: Dataset) => ({ role: 'train', file, data });
  if (folds !== undefined) {
    const folded = await readFolds(file, { folds }, options, seed, output);
    return {
      // Folds that bring validation parts keep their test parts out of the search.
      folds: folded.folds.map(({ train: data, validate, test }) => ({ train: data, validate: validate ?? test })),
      final: { data: folded.data, holdout: 1 / folded.folds.length },
      named: [own(folded.data)],
    };
  }
  const data = await readDataset(file, read);
  if (holdout !== undefined) {
    if (holdout === 0) throw usage('trials cannot be evaluated on a share of 0');
    const [kept, held] = splitByQuery(data, [1 - holdout, holdout], seed) as [Dataset, Dataset];
    return { folds: [{ train: kept, validate: held }], final: { data, holdout }, named: [own(data)] };
  }
  const validateFile = options.validate!;
  const given = await readDataset(validateFile, readFor(data, { ...read, group: undefined, labelFiles: [] }));
  const validate = withFeaturesOf(data, given, matchOptions(options, output));
  return {
    folds: [{ train: data, validate }],
    final: { data, validate },
    named: [own(data), { role: 'validate', file: validateFile, data: validate }],
  };
}

/** What every rank does: reads all data, and searches. */
async function searchOn(
  file: string,
  line: TuneLine,
  settings: Settings,
  run: RunRecording | undefined,
  output: Output,
) {
  const { ranks } = output;
  const { options } = line;
  const { test: testFile } = options;
  const { select } = settings;
  const { folds, final, named, test } = await readAlike(
    ranks,
    async () => {
      const read = await readData(file, options, settings, output);
      if (testFile === undefined) return { ...read, test: undefined };
      return {
        ...read,
        test: await readDataset(testFile, readFor(read.final.data, await readOptions(options, output))),
      };
    },
    read => [...read.named.map(({ data }) => data), ...(read.test === undefined ? [] : [read.test])],
  );
  for (const { role, data } of test === undefined ? [] : named) {
    const name = role === 'train' ? 'training' : 'validation';
    for (const { text } of sharedQueries('test', test!, { name, data })) output.note(text);
  }
  const used = [...named, ...(test === undefined ? [] : [{ role: 'test', file: testFile!, data: test }])];
  for (const { role, file, data } of used) run?.addData(role, file, data);
  const signal = output.signals.interruptible();
  const progress = output.progress('tuning', { atOnce: true });
  progress.update(0, 1);
  const ended = run === undefined ? undefined : new TrialFile(run);
  let detail = '';
  const tuned = await tuneOn(ranks, {
    ...settings,
    folds,
    threads: threadsOfRank(ranks, line),
    signal,
    journal: run && join(run.path('checkpoint'), CHECKPOINTS.folds),
    note: text => output.note(text),
    onTrial(trial, best) {
      ended?.add(trial);
      if (best !== undefined)
        detail = `best ${select} ${fixed(best.value)} (${best.id === 0 ? 'defaults' : `trial ${best.id}`})`;
    },
    onProgress: (done, total) => progress.update(done, total, detail),
  })
    .then(result => {
      ended?.sync();
      return result;
    })
    .finally(() => {
      progress.finish();
      ended?.close();
      if (signal.aborted && run !== undefined) {
        output.note(`what is done is kept: listwise tune --dir ${run.directory} --resume goes on`);
      }
    });
  return { tuned, folds, final, test, used, signal };
}

/** The winner, trained by all ranks together, and the defaults beside it where both are to be tested. */
async function winnersOf(
  line: TuneLine,
  { space, seed, select, modules }: Settings,
  { tuned, final, test, signal }: Awaited<ReturnType<typeof searchOn>>,
  output: Output,
): Promise<{ model: Ranker; other: Ranker | undefined }> {
  const { ranks } = output;
  const finish = async (configuration: Tuned['configuration']) => {
    const training = output.progress('training the winner');
    const trained = await endingSoon(ranks, output.signals, () =>
      trainSettled({
        ...settleSettings({ ...configuration, threads: threadsOfRank(ranks, line) }),
        ...final,
        data: partOfRank(ranks, final.data),
        validate: final.validate && partOfRank(ranks, final.validate),
        refit: line.options.refit,
        ranks,
        signal,
        // Doubts about the data were told while searching.
        note(text, code) {
          if (code === undefined) output.note(text);
        },
        onIteration: ({ iteration }, total) => training.update(iteration, total),
        onRefit: ({ iteration }, total) => training.update(iteration, total, 'refitting'),
      }),
    ).finally(() => training.finish());
    // Half a training is not the winner.
    if (trained.stopped !== 'interrupted') return trained.model;
    throw ofAll(new ListwiseError('training-interrupted', 'interrupted while the winner was trained again'));
  };
  const model = await finish(tuned.configuration);
  const compared = test !== undefined && tuned.defaults?.status === 'done' && tuned.best.id !== 0;
  return {
    model,
    other: compared ? await finish({ ...configurationOf(space, {}), select, seed, modules }) : undefined,
  };
}

async function tuneRecorded(
  file: string,
  line: TuneLine,
  settings: Settings,
  run: RunRecording | undefined,
  output: Output,
): Promise<void> {
  const { options } = line;
  const { report } = options;
  const { space, method, seeds, seed, select, modules } = settings;
  const searched = await searchOn(file, line, settings, run, output);
  const { tuned, folds, test, used } = searched;
  const { model, other } = await winnersOf(line, settings, searched, output);
  const out = await saveRecorded(model, options.out, run);
  let tested: Tested | undefined;
  if (test !== undefined) {
    const { measures } = parseCriterion(select, { more: await loadMeasures(modules) });
    const score = (of: Ranker) => scoreData(of, test, matchOptions(options, output));
    tested = testOf(test, measures, score(model), other && score(other), seed);
  }
  const summary: TuningSummary = {
    space,
    tuned,
    method,
    seeds,
    folds: folds.length,
    tested,
    model: out,
    queries: folds.reduce((sum, { validate }) => sum + validate.queries, 0),
  };
  const trials = tuned.trials.map(trial =>
    trial.error === undefined ? trial : { ...trial, error: inFlags(trial.error) },
  );
  const document = tuningDocument({ ...summary, tuned: { ...tuned, trials } });
  const asked = { options: { ...line.written, select, space: JSON.stringify(space.search) }, seed };
  const page = () => ({ ...document, origin: originOf(line, used, output, asked) });
  await writePages({ run, report }, page, output);
  const value = summaryJson(summary);
  run?.writeResults(printJson('tune', value));
  const kept = run === undefined ? '' : `; all trials and a page in ${run.directory}`;
  output.result(
    'tune',
    value,
    screen => `${terminalText(document.sections, screen)}\n\nmodel written to ${out}${kept}`,
  );
}

/**
 * `trials.jsonl` of a run folder: a line a trial. As the log, it is begun again with the first trial of a search that
 * is gone on with, which tells of all trials.
 */
class TrialFile {
  readonly #run: RunRecording;
  #file: number | undefined;
  #ended = 0;

  constructor(run: RunRecording) {
    this.#run = run;
  }

  add(trial: Trial): void {
    const { value, values, share } = trial;
    this.#run.log({ iteration: ++this.#ended, trial: trial.id, validation: values, value, share });
    const path = this.#run.path('trials');
    try {
      this.#file ??= openAnew(path);
      // The defaults are no trial of the search.
      if (trial.id > 0) writeFileSync(this.#file, `${JSON.stringify(trialJson(trial))}\n`);
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  /** What is in it stays where the power is cut. */
  sync(): void {
    try {
      if (this.#file !== undefined) fsyncSync(this.#file);
    } catch (error) {
      throw unwritable(this.#run.path('trials'), error);
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
