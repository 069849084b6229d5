/** The flags that say how DATA is read, shared by every command that takes data. */
import { availableParallelism } from 'node:os';
import { normalisations } from '../data/normalise.js';
import type { ReadOptions } from '../data/readers/reader.js';
import { ListwiseError, quote } from '../errors.js';
import { followed, type Input, type ReadProgress, resolveInput } from '../io/inputs.js';
import type { MatchOptions } from '../models/match-features.js';
import type { CommandOption, OptionValues } from './command.js';
import type { Output } from './output.js';

const declared: readonly CommandOption[] = [
  { flags: '--format <name>', description: 'format of the data (default: from the file name)' },
  { flags: '--query-col <column>', description: 'column of query ids, in tables' },
  { flags: '--doc-col <column>', description: 'column of document ids' },
  {
    flags: '--label-col <[name=]column>',
    description: 'column of labels; repeat for several label sources',
    repeat: true,
  },
  { flags: '--weight-col <column>', description: 'column of document weights' },
  { flags: '--position-col <column>', description: 'column of positions at which documents were shown' },
  { flags: '--sql <query>', description: 'query to run over a DuckDB file' },
  { flags: '--labels <name=file>', description: 'a further label source, one value a line; repeatable', repeat: true },
  { flags: '--group <file>', description: 'group sizes, one a line, or one query id a row' },
  {
    flags: '--absent <how>',
    description: 'what a feature is that a row leaves out: sparse ones (default: zero), logs (default: missing)',
    choices: ['zero', 'missing', 'refuse'],
  },
  {
    flags: '--judgments <file>',
    description: 'grades of the documents of a feature log: a table, a list "3 qid:1 # doc", or qrels',
  },
  {
    flags: '--unjudged <how>',
    description: 'what to do with logged documents without a judgment (default: refuse)',
    choices: ['refuse', 'drop', 'keep'],
  },
  {
    flags: '--query-from <where>',
    description: "what names a response's query in a feature log that has no qid (default: entry)",
    choices: ['entry', 'file'],
  },
  {
    flags: '--feature-base <n>',
    description: 'smallest feature id of SVMlight files',
    default: '1',
    choices: ['0', '1'],
  },
  {
    flags: '--fill-features',
    description: 'features of the model that the data never names count as absent instead of being an error',
  },
  {
    flags: '--features <file>',
    description: 'keep only the features named in this file: one a line, or a feature set (JSON)',
  },
  {
    flags: '--normalise <how>',
    description: 'normalise features within each query',
    choices: Object.keys(normalisations),
  },
];

export const dataOptions: readonly CommandOption[] = declared.map(option => ({
  ...option,
  group: 'How data is read:',
}));

const MEGABYTE = 1e6;

/**
 * Shows how far reading is; where the size is not known, how much has come. `label` is what is done with the rows
 * meanwhile.
 */
export function readProgress(output: Output, label = 'reading'): ReadProgress {
  const progress = output.progress(label);
  return (done, total) => progress.update(done, total, total === undefined ? `${Math.round(done / MEGABYTE)} MB` : '');
}

/** One file (scores, a run, judgments, a model), read with progress. */
export async function followedInput(file: string, output: Output): Promise<Input> {
  return followed([await resolveInput(file)], readProgress(output))[0]!;
}

/** How data is scored with a model. */
export function scoringOptions(options: OptionValues, output: Output) {
  return {
    ...matchOptions(options, output),
    threads: wholeNumber(options, 'threads', 1) ?? availableParallelism(),
    progress: output.shares('scoring'),
  };
}

/** What becomes of features that a model has and the data does not. */
export function matchOptions(options: OptionValues, output: Output): MatchOptions {
  return {
    fill: options.fillFeatures === true,
    absent: options.absent === 'missing' ? Number.NaN : 0,
    note: message => output.note(message),
  };
}

export function readOptions(options: OptionValues, output: Output): ReadOptions {
  const text = (key: string) => options[key] as string | undefined;
  const list = (key: string) => (options[key] as string[] | undefined) ?? [];
  return {
    format: text('format'),
    queryColumn: text('queryCol'),
    documentColumn: text('docCol'),
    labelColumns: list('labelCol').map(value => {
      const [name, column] = splitPair(value);
      return { name: column === undefined ? 'label' : name, column: column ?? name };
    }),
    weightColumn: text('weightCol'),
    positionColumn: text('positionCol'),
    sql: text('sql'),
    labelFiles: list('labels').map(value => {
      const [name, file] = splitPair(value);
      if (file === undefined)
        throw new ListwiseError('option-invalid', `--labels takes NAME=FILE, found ${quote(value)}`);
      return { name, file };
    }),
    group: text('group'),
    absent: text('absent') as ReadOptions['absent'],
    judgments: text('judgments'),
    unjudged: text('unjudged') as ReadOptions['unjudged'],
    queryFrom: text('queryFrom') as ReadOptions['queryFrom'],
    featureBase: Number(options.featureBase) as 0 | 1,
    featureSubset: text('features'),
    normalise: text('normalise'),
    threads: wholeNumber(options, 'threads', 1),
    note: message => output.note(message),
    progress: readProgress(output),
  };
}

/** `name=value`; the value is undefined where there is no `=`. */
export function splitPair(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** An option that must be a whole number of at least `least`. */
export function wholeNumber(options: OptionValues, key: string, least: number): number | undefined {
  const value = options[key];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= least && String(value).trim() !== '') return number;
  const flag = key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  throw new ListwiseError(
    'option-invalid',
    `--${flag} is a whole number of at least ${least}, found ${quote(String(value))}`,
  );
}
