/** Reads ranking data from wherever it is: the one door from files to a data set. */
import { didYouMean, ListwiseError, quote } from '../../errors.js';
import { fileInput, followed, type Input } from '../../io/inputs.js';
import { withSpool } from '../../io/spool.js';
import type { Dataset } from '../dataset.js';
import { type DataDescription, NOTHING_KNOWN } from '../description.js';
import { readFeatureChoice, selectFeatures } from '../feature-subset.js';
import { findNormalisation, normalise } from '../normalise.js';
import { readers } from '../readers/all.js';
import type { Reader, ReadOptions, RowSink } from '../readers/reader.js';
import { BatchStages } from './batch-stages.js';
import { Batches, type BatchSize, type TakeBatch } from './batches.js';
import { collect } from './collect.js';
import { QuerySink, readGroups, readWithGroups, rowsByQuery } from './groups.js';
import { readJudgments } from './judgments.js';
import { numberedFeatures } from './numbered-features.js';
import { positionsFromOne } from './positions.js';
import { resolveData } from './resolve-data.js';
import { findSideFiles, type SideFiles, withSideFiles } from './side-files.js';

/**
 * As `readDataset`, from inputs.
 *
 * @example
 * import { fileInput, readInputs } from 'listwise/data';
 *
 * const data = await readInputs([await fileInput('part-1.txt'), await fileInput('part-2.txt')]);
 */
export async function readInputs(given: readonly Input[], asked: ReadOptions = {}): Promise<Dataset> {
  const reader = findReader(given, asked);
  const inputs = followed(given, asked.progress, reader.passes);
  checkOptions(reader, asked);
  const options = await withSideOptions(asked);
  // A name that is wrong should not be found out after a long read.
  if (options.normalise !== undefined) findNormalisation(options.normalise);
  const sideFiles = await findSideFiles(inputs, options);
  const read = await readQueries(reader, inputs, sideFiles, options);
  const data = await withSideFiles(read, sideFiles, options);
  if (options.part !== undefined) return data;
  return settleFeatures(reader, positionsFromOne(data, options.note ?? (() => {})), options);
}

/** The features that are asked for, once all are known. */
export async function settleFeatures(reader: Reader, read: Dataset, asked: ReadOptions): Promise<Dataset> {
  const options = await withChoice(asked);
  let data = read;
  if (!reader.table) {
    data = numberedFeatures(data, options);
    if (options.description !== undefined) data = data.with({ description: remembered(options.description) });
  }
  if (options.chosen !== undefined) data = selectFeatures(data, options.chosen(data.featureNames, true));
  if (options.normalise === undefined) return data;
  const description = { ...(data.description ?? NOTHING_KNOWN), normalise: options.normalise };
  return normalise(data, findNormalisation(options.normalise)).with({ description });
}

/** A description without what is of one data set only. */
function remembered({ data: _data, format: _format, judgments: _judgments, union: _union, ...rest }: DataDescription) {
  return rest;
}

/** Reads the files that say how data is read. */
async function withSideOptions(asked: ReadOptions): Promise<ReadOptions> {
  return withChoice(await withJudgments(asked));
}

async function withChoice(options: ReadOptions): Promise<ReadOptions> {
  const { featureSubset, chosen } = options;
  if (featureSubset === undefined || chosen !== undefined) return options;
  return { ...options, chosen: await readFeatureChoice(await fileInput(featureSubset)) };
}

/** The columns that the user names are those of the judgments as far as they have them. */
async function withJudgments(options: ReadOptions): Promise<ReadOptions> {
  const judgments = options.judgments ?? options.description?.judgments;
  if (judgments === undefined || options.unlabelled) return options;
  const { queryColumn: query, documentColumn: document, labelColumns = [], note } = options;
  const labels = Object.fromEntries(labelColumns.map(({ name, column }) => [name, column]));
  const description: DataDescription = { ...NOTHING_KNOWN, roles: { query, document, labels } };
  const read = { description, note };
  return { ...options, judged: await readJudgments(await fileInput(judgments), tableReader(judgments), read) };
}

/** Few enough rows that batches are small, enough for threads to share. */
const BATCH_SIZE: BatchSize = { values: 1 << 20, rows: 1 << 16 };

/**
 * Hands over the data in input order, some ten thousand rows at a time, so that any amount of it needs the same memory.
 * Labels, a choice of features and normalisation are as with `readDataset`; for normalisation a batch has whole
 * queries. Data with a group file is gone over twice, since the number of its rows tells what the file says. Weights,
 * positions and initial scores that are beside the data are not looked at.
 *
 * @example
 * import { readBatches } from 'listwise/data';
 *
 * let rows = 0;
 * await readBatches('huge.txt', {}, async ({ data: part }) => {
 *   rows += part.rows;
 * });
 */
export async function readBatches(
  data: string,
  asked: ReadOptions,
  take: TakeBatch,
  size: BatchSize = BATCH_SIZE,
): Promise<void> {
  const { inputs: given, options: described } = await resolveData(data, asked);
  const reader = findReader(given, described);
  checkOptions(reader, described);
  const options = await withSideOptions(described);
  const stages = await BatchStages.open(options, !reader.table);
  const batches = new Batches(batch => stages.apply(batch, take), size, {
    wholeQueriesFor: options.normalise === undefined ? undefined : '`normalise`',
  });
  const { groups } = await findSideFiles(given, options);
  const passes = (reader.passes ?? 1) * (groups.length === 0 ? 1 : 2);
  const inputs = followed(given, options.progress, passes);
  try {
    if (groups.length === 0) await reader.stream(inputs, options, batches);
    else await streamWithGroups(reader, inputs, groups, options, batches);
    await batches.finish();
  } finally {
    await stages.close();
  }
}

async function streamWithGroups(
  reader: Reader,
  inputs: readonly Input[],
  groupFiles: readonly Input[],
  options: ReadOptions,
  sink: RowSink,
): Promise<void> {
  const groups = await readGroups(groupFiles);
  await withFiles(inputs, async files => {
    const read = async (asked: ReadOptions) => {
      const queries = new QuerySink();
      await reader.stream(files, asked, queries);
      return queries;
    };
    const found = await readWithGroups(read, options, groups);
    // What there is to say of the data has been said.
    await reader.stream(files, { ...found.options, note: undefined }, sink);
  });
}

async function readQueries(
  reader: Reader,
  inputs: readonly Input[],
  sideFiles: SideFiles,
  options: ReadOptions,
): Promise<Dataset> {
  if (sideFiles.groups.length === 0) return collect(sink => reader.stream(inputs, options, sink), options);
  const groups = await readGroups(sideFiles.groups);
  return withFiles(inputs, async files => {
    const read = async (asked: ReadOptions) => {
      const data = await collect(sink => reader.stream(files, asked, sink), asked);
      return { data, ...rowsByQuery(data) };
    };
    const { read: found } = await readWithGroups(read, options, groups);
    return found.data;
  });
}

/** Whether rows name queries is seen when they are read; stdin and pipes must be kept for a second time. */
function withFiles<T>(inputs: readonly Input[], work: (files: readonly Input[]) => Promise<T>): Promise<T> {
  return withSpool(async spool => {
    const kept: Input[] = [];
    for (const input of inputs) kept.push(input.path === undefined ? await spool.file(input) : input);
    return work(kept);
  });
}

/** An option that the format does not have is a mistake, not something to pass over. */
function checkOptions(reader: Reader, options: ReadOptions): void {
  const columns = {
    queryColumn: options.queryColumn,
    documentColumn: options.documentColumn,
    labelColumns: options.labelColumns?.[0],
    weightColumn: options.weightColumn,
    positionColumn: options.positionColumn,
  };
  const given = Object.entries(columns).find(([, value]) => value !== undefined)?.[0];
  if (given !== undefined && !reader.table && tableReader(options.judgments ?? '') === undefined) {
    throw forTables(given, reader);
  }
  const forLogs = {
    queryFrom: options.queryFrom,
    'absent: refuse': options.absent === 'refuse' ? options.absent : undefined,
  };
  const ofTables = {
    categories: options.categories?.[0],
    dates: options.dates?.[0],
    missing: options.missing?.[0],
  };
  const ofTable = Object.entries(ofTables).find(([, value]) => value !== undefined)?.[0];
  if (ofTable !== undefined && !reader.table) throw forTables(ofTable, reader);
  const judging = options.judgments !== undefined ? 'judgments' : options.unjudged && 'unjudged';
  if (judging !== undefined && !reader.log && !reader.table) {
    throw new ListwiseError('option-invalid', `\`${judging}\` is for tables and feature logs, not for ${reader.name}`);
  }
  const ofLog = Object.entries(forLogs).find(([, value]) => value !== undefined)?.[0];
  if (ofLog !== undefined && !reader.log) {
    const logs = readers.filter(other => other.log).map(other => other.name);
    throw new ListwiseError(
      'option-invalid',
      `\`${ofLog}\` is for feature logs (${logs.join(', ')}), not for ${reader.name}`,
    );
  }
  if (options.sql !== undefined && !reader.sql) {
    const takers = readers.filter(other => other.sql).map(other => other.name);
    throw new ListwiseError('option-invalid', `\`sql\` is for ${takers.join(', ')}, not for ${reader.name}`);
  }
}

function forTables(option: string, reader: Reader): ListwiseError {
  const tables = readers.filter(other => other.table).map(other => other.name);
  return new ListwiseError(
    'option-invalid',
    `\`${option}\` is for tables (${tables.join(', ')}), not for ${reader.name}`,
  );
}

/** The reader that is named, or the one that the names of the inputs mean. */
export function findReader(inputs: readonly Input[], options: ReadOptions): Reader {
  const names = readers.map(reader => reader.name);
  if (options.format !== undefined) {
    const named = readers.find(reader => reader.name === options.format);
    if (named !== undefined) return named;
    throw new ListwiseError(
      'data-format',
      `there is no format ${quote(options.format)}${didYouMean(options.format, names)} Formats: ${names.join(', ')}`,
    );
  }
  const known = new Set(inputs.map(input => readers.find(reader => reader.extensions.includes(extension(input.name)))));
  const [first] = known;
  if (known.size > 1) {
    throw new ListwiseError(
      'data-format',
      `the inputs have different formats (${inputs.map(input => input.name).join(', ')}); name one with \`format\``,
    );
  }
  // A name that tells nothing is taken as the field's own format; what is not SVMlight fails on its first line.
  return first ?? readers[0]!;
}

/** The reader of a file whose name says that it is a table. */
export function tableReader(name: string): Reader | undefined {
  return readers.find(reader => reader.table && reader.extensions.includes(extension(name)));
}

function extension(name: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(name.replace(/\.gz$/, ''))?.[1]?.toLowerCase() ?? '';
}
