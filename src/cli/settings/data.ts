/** From the options that say how DATA is read to what readers, models and scoring take. */
import type { DataDescription } from '../../data/description.js';
import type { ReadOptions } from '../../data/readers/reader.js';
import { followed, type Input, type ReadProgress, resolveInput } from '../../io/inputs.js';
import type { MatchOptions } from '../../models/match-features.js';
import type { GlobalValues } from '../command/command.js';
import type { OptionValues } from '../command/option.js';
import type { dataOptions } from '../options/data.js';
import type { Output } from '../output.js';

export type DataValues = OptionValues<typeof dataOptions> & Pick<GlobalValues, 'threads'>;

const MEGABYTE = 1e6;

/** Shows how far reading is, or, where the size is not known, how much has come; `label` is what is done. */
export function readProgress(output: Output, label = 'reading'): ReadProgress {
  const progress = output.progress(label);
  return (done, total) => progress.update(done, total, total === undefined ? `${Math.round(done / MEGABYTE)} MB` : '');
}

/** One file (scores, a run, judgments, a model), read with progress. */
export async function followedInput(file: string, output: Output): Promise<Input> {
  return followed([await resolveInput(file)], readProgress(output))[0]!;
}

export function scoringOptions(options: DataValues, output: Output) {
  return {
    ...modelMatch(options, output),
    threads: options.threads,
    progress: output.shares('scoring'),
  };
}

/** As below, for a model over data: features that the model does not know are left out. */
export function modelMatch(options: Pick<DataValues, 'fillFeatures' | 'absent'>, output: Output): MatchOptions {
  return { ...matchOptions(options, output), others: 'ignore' };
}

/** What becomes of features that a model has and the data does not. */
export function matchOptions(options: Pick<DataValues, 'fillFeatures' | 'absent'>, output: Output): MatchOptions {
  return {
    fill: options.fillFeatures,
    absent: options.absent === 'missing' ? Number.NaN : 0,
    note: message => output.note(message),
  };
}

/** The schema of descriptions is loaded where there is one only. */
async function describedBy(file: string | undefined): Promise<DataDescription | undefined> {
  if (file === undefined) return undefined;
  return (await import('../../data/description-schema.js')).readDescription(file);
}

export async function readOptions(options: DataValues, output: Output): Promise<ReadOptions> {
  return {
    format: options.format,
    queryColumn: options.queryCol,
    documentColumn: options.docCol,
    labelColumns: options.labelCol,
    weightColumn: options.weightCol,
    positionColumn: options.positionCol,
    ignore: options.ignore,
    keep: options.keep,
    categories: options.category,
    dates: options.date,
    missing: options.missing,
    description: await describedBy(options.dataDescription),
    sql: options.sql,
    labelFiles: options.labels,
    group: options.group,
    absent: options.absent,
    judgments: options.judgments,
    unjudged: options.unjudged,
    queryFrom: options.queryFrom,
    featureBase: options.featureBase === '0' ? 0 : 1,
    featureSubset: options.features,
    normalise: options.normalise,
    threads: options.threads,
    note: message => output.note(message),
    progress: readProgress(output),
  };
}
