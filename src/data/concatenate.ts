/** Several data sets with different queries as one. */

import { ListwiseError, quote } from '../errors.js';
import { alignFeatures } from './align-features.js';
import { Dataset, type FeatureBlock, sharedFloat64, type UnrankedLabels } from './dataset.js';
import { IdNumbers } from './id-numbers.js';
import { StringTableBuilder } from './string-table.js';

/**
 * Data sets one after another, features matched by name; `absent` is the value of a feature that a part lacks.
 *
 * @example
 * import { concatenate } from 'listwise';
 *
 * const all = concatenate([data, test]);
 */
export function concatenate(parts: readonly Dataset[], absent = 0): Dataset {
  if (parts.length === 0) throw new ListwiseError('data-empty', 'no data sets to put together');
  if (parts.length === 1) return parts[0]!;
  const aligned = unifyFeatures(parts, absent);
  const rowsBefore = runningTotals(aligned.map(part => part.rows));
  const queriesBefore = runningTotals(aligned.map(part => part.queries));
  const offsets = new Uint32Array(new SharedArrayBuffer(4 * (queriesBefore.at(-1)! + 1)));
  for (const [p, part] of aligned.entries()) {
    for (let q = 1; q <= part.queries; q++) offsets[queriesBefore[p]! + q] = rowsBefore[p]! + part.offsets[q]!;
  }
  const labelNames = new Set(aligned.flatMap(part => [...part.labels.keys()]));
  const byRow = (of: (part: Dataset) => Float64Array | undefined, otherwise: number) =>
    join(aligned, rowsBefore, of, otherwise);
  return new Dataset({
    featureNames: aligned[0]!.featureNames,
    blocks: aligned.flatMap((part, p) =>
      part.blocks.map(block => ({ ...block, start: block.start + rowsBefore[p]! }) satisfies FeatureBlock),
    ),
    offsets,
    queryIds: distinctIds(aligned),
    labels: new Map([...labelNames].map(name => [name, byRow(part => part.labels.get(name), Number.NaN)!])),
    documentIds: joinDocumentIds(aligned),
    rowWeights: byRow(part => part.rowWeights, 1),
    queryWeights: join(aligned, queriesBefore, part => part.queryWeights, 1),
    positions: byRow(part => part.positions, Number.NaN),
    initialScores: byRow(part => part.initialScores, 0),
    inputRows: joinInputRows(aligned, rowsBefore),
    unranked: joinUnranked(aligned, queriesBefore),
    description: aligned[0]!.description,
    ownLevels: aligned[0]!.ownLevels,
  });
}

/** The data sets with the same features in the same order: all that occur, in order of first occurrence. */
export function unifyFeatures(parts: readonly Dataset[], absent = 0): Dataset[] {
  const names = [...new Set(parts.flatMap(part => part.featureNames))];
  return parts.map(part => {
    const columns = new Map(part.featureNames.map((name, f) => [name, f]));
    return alignFeatures(
      part,
      names,
      Int32Array.from(names, name => columns.get(name) ?? -1),
      absent,
    );
  });
}

/** 0, then the sum of the first, of the first two, …, of all. */
function runningTotals(counts: readonly number[]): number[] {
  const totals = [0];
  for (const count of counts) totals.push(totals.at(-1)! + count);
  return totals;
}

function distinctIds(parts: readonly Dataset[]): string[] {
  const seen = new IdNumbers();
  for (const id of parts.flatMap(part => part.queryIds)) {
    if (seen.has(id)) {
      throw new ListwiseError(
        'query-duplicate',
        `query ${quote(id)} is in two of the data sets; each query may be in one`,
      );
    }
    seen.add(id);
  }
  return seen.ids();
}

function join(
  parts: readonly Dataset[],
  before: readonly number[],
  of: (part: Dataset) => Float64Array | undefined,
  otherwise: number,
): Float64Array | undefined {
  if (parts.every(part => of(part) === undefined)) return undefined;
  const out = sharedFloat64(before.at(-1)!).fill(otherwise);
  for (const [p, part] of parts.entries()) {
    const values = of(part);
    if (values !== undefined) out.set(values, before[p]!);
  }
  return out;
}

function joinDocumentIds(parts: readonly Dataset[]) {
  if (parts.every(part => part.documentIds === undefined)) return undefined;
  const ids = new StringTableBuilder();
  for (const part of parts) for (let row = 0; row < part.rows; row++) ids.add(part.documentIds?.get(row) ?? '');
  return ids.finish();
}

/** Each data set's own input rows; parts of one input thereby keep the rows they had in it. */
function joinInputRows(parts: readonly Dataset[], rowsBefore: readonly number[]): Uint32Array | undefined {
  if (parts.every(part => part.inputRows === undefined)) return undefined;
  const out = new Uint32Array(rowsBefore.at(-1)!);
  for (const [p, part] of parts.entries()) {
    for (let row = 0; row < part.rows; row++) out[rowsBefore[p]! + row] = part.inputRows?.[row] ?? row;
  }
  return out;
}

function joinUnranked(parts: readonly Dataset[], queriesBefore: readonly number[]) {
  const names = new Set(parts.flatMap(part => [...(part.unranked?.keys() ?? [])]));
  if (names.size === 0) return undefined;
  const joined = new Map<string, UnrankedLabels>();
  for (const name of names) {
    const offsets = new Uint32Array(queriesBefore.at(-1)! + 1);
    const values: number[] = [];
    for (const [p, part] of parts.entries()) {
      const own = part.unranked?.get(name);
      for (let q = 0; q < part.queries; q++) {
        offsets[queriesBefore[p]! + q + 1] = values.length + (own?.offsets[q + 1] ?? 0);
      }
      if (own !== undefined) for (const value of own.values) values.push(value);
    }
    joined.set(name, { offsets, values: Float64Array.from(values) });
  }
  return joined;
}
