/**
 * Takes queries out of a data set: chosen ones, or a seeded split into parts. Queries stay whole and keep their order.
 */
import { ListwiseError, plural, quote } from '../errors.js';
import { hash32, hashText, seedWord } from '../numeric/random.js';
import { Dataset, type FeatureBlock, sharedFloat64, type UnrankedLabels } from './dataset.js';
import { gatherBlocks } from './feature-blocks.js';
import { queryTimes, queryValues } from './query-values.js';

/**
 * The data set of some queries, in the order given. One unbroken range of queries shares the features' memory; any
 * other choice copies them. `inputRows` keeps naming rows of the original input, so that documents without an id keep
 * theirs.
 *
 * @example
 * import { selectQueries } from 'listwise';
 *
 * const firstTen = selectQueries(
 *   data,
 *   Array.from({ length: 10 }, (_, q) => q),
 * );
 */
export function selectQueries(data: Dataset, queries: ArrayLike<number>): Dataset {
  const offsets = new Uint32Array(new SharedArrayBuffer(4 * (queries.length + 1)));
  for (let i = 0; i < queries.length; i++) {
    const q = queries[i]!;
    if (!(Number.isInteger(q) && q >= 0 && q < data.queries))
      throw new RangeError(`query ${q} of ${data.queries} does not exist`);
    offsets[i + 1] = offsets[i]! + data.offsets[q + 1]! - data.offsets[q]!;
  }
  const rows = new Uint32Array(offsets[queries.length]!);
  for (let i = 0; i < queries.length; i++) {
    const shift = data.offsets[queries[i]!]! - offsets[i]!;
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) rows[row] = row + shift;
  }
  const pick = (values: Float64Array | undefined, at: ArrayLike<number> = rows) =>
    values === undefined ? undefined : pickValues(values, at);
  return new Dataset({
    featureNames: data.featureNames,
    blocks: isRange(queries)
      ? viewRows(data.blocks, rows[0] ?? 0, rows.length)
      : gatherBlocks(data.blocks, rows, offsets, data.features),
    offsets,
    queryIds: Array.from(queries, q => data.queryIds[q]!),
    labels: new Map([...data.labels].map(([name, values]) => [name, pickValues(values, rows)])),
    documentIds: data.documentIds?.select(rows),
    rowWeights: pick(data.rowWeights),
    queryWeights: pick(data.queryWeights, queries),
    positions: pick(data.positions),
    initialScores: pick(data.initialScores),
    inputRows: rows.map(row => data.inputRows?.[row] ?? row),
    unranked: data.unranked && new Map([...data.unranked].map(([name, u]) => [name, pickUnranked(u, queries)])),
    extras: data.extras && new Map([...data.extras].map(([name, texts]) => [name, texts.select(rows)])),
    rounded: data.rounded,
    description: data.description,
    ownLevels: data.ownLevels,
  });
}

function pickValues(values: Float64Array, at: ArrayLike<number>): Float64Array {
  const out = sharedFloat64(at.length);
  for (let i = 0; i < at.length; i++) out[i] = values[at[i]!]!;
  return out;
}

function pickUnranked({ offsets, values }: UnrankedLabels, queries: ArrayLike<number>): UnrankedLabels {
  const parts = Array.from(queries, q => values.subarray(offsets[q]!, offsets[q + 1]!));
  const ends = new Uint32Array(parts.length + 1);
  for (const [i, part] of parts.entries()) ends[i + 1] = ends[i]! + part.length;
  const all = new Float64Array(ends.at(-1)!);
  for (const [i, part] of parts.entries()) all.set(part, ends[i]!);
  return { offsets: ends, values: all };
}

function isRange(queries: ArrayLike<number>): boolean {
  for (let i = 1; i < queries.length; i++) if (queries[i] !== queries[i - 1]! + 1) return false;
  return true;
}

/**
 * `rows` rows from row `from` on, as views of the same memory: a later start within a block leaves its stride as it is.
 */
function viewRows(blocks: readonly FeatureBlock[], from: number, rows: number): FeatureBlock[] {
  const views: FeatureBlock[] = [];
  for (const block of blocks) {
    const first = Math.max(block.start, from);
    const end = Math.min(block.start + block.rows, from + rows);
    if (first >= end) continue;
    const data = block.data.subarray(first - block.start);
    views.push({ start: first - from, rows: end - first, stride: block.stride, data });
  }
  return views;
}

/**
 * Query numbers in an order that depends on the seed and the queries' ids alone, not on where they stand in the data.
 */
export function seededQueryOrder(queryIds: readonly string[], seed: number): number[] {
  const key = seedWord(seed);
  const hashes = queryIds.map(id => hash32(key, hashText(id)));
  const byId = (a: number, b: number) => (queryIds[a]! < queryIds[b]! ? -1 : 1);
  return Array.from(queryIds, (_, q) => q).sort((a, b) => hashes[a]! - hashes[b]! || byId(a, b));
}

function badShares(shares: readonly number[]): ListwiseError {
  const sum = shares.reduce((total, share) => total + share, 0);
  return new ListwiseError(
    'option-invalid',
    `the shares of a split are numbers above 0 that sum to 1, found ${shares.join(',')} (sum ${Number(sum.toPrecision(6))})`,
  );
}

/** The query numbers of each part of a split, rising within a part; see `splitByQuery`. */
export function splitQueryNumbers(queryIds: readonly string[], shares: readonly number[], seed: number): number[][] {
  const sum = shares.reduce((total, share) => total + share, 0);
  if (!shares.every(share => share > 0) || Math.abs(sum - 1) > 1e-6) throw badShares(shares);
  const order = seededQueryOrder(queryIds, seed);
  let share = 0;
  let start = 0;
  return shares.map((part, p) => {
    share += part;
    const end = p === shares.length - 1 ? order.length : Math.round(share * order.length);
    if (end === start) {
      throw new ListwiseError(
        'option-invalid',
        `${queryIds.length === 1 ? '1 query is' : `${queryIds.length} queries are`} too few for the split ${shares.map(share => Number(share.toPrecision(6))).join(',')}: part ${p + 1} would hold none`,
      );
    }
    const numbers = order.slice(start, end).sort((a, b) => a - b);
    start = end;
    return numbers;
  });
}

/**
 * Splits by the values of a column: queries with one value stay together. Times and numbers go in their order, the
 * earliest to the first part; other values in a seeded one. `ordered` says which it was.
 */
export function splitByColumn(
  data: Dataset,
  column: string,
  shares: readonly number[],
  seed: number,
): { parts: Dataset[]; ordered: boolean } {
  const times = queryTimes(data, column);
  const values = times?.map(String) ?? queryValues(data, column);
  const groups = new Map<string, number[]>();
  for (const [q, value] of values.entries()) {
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [q]);
    else group.push(q);
  }
  const names = [...groups.keys()];
  const order = times
    ? names.sort((a, b) => Number(a) - Number(b))
    : seededQueryOrder(names, seed).map(group => names[group]!);
  const sum = shares.reduce((total, share) => total + share, 0);
  if (Math.abs(sum - 1) > 1e-6) throw badShares(shares);
  const parts: number[][] = shares.map(() => []);
  let done = 0;
  let part = 0;
  let end = shares[0]!;
  for (const name of order) {
    const queries = groups.get(name)!;
    // A value goes where its middle falls.
    while (part < shares.length - 1 && (done + queries.length / 2) / data.queries > end) end += shares[++part]!;
    for (const q of queries) parts[part]!.push(q);
    done += queries.length;
  }
  const empty = parts.findIndex(queries => queries.length === 0);
  if (empty >= 0) {
    throw new ListwiseError(
      'option-invalid',
      `${plural(names.length, 'value')} of ${quote(column)} are too few for the split ${shares.join(',')}: part ${empty + 1} would hold none`,
    );
  }
  return {
    parts: parts.map(queries =>
      selectQueries(
        data,
        queries.sort((a, b) => a - b),
      ),
    ),
    ordered: times !== undefined,
  };
}

/**
 * Splits by query into parts of the given shares, which sum to 1: disjoint and together complete. Which part a query
 * falls into depends on the seed and the set of query ids; within a part queries keep their order.
 *
 * @example
 * import { splitByQuery } from 'listwise';
 *
 * const [fit, held] = splitByQuery(data, [0.8, 0.2], 1);
 */
export function splitByQuery(data: Dataset, shares: readonly number[], seed: number): Dataset[] {
  return splitQueryNumbers(data.queryIds, shares, seed).map(numbers => selectQueries(data, numbers));
}
