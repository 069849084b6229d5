/** Searches for good options, trains a model with the best and saves it. */
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alignFeatures } from '../../data/align-features.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read.js';
import { splitByQuery } from '../../data/split.js';
import { ListwiseError } from '../../errors.js';
import { unreadable } from '../../io/unreadable.js';
import { parseCriterion } from '../../measures/criterion.js';
import { loadMeasures } from '../../measures/plugin.js';
import { matchFeatures } from '../../models/match-features.js';
import { saveModel } from '../../models/model-file.js';
import { type Ranker, scoreData } from '../../models/ranker.js';
import { tuningPage } from '../../report/tuning-page.js';
import type { RunRecording } from '../../runs/recording.js';
import { optionsFromText } from '../../training/options.js';
import { DEFAULT_SELECT, type TrainSettings, train, trainerOf } from '../../training/train.js';
import { appendLine, wholeLines } from '../../tuning/journal.js';
import { type MethodName, methods } from '../../tuning/methods/all.js';
import { configurationOf, parseSpace, type SearchSpace, spaceSchema } from '../../tuning/space.js';
import { DEFAULT_BATCH, tune as search, type Trial, type Tuned, type TuningFold } from '../../tuning/tune.js';
import type { CommandDefinition } from '../command.js';
import { refuseStdinTwice, usage } from '../contradictions.js';
import { dataOptions, matchOptions, readOptions, wholeNumber } from '../data-options.js';
import { foldCount, LETOR, readFolds } from '../fold-options.js';
import { interruptible } from '../interrupt.js';
import { loadOption } from '../measure-options.js';
import { type Output, printJson } from '../output.js';
import { type NamedData, originOf, reportOption, reportTarget, writePage, writeQuietly } from '../report-option.js';
import { type RecordedRun, recorded, recordedCommandLine, runFolderOptions } from '../run-folder.js';
import { fixed } from '../table.js';
import {
  nameOf,
  over,
  summaryJson,
  summaryText,
  type Tested,
  type TuningSummary,
  testOf,
  testPhrase,
  testSection,
  trialJson,
} from '../tuning-summary.js';
import { refuseUnwritable } from '../writable.js';
import { share } from './train.js';

const DEFAULT_OUT = 'model.json';
const DEFAULT_FOLDS = 5;

export const tune: CommandDefinition = {
  name: 'tune',
  summary: 'Search for good options of any model and objective, train the best and save it.',
  arguments: [{ name: '[data]', description: 'training data: a file, a directory, a glob or - for stdin' }],
  options: [
    {
      flags: '--space <file>',
      description: 'what to search over, as JSON (--schema prints its schema); see configs/spaces',
    },
    {
      flags: '--method <name>',
      description: `how to search. ${Object.values(methods)
        .map(({ name, description }) => `${name}: ${description}`)
        .join('; ')}`,
      default: Object.keys(methods)[0]!,
      choices: Object.keys(methods),
    },
    {
      flags: '--trials <n>',
      description: `how many to try (default: ${Object.values(methods)
        .map(({ name, usual }) => `${name} ${Number.isFinite(usual) ? usual : 'all'}`)
        .join(', ')})`,
    },
    {
      flags: '--folds <n>',
      description: `random folds by query that each trial is trained on, or ${LETOR} for a directory that comes with its folds (default: ${DEFAULT_FOLDS} where there is no --validate or --holdout)`,
    },
    { flags: '--validate <data>', description: 'judge trials on this data instead of on folds' },
    { flags: '--holdout <share>', description: 'judge trials on this share of the queries instead of on folds' },
    { flags: '--seeds <n>', description: 'train each trial from so many seeds; its value is their mean', default: 1 },
    {
      flags: '--select <spec>',
      description: `what trials and iterations are selected by (default: the space says, or ${DEFAULT_SELECT})`,
    },
    { flags: '--set <key=value>', description: 'an option that all trials have; repeatable', repeat: true },
    loadOption,
    {
      flags: '--batch <n>',
      description: 'trials that the sequential method proposes at a time',
      default: DEFAULT_BATCH,
    },
    {
      flags: '--test <data>',
      description: 'judge the winner, and the defaults, on data that had no part in the search',
    },
    ...runFolderOptions,
    {
      flags: '--resume',
      description: 'go on with the search in --dir, also after a kill; data and options need not be given again',
    },
    { flags: '--schema', description: 'print the JSON schema of search spaces and end' },
    {
      flags: '--out <file>',
      description: `where the model goes (default: ${DEFAULT_OUT}; with --dir it is in the folder in any case)`,
    },
    reportOption,
    ...dataOptions,
  ],
  examples: [
    'listwise tune data.txt --space configs/spaces/trees.json --trials 40 --dir runs/tune',
    'listwise tune --dir runs/tune --resume',
    'listwise tune train.txt --validate vali.txt --test test.txt --space space.json --method random --seeds 3',
  ],
  async run(args, options, output) {
    if (options.schema) {
      process.stdout.write(`${JSON.stringify(spaceSchema(), undefined, 2)}\n`);
      return;
    }
    const request = await recordedCommandLine(tune, args, options);
    const settings = await readSettings(request);
    const { out, dir } = request.options as { out?: string; dir?: string };
    if (out !== undefined || dir === undefined) await refuseUnwritable(out ?? DEFAULT_OUT);
    await reportTarget(request.options);
    const { seed, ...settled } = settings;
    await recorded(request, { seed, options: settled }, run => tuneRecorded(request, settings, run, output));
  },
};

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

async function readSettings({ args, options }: RecordedRun): Promise<Settings> {
  const text = (key: string) => options[key] as string | undefined;
  if (args.length === 0) throw usage('give the data: listwise tune DATA --space FILE');
  refuseStdinTwice([args[0], text('validate'), text('test')]);
  const file = text('space');
  if (file === undefined) throw usage('--space FILE says what to search over; configs/spaces has some to start from');
  if (options.resume && options.dir === undefined) throw usage('--resume needs --dir DIR');
  const ways = ['folds', 'validate', 'holdout'].filter(way => options[way] !== undefined);
  if (ways.length > 1) throw usage(`--${ways[1]} does not go with --${ways[0]}`);
  const given = await readFile(file, 'utf8').catch(error => {
    throw unreadable(file, error, 'no such search space');
  });
  const space = parseSpace(given, file);
  const set = optionsFromText(trainerOf(space.model), (options.set as string[] | undefined) ?? []);
  return {
    space: { ...space, options: { ...space.options, ...set } },
    method: options.method as MethodName,
    trials: wholeNumber(options, 'trials', 1),
    seeds: wholeNumber(options, 'seeds', 1)!,
    seed: wholeNumber(options, 'seed', 0)!,
    batch: wholeNumber(options, 'batch', 1)!,
    select: text('select') ?? space.select ?? DEFAULT_SELECT,
    folds: ways.length > 0 && ways[0] !== 'folds' ? undefined : foldCount({ folds: DEFAULT_FOLDS, ...options }),
    holdout: options.holdout === undefined ? undefined : share(text('holdout')!),
    modules: (options.load as string[] | undefined) ?? [],
  };
}

interface TuningData {
  readonly folds: readonly TuningFold[];
  /** What the winner is trained on, and how its best iteration is selected. */
  readonly final: Pick<TrainSettings, 'data' | 'validate' | 'holdout'>;
  readonly named: readonly (NamedData & { readonly role: string })[];
}

async function readData({ args, options }: RecordedRun, settings: Settings, output: Output): Promise<TuningData> {
  const file = args[0]!;
  const { folds, seed, holdout } = settings;
  const read = readOptions(options, output);
  const own = (data: Dataset) => ({ role: 'train', file, data });
  if (folds !== undefined) {
    const folded = await readFolds(file, { ...options, folds }, seed, output);
    return {
      // Folds that bring validation parts keep their test parts out of the search.
      folds: folded.folds.map(({ train: data, validate, test }) => ({ train: data, validate: validate ?? test })),
      final: { data: folded.data, holdout: 1 / folded.folds.length },
      named: [own(folded.data)],
    };
  }
  const data = await readDataset(file, read);
  if (holdout !== undefined) {
    if (holdout === 0) throw usage('trials cannot be judged on a share of 0');
    const [kept, held] = splitByQuery(data, [1 - holdout, holdout], seed) as [Dataset, Dataset];
    return { folds: [{ train: kept, validate: held }], final: { data, holdout }, named: [own(data)] };
  }
  const validateFile = options.validate as string;
  const given = await readDataset(validateFile, { ...read, group: undefined, labelFiles: [] });
  const match = matchOptions(options, output);
  const columns = matchFeatures(data, given, match);
  const validate = alignFeatures(given, data.featureNames, columns, match.absent ?? 0);
  return {
    folds: [{ train: data, validate }],
    final: { data, validate },
    named: [own(data), { role: 'validate', file: validateFile, data: validate }],
  };
}

async function tuneRecorded(
  request: RecordedRun,
  settings: Settings,
  run: RunRecording | undefined,
  output: Output,
): Promise<void> {
  const { options } = request;
  const { space, method, seeds, seed, select, modules } = settings;
  const threads = wholeNumber(options, 'threads', 1);
  const { folds, final, named } = await readData(request, settings, output);
  const testFile = options.test as string | undefined;
  const test = testFile === undefined ? undefined : await readDataset(testFile, readOptions(options, output));
  const used = [...named, ...(test === undefined ? [] : [{ role: 'test', file: testFile!, data: test }])];
  for (const { role, file, data } of used) run?.addData(role, file, data);
  const signal = interruptible();
  const progress = output.progress('tuning', { atOnce: true });
  progress.update(0, 1);
  const ended = run === undefined ? undefined : new TrialFile(run);
  let detail = '';
  const tuned = await search({
    ...settings,
    folds,
    threads,
    signal,
    journal: run && join(run.path('checkpoint'), 'folds.jsonl'),
    note: text => output.note(text),
    onTrial(trial, best) {
      ended?.add(trial);
      if (best !== undefined) detail = `best ${select} ${fixed(best.value)} (${nameOf(best)})`;
    },
    onProgress: (done, total) => progress.update(done, total, detail),
  }).finally(() => {
    progress.finish();
    ended?.close();
    if (signal.aborted && run !== undefined) {
      output.note(`what is done is kept: listwise tune --dir ${run.directory} --resume goes on`);
    }
  });
  const finish = async (configuration: Tuned['configuration']) => {
    const training = output.progress('training the winner');
    const trained = await train({
      ...configuration,
      ...final,
      threads,
      signal,
      note: text => output.note(text),
      onIteration: ({ iteration }, total) => training.update(iteration, total),
    }).finally(() => training.finish());
    // Half a training is not the winner.
    if (trained.stopped !== 'interrupted') return trained;
    throw new ListwiseError('training-interrupted', 'interrupted while the winner was trained again');
  };
  const { model } = await finish(tuned.configuration);
  const out = (options.out as string | undefined) ?? run?.path('model') ?? DEFAULT_OUT;
  await saveModel(out, model);
  if (run !== undefined && out !== run.path('model')) await saveModel(run.path('model'), model);
  let tested: Tested | undefined;
  if (test !== undefined) {
    const { measures } = parseCriterion(select, { more: await loadMeasures(modules) });
    const other =
      tuned.defaults?.status === 'done' && tuned.best.id !== 0
        ? (await finish({ ...configurationOf(space, {}), select, seed, modules })).model
        : undefined;
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
  const report = options.report as string | undefined;
  if (report !== undefined || run !== undefined) {
    const origin = originOf({ ...options, select, space: JSON.stringify(space.search) }, used, seed);
    const words = tested && { test: testSection(tested), testVerdict: testPhrase(tested) };
    const page = tuningPage({ space, tuned, method, over: over(seeds), ...words, origin });
    if (run !== undefined) await writeQuietly(run.path('report'), page);
    if (report !== undefined) await writePage(report, page, output);
  }
  const value = summaryJson(summary);
  run?.writeResults(printJson('tune', value));
  output.result('tune', value, () => summaryText(summary, run?.directory));
}

/** `trials.jsonl` of a run folder: a line a trial, once, however often the search is gone on with. */
class TrialFile {
  readonly #run: RunRecording;
  readonly #known: Set<number>;
  readonly #file: number;
  #ended = 0;

  constructor(run: RunRecording) {
    this.#run = run;
    const path = run.path('trials');
    this.#known = new Set(wholeLines(path).map(line => (JSON.parse(line) as { id: number }).id));
    this.#file = openSync(path, 'a');
  }

  add(trial: Trial): void {
    const { value, values } = trial;
    this.#run.log({ iteration: ++this.#ended, trial: trial.id, validation: values, value });
    // The defaults are no trial of the search.
    if (trial.id === 0 || this.#known.has(trial.id)) return;
    appendLine(this.#file, trialJson(trial));
  }

  close(): void {
    closeSync(this.#file);
  }
}
