/** Reads the part of the data that a rank has. All ranks must see the same files. */
import { alignFeatures } from '../data/align-features.js';
import type { Dataset } from '../data/dataset.js';
import type { DataDescription } from '../data/description.js';
import { fingerprint } from '../data/fingerprint.js';
import { IdNumbers } from '../data/id-numbers.js';
import { positionsFromOne } from '../data/read/positions.js';
import { findReader, readInputs, settleFeatures } from '../data/read/read.js';
import { readDataset } from '../data/read/read-dataset.js';
import { factsInWords, type ReadFact } from '../data/read/read-notes.js';
import { resolveData } from '../data/read/resolve-data.js';
import { findSideFiles } from '../data/read/side-files.js';
import type { Reader, ReadOptions } from '../data/readers/reader.js';
import { selectQueries } from '../data/split.js';
import { ListwiseError, quote } from '../errors.js';
import { digestOf } from '../io/identity.js';
import type { Input } from '../io/inputs.js';
import { agree } from './agree.js';
import { likeOthers, weightedAlike, withIdsAlike, withLevelsOfAll } from './alike-parts.js';
import { type Cut, cutFiles, dealFiles, firstLine, inWholeFile, lookOf } from './file-share.js';
import { gatherNumbers, gatherValues } from './gathered.js';
import { ofAll, together } from './together.js';
import type { Transport } from './transport.js';

export async function readShare(ranks: Transport, data: string, options: ReadOptions): Promise<Dataset> {
  if (ranks.size === 1) return readDataset(data, options);
  const { inputs, described, files } = await together(ranks, async () => {
    const { inputs, options: described } = await resolveData(data, options);
    if (inputs.some(({ path }) => path === undefined)) {
      throw new ListwiseError('option-invalid', 'several ranks read files, which each of them can open; give no pipe');
    }
    const looks = inputs.map(async input => `${input.name} (${input.size} bytes, ${await lookOf(input)})`);
    return { inputs, described, files: await Promise.all(looks) };
  });
  agree(ranks, { 'the files of the data': files.join(', ') });
  const dealt = await together(ranks, () => dealInputs(inputs, described, ranks.size));
  const own = dealt && (await readPart(ranks, dealt, described));
  if (own !== undefined) return placed(ranks, own);
  const all = await together(ranks, () => readInputs(inputs, described));
  agree(ranks, { 'the contents of the data': fingerprint(all) });
  return placed(ranks, partOfRank(ranks, all));
}

/** With its place in all data. */
function placed(ranks: Transport, data: Dataset): Dataset {
  const counts = gatherValues(ranks, { rows: data.rows, queries: data.queries });
  const sum = (key: 'rows' | 'queries', of = counts) => of.reduce((total, own) => total + own[key], 0);
  const before = counts.slice(0, ranks.rank);
  const share = {
    firstRow: sum('rows', before),
    firstQuery: sum('queries', before),
    rows: sum('rows'),
    queries: sum('queries'),
  };
  return data.with({ share });
}

/** Undefined where rows or features of one file depend on others. */
async function dealInputs(inputs: readonly Input[], options: ReadOptions, ranks: number) {
  const reader = findReader(inputs, options);
  const { queryOfLine, queryByHeader, table, sql } = reader;
  const { labelFiles, group, outsideQueries, description, judgments = description?.judgments } = options;
  if ([group, outsideQueries, judgments, labelFiles?.[0]].some(other => other !== undefined)) return undefined;
  const sides = await findSideFiles(inputs, options);
  // Groups may be numbered over all files.
  if (sides.groups.length > 0) return undefined;
  // A query is over all that there is.
  const byFile = (table && !sql) || queryOfLine !== undefined;
  if (byFile && inputs.length >= ranks) return { inputs: dealFiles(inputs, ranks), sides, reader, doubtful: false };
  if (Object.values(sides).some(files => files.length > 0) || inputs.some(({ gzip }) => gzip)) return undefined;
  const cuts: Cut[] = [];
  for (const input of queryOfLine || queryByHeader ? inputs : []) {
    const cut = queryOfLine ? { queryOf: queryOfLine } : await cutOfTable(input, reader, options);
    if (cut !== undefined) cuts.push(cut);
  }
  if (cuts.length < inputs.length) return undefined;
  return { inputs: await cutFiles(inputs, ranks, cuts), sides, reader, doubtful: queryOfLine === undefined };
}

async function cutOfTable(input: Input, { queryByHeader }: Reader, options: ReadOptions): Promise<Cut | undefined> {
  const header = await firstLine(input);
  if (header === undefined) return undefined;
  try {
    const queryOf = queryByHeader!(Buffer.from(header).toString('utf8').trimEnd(), options, input.name);
    return queryOf && { queryOf, header };
  } catch (error) {
    // What is wrong with the columns is found again by whoever reads all.
    if (error instanceof ListwiseError) return undefined;
    throw error;
  }
}

/** Undefined where the ranks found features or kinds of columns that are not those of one another, or nothing. */
async function readPart(
  ranks: Transport,
  { inputs: dealt, sides, reader, doubtful }: NonNullable<Awaited<ReturnType<typeof dealInputs>>>,
  options: ReadOptions,
): Promise<Dataset | undefined> {
  const inputs = dealt[ranks.rank]!;
  const { note = () => {} } = options;
  const told: ReadFact[] = [];
  const asked = { ...options, note: (text: string) => told.push({ text }), part: { told } };
  const own = await together(ranks, async () => {
    if (inputs.length === 0) return undefined;
    return readInputs(inputs, asked).catch(async error => {
      if (doubtful && error instanceof ListwiseError) return 'failed' as const;
      throw await inWholeFile(error, inputs);
    });
  });
  // A line may end within a quoted field: pieces that were cut there cannot all be read. Then each rank reads all.
  const failed = gatherValues(ranks, own === 'failed').includes(true);
  const found = failed || own === 'failed' ? undefined : own;
  if (failed) return undefined;
  const weights = sides.weights[0]?.name;
  const some = likeOthers(ranks, weights === undefined ? found : weightedAlike(ranks, found, weights));
  if (some === undefined) return undefined;
  const given = withIdsAlike(ranks, some);
  const fromZero = gatherValues(ranks, given.positions?.includes(0)).includes(true);
  const counted = positionsFromOne(given, text => told.push({ text }), fromZero);
  const names = gatherValues(ranks, counted.featureNames);
  const longest = names.reduce((a, b) => (b.length > a.length ? b : a));
  if (names.some(own => own.some((name, f) => name !== longest[f]))) return undefined;
  if (!alikeTables(gatherValues(ranks, counted.description), names)) return undefined;
  const shared = sharedQuery(gatherValues(ranks, counted.queryIds));
  // One process puts the rows of a query together, wherever they are in a table.
  if (doubtful && shared !== undefined) return undefined;
  const read = withLevelsOfAll(ranks, counted);
  agree(ranks, {
    'what the data has': [
      ...[...read.labels.keys()].map(name => `label ${name}`),
      read.rowWeights && 'weights of documents',
      read.queryWeights && 'weights of queries',
      read.positions && 'positions',
      read.initialScores && 'initial scores',
      read.documentIds && 'ids of documents',
    ]
      .filter(part => part !== undefined)
      .join(', '),
  });
  if (shared !== undefined) throw ofAll(shared);
  for (const text of factsInWords(gatherValues(ranks, told).flat(), longest)) note(text);
  const columns = Int32Array.from(longest, (_, f) => (f < read.features ? f : -1));
  const aligned = alignFeatures(read, longest, columns, options.absent === 'missing' ? Number.NaN : 0);
  const counts = gatherNumbers(ranks, Float64Array.of(read.rows));
  const first = counts.subarray(0, ranks.rank).reduce((sum, count) => sum + count, 0);
  const whole = aligned.with({
    inputRows: Uint32Array.from({ length: read.rows }, (_, row) => first + (read.inputRows?.[row] ?? row)),
  });
  return together(ranks, () => settleFeatures(reader, whole, options));
}

/** Whether tables have the same columns of the same kinds. */
function alikeTables(
  descriptions: readonly (DataDescription | undefined)[],
  names: readonly (readonly string[])[],
): boolean {
  const [first] = descriptions;
  if (first === undefined) return true;
  const facts = (of: DataDescription | undefined) => digestOf([of?.roles, of?.kinds, of?.missing]);
  return (
    descriptions.every(own => facts(own) === facts(first)) && names.every(({ length }) => length === names[0]!.length)
  );
}

/** What is wrong with a query that two ranks read. */
function sharedQuery(ids: readonly (readonly string[])[]): ListwiseError | undefined {
  const seen = new IdNumbers();
  /** How many had been seen when each rank's were done with. */
  const ends: number[] = [];
  for (const [rank, own] of ids.entries()) {
    for (const id of own) {
      const number = seen.get(id);
      if (number !== undefined) {
        const before = ends.findIndex(end => number < end);
        const other = before < 0 ? rank : before;
        return new ListwiseError(
          'query-duplicate',
          `query ${quote(id)} is in what rank ${other} reads and in what rank ${rank} reads; put its rows side by side, in one file`,
        );
      }
      seen.add(id);
    }
    ends.push(seen.size);
  }
  return undefined;
}

/** The queries of a rank, of data that every rank has: of about as many rows as those of any other. */
export function partOfRank({ rank, size }: Transport, data: Dataset): Dataset {
  if (size === 1) return data;
  const cut = (n: number) => data.offsets.findIndex(offset => offset >= (n * data.rows) / size);
  const [first, last] = [cut(rank), rank === size - 1 ? data.queries : cut(rank + 1)];
  return selectQueries(
    data,
    Array.from({ length: last - first }, (_, i) => first + i),
  );
}
