/** Cross-validates a configuration, alone or against another one. */

import { basename } from 'node:path';
import { type Comparison, compareSystems } from '../../analysis/compare.js';
import { writeScores } from '../../data/writers/score-file.js';
import { writeText } from '../../io/whole-file.js';
import { together } from '../../ranks/together.js';
import { cvDocument } from '../../report/commands/cv.js';
import { terminalText } from '../../report/render/terminal.js';
import type { RunRecording } from '../../runs/recording.js';
import { trainerOf } from '../../training/all.js';
import type { TrainConfig } from '../../training/config.js';
import { DEFAULT_OBJECTIVE, DEFAULT_SELECT } from '../../training/train.js';
import { settleSettings } from '../../training/train-settled.js';
import { type CrossValidation, crossValidateOn } from '../../tuning/cross-validate.js';
import type { Configuration } from '../../tuning/fold-job.js';
import { readAlike, spreadRanks, threadsOfRank } from '../agreed-ranks.js';
import type { CvLine } from '../declarations/cv.js';
import { validatesOnParts } from '../options/folds.js';
import { type Output, printJson } from '../output.js';
import { pairJson } from '../pairs.js';
import { originOf, reportTarget, writePages } from '../report-option.js';
import { recorded } from '../run-folder.js';
import { type Evaluation, readEvaluation } from '../settings/evaluation.js';
import { readFolds } from '../settings/folds.js';
import { readConfig, type Settings, settledOptions, trainSettings } from '../settings/training.js';
import { refuseUnwritable } from '../writable.js';

const ALPHA = 0.05;

export async function cv(line: CvLine, output: Output): Promise<void> {
  const { options } = line;
  const { against, scores, folds, parts } = options;
  const { given, other } = await together(output.ranks, async () => ({
    given: await trainSettings(options),
    other: against === undefined ? undefined : await readConfig(against),
  }));
  const ranks = await spreadRanks(line, { ...given, against: other }, output);
  const settings = { ...given, threads: threadsOfRank(ranks, line) };
  const evaluation = await together(ranks, () => readEvaluation(options, output));
  const work = { settings, other, evaluation };
  if (ranks.rank > 0) {
    await validate(line, work, undefined, output);
    return;
  }
  await reportTarget(options);
  if (scores !== undefined) await refuseUnwritable(scores);
  const measure = evaluation.measures.map(({ asked }) => asked).join(',');
  const settled = {
    folds: String(folds),
    parts,
    ...settledOptions(settleSettings({ ...settings, measures: measure }), options),
    against,
    ...(validatesOnParts(options) && { holdout: undefined }),
  };
  await recorded(
    line,
    { seed: settings.seed, options: settled, makes: ['scores'] },
    run => cvRecorded(line, work, run, output),
    output,
  );
}

interface Settled {
  readonly settings: Settings;
  /** The configuration compared with. */
  readonly other: TrainConfig | undefined;
  readonly evaluation: Evaluation;
}

interface Validated {
  readonly name: string;
  readonly result: CrossValidation;
}

/** What every rank does: our configuration, and the other where there is one. */
async function validate(
  { args, options }: CvLine,
  { settings, other, evaluation }: Settled,
  run: RunRecording | undefined,
  output: Output,
): Promise<[Validated, ...Validated[]]> {
  const { seed = 1 } = options;
  const signal = output.signals.interruptible();
  const { folds, data } = await readAlike(
    output.ranks,
    () => readFolds(args.data, options, options, seed, output),
    read => [read.data],
  );
  run?.addData('data', args.data, data);
  let ended = 0;
  const one = async (name: string, configuration: Configuration): Promise<Validated> => {
    const progress = output.progress(other === undefined ? 'cross-validating' : `cross-validating ${name}`);
    const result = await crossValidateOn(output.ranks, {
      ...configuration,
      holdout: validatesOnParts(options) ? undefined : configuration.holdout,
      folds,
      data,
      measures: evaluation.measures,
      ties: evaluation.ties,
      signal,
      alpha: ALPHA,
      threads: settings.threads,
      note: text => output.note(text),
      onFold: ({ best, ...fold }) =>
        run?.log({ iteration: ++ended, ...(other && { configuration: name }), ...fold, best, validation: best.values }),
      onProgress: share => progress.update(share, 1),
    }).finally(() => progress.finish());
    return { name, result };
  };
  const [name, otherName] = namesOf(settings.model, options.config, options.against);
  const ours = await one(name, settings);
  return other === undefined ? [ours] : [ours, await one(otherName!, { seed, ...other, modules: settings.modules })];
}

async function cvRecorded(line: CvLine, work: Settled, run: RunRecording | undefined, output: Output): Promise<void> {
  const { options } = line;
  const file = line.args.data;
  const { against, scores, report, seed = 1 } = options;
  const { settings, evaluation } = work;
  const results = await validate(line, work, run, output);
  const [{ result: ours }, other] = results;
  const theirs = other?.result;
  for (const target of [scores, run?.path('scores')]) {
    if (target !== undefined) await writeText(target, sink => writeScores(sink, ours.data, ours.scores));
  }
  const systems = results.map(({ name, result }) => ({ name, data: result.data, scores: result.scores }));
  const comparison =
    theirs && compareSystems(systems, evaluation.measures, { alpha: ALPHA, ties: evaluation.ties, seed });
  const withPage = report !== undefined || run !== undefined;
  const curves = withPage ? { ...evaluation, onProgress: output.shares('drawing') } : undefined;
  const document = cvDocument({
    results,
    compared: comparison && { systems, comparison, curves },
    alpha: ALPHA,
    what: `${settings.model}, ${objectiveOf(settings) ?? 'no objective'}`,
  });
  const origin = () => originOf(line, [{ file, data: ours.data }], output, { seed: settings.seed });
  await writePages({ run, report }, () => ({ ...document, origin: origin() }), output);
  const value = toJson(evaluation, { ours, theirs, comparison, settings, against });
  run?.writeResults(printJson('cv', value));
  const ends = [
    ...(scores === undefined ? [] : [`out-of-fold scores written to ${scores}`]),
    ...(run === undefined ? [] : [`run recorded in ${run.directory}`]),
  ];
  await output.resultTo(options.out, 'cv', value, screen =>
    [terminalText(document.sections, screen), ...ends].join('\n\n'),
  );
}

interface Outcome {
  readonly ours: CrossValidation;
  /** Of the configuration compared with. */
  readonly theirs: CrossValidation | undefined;
  readonly comparison: Comparison | undefined;
  readonly settings: Configuration;
  /** The file it is in. */
  readonly against: string | undefined;
}

/** What both are called: by their files, or the kind of model; short where that tells them apart. */
function namesOf(model: string, config: string | undefined, against: string | undefined): [string, string?] {
  if (against === undefined) return [model];
  const [ours, theirs] = [config ?? model, against];
  if (basename(ours) !== basename(theirs)) return [basename(ours), basename(theirs)];
  return ours === theirs ? [`${ours} with flags`, theirs] : [ours, theirs];
}

function resultsJson({ folds, mean, interval }: CrossValidation) {
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

function toJson({ measures, preset, ties }: Evaluation, { ours, theirs, comparison, settings, against }: Outcome) {
  return {
    ...resultsJson(ours),
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
    ...(theirs && { against: { config: against, ...resultsJson(theirs) } }),
    ...(comparison && { pairs: comparison.pairs.map(pairJson), deciding: comparison.deciding }),
  };
}

/** What is trained for, as far as it is known without training. */
function objectiveOf({ model, objective }: Configuration): string | undefined {
  const trainer = trainerOf(model);
  if (trainer.needs !== 'objective') return undefined;
  return typeof objective === 'string' ? objective : (trainer.objective ?? DEFAULT_OBJECTIVE);
}
