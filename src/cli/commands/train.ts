/** Trains a model and saves the best iteration. */
import { readFile } from 'node:fs/promises';
import { readDataset } from '../../data/read/read.js';
import { ListwiseError, quote } from '../../errors.js';
import { openModel } from '../../interop/open-model.js';
import { unreadable } from '../../io/unreadable.js';
import { writeText } from '../../io/whole-file.js';
import { saveModel } from '../../models/model-file.js';
import { trainPage } from '../../report/train-page.js';
import { counted } from '../../report/words.js';
import type { RunRecording } from '../../runs/recording.js';
import { trainers } from '../../training/all.js';
import { configSchema, parseConfig, type TrainConfig } from '../../training/config.js';
import type { IterationRecord } from '../../training/iteration-record.js';
import { kebab, optionProperties, optionsFromText } from '../../training/options.js';
import {
  DEFAULT_HOLDOUT,
  DEFAULT_OBJECTIVE,
  DEFAULT_SELECT,
  settleSettings,
  type Trained,
  type TrainSettings,
  trainerOf,
  trainSettled,
} from '../../training/train.js';
import type { Trainer } from '../../training/trainer.js';
import type { CommandDefinition, CommandOption, OptionValues } from '../command.js';
import { refuseStdinTwice, usage } from '../contradictions.js';
import { dataOptions, matchOptions, readOptions, splitPair, wholeNumber } from '../data-options.js';
import { interruptible } from '../interrupt.js';
import { loadOption } from '../measure-options.js';
import { type Output, printJson } from '../output.js';
import { duration } from '../progress.js';
import { originOf, reportOption, reportTarget, writePage, writeQuietly } from '../report-option.js';
import { type RecordedRun, recorded, recordedCommandLine, runFolderOptions } from '../run-folder.js';
import { plainCurve, SPARKLINE_WIDTH, sparkline } from '../sparkline.js';
import { count, fixed } from '../table.js';
import { takesUnicode } from '../terminal.js';
import { refuseUnwritable } from '../writable.js';

const DEFAULT_OUT = 'model.json';
const kinds = Object.keys(trainers);
const ownDefaults = Object.values<Trainer>(trainers)
  .filter(trainer => trainer.objective !== undefined)
  .map(trainer => `${trainer.name}: ${trainer.objective}`)
  .join('; ');
/** What help says of --set, in all commands that train. */
export const trainNotes: readonly string[] = [
  'Options of the trainers (--set; docs/training-options.md says what they do):',
  ...Object.values<Trainer>(trainers).map(
    trainer => `  ${trainer.name}: ${Object.keys(optionProperties(trainer)).map(kebab).join(' ')}`,
  ),
];

/** The flags of training, shared by all commands that train. */
export const trainOptions: readonly CommandOption[] = [
  { flags: '--model <kind>', description: `kind of model (default: ${kinds[0]})`, choices: kinds },
  { flags: '--objective <spec>', description: `what to train for (default: ${DEFAULT_OBJECTIVE}; ${ownDefaults})` },
  { flags: '--select <spec>', description: `what the best iteration is selected by (default: ${DEFAULT_SELECT})` },
  { flags: '--set <key=value>', description: 'an option of the trainer, see below; repeatable', repeat: true },
  loadOption,
  { flags: '--config <file>', description: 'a protocol as JSON (--schema prints its schema); flags go before it' },
];

export const train: CommandDefinition = {
  name: 'train',
  summary: 'Train a model: any objective, selected by any measure.',
  arguments: [{ name: '[data]', description: 'training data: a file, a directory, a glob or - for stdin' }],
  options: [
    ...trainOptions,
    { flags: '--validate <data>', description: 'data to select the best iteration on' },
    {
      flags: '--holdout <share>',
      description: `share of the training queries to select on instead; 0 selects on the training data (default: ${DEFAULT_HOLDOUT} where there is no --validate)`,
    },
    {
      flags: '-m, --measure <spec>',
      description:
        'other measures to follow on the selecting data, separated by commas; repeatable. They change nothing',
      repeat: true,
    },
    { flags: '--from <model>', description: 'model file of any format to go on from' },
    ...runFolderOptions,
    { flags: '--checkpoint <directory>', description: 'where to keep the state of the run; --dir has its own' },
    {
      flags: '--resume',
      description:
        'go on from the checkpoint; the model is the same as without the break. With --dir the data and options need not be given again',
    },
    { flags: '--log <file>', description: 'the training log, one JSON object an iteration' },
    { flags: '--schema', description: 'print the JSON schema of config files and end' },
    {
      flags: '--validate-labels <name=file>',
      description: 'as --labels, for the validation data; repeatable',
      repeat: true,
    },
    { flags: '--validate-group <file>', description: 'as --group, for the validation data' },
    {
      flags: '--out <file>',
      description: `where the model goes (default: ${DEFAULT_OUT}; with --dir it is in the folder in any case)`,
    },
    reportOption,
    ...dataOptions,
  ],
  notes: trainNotes,
  examples: [
    'listwise train train.txt --validate vali.txt --model linear --objective "lambdarank(ndcg@10)" --out model.json',
    'listwise train data.txt --model net --set hidden=20,10 --set epochs=50 --select ap',
    'listwise train data.txt --select ndcg@10 -m ap,ndcg@1,3 --report train.html',
    'listwise train data.txt --config configs/burges-2006.json --checkpoint run --resume',
  ],
  async run(args, options, output) {
    if (options.schema) {
      process.stdout.write(`${JSON.stringify(configSchema(), undefined, 2)}\n`);
      return;
    }
    const request = await recordedCommandLine(train, args, options);
    refuseContradictions(request);
    const given = await trainSettings(request.options);
    const out = request.options.out as string | undefined;
    if (out !== undefined || request.options.dir === undefined) await refuseUnwritable(out ?? DEFAULT_OUT);
    if (request.options.log !== undefined) await refuseUnwritable(request.options.log as string);
    await reportTarget(request.options);
    const settings = settleSettings(given);
    const settled = { seed: settings.seed, options: settledOptions(settings, request.options) };
    const { value, text } = await recorded(request, settled, run => trainRecorded(request, settings, run, output));
    output.result('train', value, text);
  },
};

function refuseContradictions({ args, options }: RecordedRun): void {
  const { dir, checkpoint, validate } = options;
  if (args.length === 0) throw usage('give the training data: listwise train DATA');
  refuseStdinTwice([args[0], validate as string | undefined]);
  if (options.resume && checkpoint === undefined && dir === undefined) {
    throw usage('--resume needs --checkpoint DIR or --dir DIR');
  }
  if (checkpoint !== undefined && dir !== undefined) {
    throw usage('--checkpoint does not go with --dir, which keeps its own in the folder');
  }
  if (validate !== undefined && options.holdout !== undefined) throw usage('--holdout does not go with --validate');
}

async function trainRecorded(
  { args, options }: RecordedRun,
  settings: SettledTraining,
  run: RunRecording | undefined,
  output: Output,
): Promise<{ value: Record<string, unknown>; text: () => string }> {
  const loading = performance.now();
  const read = readOptions(options, output);
  const data = await readDataset(args[0]!, read);
  run?.addData('train', args[0]!, data);
  const validateName = options.validate as string | undefined;
  const validate = validateName && (await readDataset(validateName, { ...read, ...validateSides(options) }));
  if (validate) run?.addData('validate', validateName, validate);
  const note = (text: string) => output.note(text);
  const from = options.from === undefined ? undefined : await openModel(options.from as string, { note });
  const load = (performance.now() - loading) / 1000;
  const progress = output.progress('training');
  const select = String(settings.select);
  const trained = await trainSettled({
    ...settings,
    data,
    validate: validate || undefined,
    from,
    match: matchOptions(options, output),
    // Only where somebody will look at it: trees judge the training data for nothing else.
    evaluateTraining: [options.log, options.report, options.dir].some(file => file !== undefined),
    ...(run && { checkpoint: { directory: run.path('checkpoint'), resume: options.resume === true } }),
    // Only from here on does a signal leave something to save.
    signal: interruptible(),
    note,
    onIteration(record, total) {
      run?.log(record);
      progress.update(record.iteration, total, ...figures(record, select));
    },
  }).finally(() => progress.finish());
  const out = (options.out as string | undefined) ?? run?.path('model') ?? DEFAULT_OUT;
  await saveModel(out, trained.model);
  if (run !== undefined && out !== run.path('model')) await saveModel(run.path('model'), trained.model);
  if (options.log !== undefined) await writeLog(options.log as string, trained.log);
  const value = resultOf(trained, out, load);
  const report = options.report as string | undefined;
  if (report !== undefined || run !== undefined) {
    const sources = [{ file: args[0]!, data }, ...(validate ? [{ file: validateName!, data: validate }] : [])];
    const { options: own, ...settled } = settledOptions(settings, options);
    const origin = originOf({ ...settled, ...own }, sources, settings.seed);
    const page = trainPage({ trained, origin, loadSeconds: load, title: `training on ${args[0]}` });
    if (run !== undefined) await writeQuietly(run.path('report'), page);
    if (report !== undefined) await writePage(report, page, output);
  }
  run?.writeResults(printJson('train', value));
  return { value, text: () => printText(trained, out, run?.directory) };
}

type Settings = Omit<TrainSettings, 'data'> & { readonly seed: number };
type SettledTraining = ReturnType<typeof settleSettings<Settings>>;

/** What flags and config file say of training; flags go first. */
export async function trainSettings(options: OptionValues): Promise<Settings> {
  const text = (key: string) => options[key] as string | undefined;
  const file = text('config');
  const config: Partial<TrainConfig> = file === undefined ? {} : await readConfig(file);
  const model = text('model') ?? config.model ?? kinds[0]!;
  const given = optionsFromText(trainerOf(model), (options.set as string[] | undefined) ?? []);
  const checkpoint = text('checkpoint');
  // A default is a number, what was written is text.
  const seed = typeof options.seed === 'string' ? wholeNumber(options, 'seed', 0)! : (config.seed ?? 1);
  return {
    model,
    seed,
    objective: text('objective') ?? config.objective,
    select: text('select') ?? config.select,
    measures: (options.measure as string[] | undefined)?.join(',') ?? config.measure,
    holdout: text('holdout') === undefined ? (options.validate ? undefined : config.holdout) : share(text('holdout')!),
    options: { ...(config.model === model ? config.options : {}), ...given },
    threads: wholeNumber(options, 'threads', 1),
    modules: (options.load as string[] | undefined) ?? [],
    checkpoint: checkpoint === undefined ? undefined : { directory: checkpoint, resume: options.resume === true },
  };
}

/** All that decides how training goes, defaults included, for the record of a run. */
export function settledOptions(settings: SettledTraining, { validate, from, config }: OptionValues) {
  const { model, objective, select, measures: measure, holdout, threads, modules } = settings;
  return {
    model,
    ...(objective !== undefined && { objective }),
    select,
    measure,
    ...(validate === undefined ? { holdout: holdout ?? DEFAULT_HOLDOUT } : { validate }),
    from,
    config,
    load: modules,
    threads,
    options: settings.options,
  };
}

export async function readConfig(file: string): Promise<TrainConfig> {
  const text = await readFile(file, 'utf8').catch(error => {
    throw unreadable(file, error, 'no such config file');
  });
  return parseConfig(text, file);
}

export function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value < 1) return value;
  throw new ListwiseError('option-invalid', `--holdout is a share of at least 0 and below 1, found ${quote(text)}`);
}

function validateSides(options: OptionValues) {
  const labels = (options.validateLabels as string[] | undefined) ?? [];
  return {
    group: options.validateGroup as string | undefined,
    labelFiles: labels.map(value => {
      const [name, file] = splitPair(value);
      if (file !== undefined) return { name, file };
      throw new ListwiseError('option-invalid', `--validate-labels takes NAME=FILE, found ${quote(value)}`);
    }),
  };
}

/** For the progress line, what matters most first. */
function figures({ iteration, training, validation }: IterationRecord, select: string): string[] {
  const values = (name: string, figures: readonly number[]) =>
    figures.length === 0 ? '' : `${name} ${figures.map(value => fixed(value)).join(' ')}`;
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
  };
}

function printText(trained: Trained, out: string, directory: string | undefined): string {
  const { best, iterations, stopped, seconds, select, selectedOn } = trained;
  return [
    `${trained.trainer}, ${trained.objective ?? 'no objective'}: best of ${iterations} iterations is ${best.iteration}, ` +
      `${select} ${best.values.map(figure => fixed(figure)).join(' ')} on ${counted(selectedOn.queries, `${selectedOn.data} query`, `${selectedOn.data} queries`)} ` +
      `(${ends[stopped]}, ${duration(1000 * (seconds.bin + seconds.train))})`,
    ...learningCurve(trained),
    ...otherMeasures(trained),
    `model written to ${out}`,
    ...(directory === undefined ? [] : [`run recorded in ${directory}`]),
  ].join('\n');
}

/** Columns of a narrow terminal that these words leave; undefined where there is no terminal. */
function roomBeside(words: string): number | undefined {
  const { isTTY, columns } = process.stdout;
  return isTTY && columns > 0 ? Math.max(2, Math.min(SPARKLINE_WIDTH, columns - words.length)) : undefined;
}

/** What the best iteration was selected from, in one line; none where there is no curve. */
function learningCurve({ log, select }: Trained): string[] {
  const judged = log.filter(({ validation }) => validation.length > 0);
  const values = judged.map(({ validation }) => validation[0]!);
  if (!takesUnicode(process.env)) return values.length < 2 ? [] : [`${select} ${plainCurve(values)}`];
  const ends = [values[0]!, values.at(-1)!].map(value => fixed(value));
  const words = `${select} ${ends.join(' ')} `;
  return values.length < 2 ? [] : [`${select} ${ends[0]} ${sparkline(values, roomBeside(words))} ${ends[1]}`];
}

/** The other measures at the best iteration; none where that was before the first. */
function bestMeasures({ log, best }: Trained): Readonly<Record<string, number>> {
  return log.find(({ iteration }) => iteration === best.iteration)?.measures ?? {};
}

function otherMeasures(trained: Trained): string[] {
  const figures = Object.entries(bestMeasures(trained)).map(([name, value]) => `${name} ${fixed(value)}`);
  return figures.length === 0 ? [] : [`at iteration ${trained.best.iteration}: ${figures.join(', ')}`];
}

const ends: Record<Trained['stopped'], string> = {
  finished: 'all iterations done',
  'no improvement': 'stopped early',
  interrupted: 'interrupted',
  diverged: 'diverged; a lower rate would go on',
};
