/** Cross-validates a configuration, alone or against another one. */
import { basename } from 'node:path';
import { type Comparison, compareSystems } from '../../analysis/compare.js';
import { writeScores } from '../../data/writers/score-file.js';
import { writeText } from '../../io/whole-file.js';
import { cvPage, undefinedFigures } from '../../report/cv-page.js';
import type { RunRecording } from '../../runs/recording.js';
import type { TrainConfig } from '../../training/config.js';
import { DEFAULT_OBJECTIVE, DEFAULT_SELECT, settleSettings, trainerOf } from '../../training/train.js';
import { type CrossValidation, crossValidate } from '../../tuning/cross-validate.js';
import type { Configuration } from '../../tuning/fold-job.js';
import type { CommandDefinition, OptionValues } from '../command.js';
import { usage } from '../contradictions.js';
import { dataOptions, wholeNumber } from '../data-options.js';
import { foldCount, LETOR, partsOption, readFolds, validationParts } from '../fold-options.js';
import { interruptible } from '../interrupt.js';
import { type Judging, measureOptions, readJudging } from '../measure-options.js';
import { type Output, printJson } from '../output.js';
import { originOf, reportOption, reportTarget, writePage, writeQuietly } from '../report-option.js';
import { forceOption, type RecordedRun, recorded, recordedCommandLine } from '../run-folder.js';
import { count, fixed, table } from '../table.js';
import { refuseUnwritable } from '../writable.js';
import { pairJson, pairsTable } from './compare.js';
import { readConfig, settledOptions, trainNotes, trainOptions, trainSettings } from './train.js';

const ALPHA = 0.05;

export const cv: CommandDefinition = {
  name: 'cv',
  summary: 'Cross-validate: train on folds of the queries, judge on the queries left out.',
  arguments: [{ name: '<data>', description: 'labelled data: a file, a directory, a glob or - for stdin' }],
  options: [
    {
      flags: '--folds <n>',
      description: `number of random folds by query, or ${LETOR}: a directory with S1 to S5, or with Fold1 to Fold5`,
      default: '5',
    },
    partsOption,
    ...trainOptions,
    {
      flags: '--holdout <share>',
      description: 'share of the training queries of a fold to select the best iteration on (default: as in train)',
    },
    { flags: '--against <config>', description: 'a second configuration, compared on the same folds, paired by query' },
    { flags: '--scores <file>', description: 'write the out-of-fold scores: one a line, in input row order' },
    ...measureOptions.filter(({ flags }) => !trainOptions.some(other => other.flags === flags)),
    {
      flags: '--dir <directory>',
      description: 'run folder: options, log, out-of-fold scores, results and report are kept there',
    },
    forceOption,
    { flags: '--out <file>', description: 'write the result to this file' },
    reportOption,
    ...dataOptions,
  ],
  notes: trainNotes,
  examples: [
    'listwise cv data.txt --folds 5 --model trees --set trees=100 -m ndcg@10,ap',
    'listwise cv MQ2008 --folds letor --model linear --scores out-of-fold.txt',
    'listwise cv data.txt --folds 5 --parts 2,2,1 --model net',
    'listwise cv data.txt --folds 10 --dir runs/cv',
    'listwise cv data.txt --model net --against configs/burges-2006.json -m ndcg@10',
  ],
  async run(args, options, output) {
    const request = await recordedCommandLine(cv, args, options);
    const given = validatesOnParts(options);
    if (given && options.holdout !== undefined) {
      throw usage(`--holdout does not go with ${options.parts === undefined ? `--folds ${LETOR}` : '--parts'}`);
    }
    const settings = await trainSettings(options);
    const against = options.against as string | undefined;
    const other = against === undefined ? undefined : await readConfig(against);
    const judging = await readJudging(options, output);
    await reportTarget(options);
    const scores = options.scores as string | undefined;
    if (scores !== undefined) await refuseUnwritable(scores);
    const measure = judging.measures.map(({ asked }) => asked).join(',');
    const settled = {
      folds: options.folds,
      parts: options.parts,
      ...settledOptions(settleSettings({ ...settings, measures: measure }), options),
      against,
      ...(given && { holdout: undefined }),
    };
    await recorded(request, { seed: settings.seed, options: settled }, run =>
      cvRecorded(request, { settings, other, judging }, run, output),
    );
  },
};

/** Whether folds bring their validation data. */
function validatesOnParts(options: OptionValues): boolean {
  return (validationParts(options) ?? (foldCount(options) === LETOR ? 1 : 0)) > 0;
}

interface Settled {
  readonly settings: Awaited<ReturnType<typeof trainSettings>>;
  /** The configuration compared with. */
  readonly other: TrainConfig | undefined;
  readonly judging: Judging;
}

async function cvRecorded(
  { args, options }: RecordedRun,
  { settings, other, judging }: Settled,
  run: RunRecording | undefined,
  output: Output,
): Promise<void> {
  const file = args[0]!;
  const against = options.against as string | undefined;
  const seed = wholeNumber(options, 'seed', 0)!;
  const signal = interruptible();
  const { folds, data } = await readFolds(file, options, seed, output);
  run?.addData('data', file, data);
  let ended = 0;
  const validate = (name: string, configuration: Configuration) => {
    const progress = output.progress(other === undefined ? 'cross-validating' : `cross-validating ${name}`);
    return crossValidate({
      ...configuration,
      holdout: validatesOnParts(options) ? undefined : configuration.holdout,
      folds,
      data,
      measures: judging.measures,
      ties: judging.ties,
      signal,
      alpha: ALPHA,
      threads: settings.threads,
      note: text => output.note(text),
      onFold: ({ best, ...fold }) =>
        run?.log({ iteration: ++ended, ...(other && { configuration: name }), ...fold, best, validation: best.values }),
      onProgress: share => progress.update(share, 1),
    }).finally(() => progress.finish());
  };
  const [name, otherName] = namesOf(settings.model, options.config as string | undefined, against);
  const ours = await validate(name, settings);
  const theirs = other && (await validate(otherName!, { seed, ...other, modules: settings.modules }));
  const scores = options.scores as string | undefined;
  for (const target of [scores, run?.path('scores')]) {
    if (target !== undefined) await writeText(target, sink => writeScores(sink, ours.data, ours.scores));
  }
  const results = [{ name, result: ours }, ...(theirs ? [{ name: otherName!, result: theirs }] : [])];
  const systems = results.map(({ name, result }) => ({ name, data: result.data, scores: result.scores }));
  const comparison = theirs && compareSystems(systems, judging.measures, { alpha: ALPHA, ties: judging.ties, seed });
  const report = options.report as string | undefined;
  if (report !== undefined || run !== undefined) {
    const compared = comparison && {
      systems,
      comparison,
      curves: { ...judging, onProgress: output.shares('drawing') },
    };
    const origin = originOf(options, [{ file, data: ours.data }], settings.seed);
    const page = cvPage({ results, compared, alpha: ALPHA, origin });
    if (run !== undefined) await writeQuietly(run.path('report'), page);
    if (report !== undefined) await writePage(report, page, output);
  }
  const outcome: Outcome = { ours, theirs, comparison, settings, against, otherName };
  const value = toJson(judging, outcome);
  run?.writeResults(printJson('cv', value));
  await output.resultTo(options.out as string | undefined, 'cv', value, () =>
    [printText(judging, outcome, scores), ...(run === undefined ? [] : [`run recorded in ${run.directory}`])].join(
      '\n\n',
    ),
  );
}

interface Outcome {
  readonly ours: CrossValidation;
  /** Of the configuration compared with. */
  readonly theirs: CrossValidation | undefined;
  readonly comparison: Comparison | undefined;
  readonly settings: Configuration;
  /** The file it is in, and what it is called. */
  readonly against: string | undefined;
  readonly otherName: string | undefined;
}

/**
 * What both are called: by their files where they have one, by the kind of model otherwise; short where that tells them
 * apart.
 */
function namesOf(model: string, config: string | undefined, against: string | undefined): [string, string?] {
  if (against === undefined) return [model];
  const [ours, theirs] = [config ?? model, against];
  if (basename(ours) !== basename(theirs)) return [basename(ours), basename(theirs)];
  return ours === theirs ? [`${ours} with flags`, theirs] : [ours, theirs];
}

function figuresJson({ folds, mean, interval }: CrossValidation) {
  return {
    folds: folds.map(({ fold, queries, measures, interval: ci, best, iterations, stopped, seconds }) => ({
      fold,
      measures,
      ci,
      queries,
      iteration: best.iteration,
      iterations,
      stopped,
      seconds,
    })),
    mean,
    ci: interval,
  };
}

function toJson({ measures, preset, ties }: Judging, { ours, theirs, comparison, settings, against }: Outcome) {
  return {
    ...figuresJson(ours),
    measures: measures.map(({ asked, measure }) => ({ measure: asked, canonical: measure.spec })),
    queries: ours.data.queries,
    documents: ours.data.rows,
    kind: settings.model,
    objective: objectiveOf(settings),
    select: settings.select ?? DEFAULT_SELECT,
    seed: settings.seed,
    alpha: ALPHA,
    preset,
    ties,
    ...(theirs && { against: { config: against, ...figuresJson(theirs) } }),
    ...(comparison && { pairs: comparison.pairs.map(pairJson), deciding: comparison.deciding }),
  };
}

function printText({ measures }: Judging, outcome: Outcome, scores: string | undefined): string {
  const { ours, theirs, comparison, settings, otherName } = outcome;
  const { queries, rows } = ours.data;
  const parts = [
    `${settings.model}, ${objectiveOf(settings) ?? 'no objective'}: ${ours.folds.length} folds, ${count(queries)} queries, ${count(rows)} documents`,
    foldTable(measures, ours),
  ];
  if (theirs !== undefined) parts.push(otherName!, foldTable(measures, theirs));
  if (comparison !== undefined) {
    parts.push(
      pairsTable(comparison),
      `Paired over the ${count(queries)} queries, each judged out of its fold. Significant: p of ${comparison.deciding.join(', ')} below ${ALPHA}.`,
    );
  }
  if (scores !== undefined) parts.push(`out-of-fold scores written to ${scores}`);
  return parts.join('\n\n');
}

function foldTable(measures: Judging['measures'], { folds, mean, interval }: CrossValidation): string {
  const right = (title: string) => ({ title, align: 'right' as const });
  const names = measures.map(({ asked }) => asked);
  const figures = table(
    [{ title: 'fold' }, right('queries'), right('best iteration'), ...names.map(right)],
    [
      ...folds.map(({ fold, queries, best, iterations, measures: own }) => [
        String(fold),
        count(queries),
        `${best.iteration} of ${iterations}`,
        ...names.map(name => fixed(own[name]!)),
      ]),
      ['mean', '', '', ...names.map(name => fixed(mean[name]!))],
      ['95 % from', '', '', ...names.map(name => fixed(interval[name]![0]))],
      ['95 % to', '', '', ...names.map(name => fixed(interval[name]![1]))],
    ],
  );
  const missing = undefinedFigures({ folds, mean, interval });
  return missing.length === 0 ? figures : `${figures}\n\n${missing.map(text => `-: ${text}`).join('\n')}`;
}

/** What is trained for, as far as it is known without training. */
function objectiveOf({ model, objective }: Configuration): string | undefined {
  const trainer = trainerOf(model);
  if (trainer.needs !== 'objective') return undefined;
  return typeof objective === 'string' ? objective : (trainer.objective ?? DEFAULT_OBJECTIVE);
}
