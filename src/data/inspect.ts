/** What a person should know about data: sizes, labels, features, queries that teach nothing, repeated rows. */
import { atOnce, partOf, type Steps } from '../steps.js';
import type { Dataset, FeatureBlock } from './dataset.js';
import { exactTexts } from './exact-texts.js';
import { PRIMARY_LABEL } from './primary-label.js';

export interface LabelCount {
  /** NaN for documents that lack the label. */
  readonly value: number;
  /** Where the distinct values are too many to list: the upper end of the range that starts at `value`. */
  readonly to?: number;
  readonly count: number;
}

export interface FeatureSummary {
  readonly name: string;
  /** NaN where every value is missing. */
  readonly min: number;
  readonly max: number;
  /** How many documents lack it. */
  readonly missing: number;
  /** The same for every document: one value, or missing throughout. */
  readonly constant: boolean;
  /** Set where it is the same for all documents of each query, so that by itself it cannot rank them. */
  readonly constantInQueries?: boolean;
  /** The first feature that has the same value for every document. */
  readonly sameAs?: string;
  /** Smallest and largest as they are written, where float32 does not hold the feature's whole numbers. */
  readonly written?: { readonly min: string; readonly max: string };
}

export interface Inspection {
  readonly queries: number;
  readonly documents: number;
  readonly perQuery: { readonly min: number; readonly mean: number; readonly max: number };
  readonly labels: Readonly<Record<string, readonly LabelCount[]>>;
  readonly features: readonly FeatureSummary[];
  /** Queries without any label above 0 in the primary source. */
  readonly emptyQueries: number;
  /** Rows that equal an earlier row of the same query in every feature. */
  readonly duplicateRows: number;
}

/** More distinct labels than this are counted in ranges. */
export const MAX_DISTINCT_LABELS = 50;
const RANGES = 20;

/**
 * Size, labels and features of a data set, and what is odd about them.
 *
 * @example
 * import { inspectDataset } from 'listwise';
 *
 * const { features } = inspectDataset(data);
 * console.log(features.map(({ name }) => name));
 */
export function inspectDataset(data: Dataset): Inspection {
  return atOnce(inspectSteps(data));
}

/** As `inspectDataset`, step by step. */
export function* inspectSteps(data: Dataset): Steps<Inspection> {
  return {
    queries: data.queries,
    documents: data.rows,
    perQuery: queryLengths(data),
    labels: Object.fromEntries([...data.labels].map(([name, values]) => [name, countLabels(values)])),
    features: yield* partOf(summariseAll(data), 0, 0.5),
    emptyQueries: countEmpty(data),
    duplicateRows: yield* partOf(countDuplicates(data), 0.5, 1),
  };
}

function queryLengths(data: Dataset): Inspection['perQuery'] {
  let min = Infinity;
  let max = 0;
  for (let q = 0; q < data.queries; q++) {
    const length = data.offsets[q + 1]! - data.offsets[q]!;
    min = Math.min(min, length);
    max = Math.max(max, length);
  }
  return { min, mean: data.rows / data.queries, max };
}

/** Each value with its count, smallest first; in ranges of equal width where the values are many. */
export function countLabels(values: Float64Array): LabelCount[] {
  const counts = new Map<number, number>();
  let missing = 0;
  for (const value of values) {
    if (Number.isNaN(value)) missing++;
    else if (counts.size <= MAX_DISTINCT_LABELS) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const list =
    counts.size > MAX_DISTINCT_LABELS
      ? countRanges(values)
      : [...counts].map(([value, count]): LabelCount => ({ value, count })).sort((a, b) => a.value - b.value);
  if (missing > 0) list.push({ value: Number.NaN, count: missing });
  return list;
}

function countRanges(values: Float64Array): LabelCount[] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  // Halved, so that a range of the largest numbers does not overflow.
  const width = (high / 2 - low / 2) / (RANGES / 2);
  const counts = new Float64Array(RANGES);
  for (const value of values) {
    if (!Number.isNaN(value)) counts[Math.min(RANGES - 1, Math.floor((value - low) / width))]!++;
  }
  return Array.from(counts, (count, i) => ({
    value: low + i * width,
    to: i === RANGES - 1 ? high : low + (i + 1) * width,
    count,
  }));
}

function* summariseAll(data: Dataset): Steps<FeatureSummary[]> {
  const summaries: FeatureSummary[] = [];
  /** Features by the hash of their values: nearly always one each. */
  const seen = new Map<number, number[]>();
  for (const [f, name] of data.featureNames.entries()) {
    const summary = summarise(data, name, f);
    const hash = hashColumn(data, f);
    const alike = seen.get(hash);
    // Constant ones are said to be that; of numbers that float32 does not hold it is not known.
    const known = summary.constant || summary.written !== undefined;
    const same = known ? undefined : alike?.find(other => sameColumn(data, f, other));
    if (alike === undefined) seen.set(hash, [f]);
    else if (same === undefined) alike.push(f);
    summaries.push({
      ...summary,
      ...(!summary.constant && isConstantInQueries(data, f) && { constantInQueries: true }),
      ...(same !== undefined && { sameAs: data.featureNames[same]! }),
    });
    yield (f + 1) / data.features;
  }
  return summaries;
}

function hashColumn(data: Dataset, feature: number): number {
  let hash = 0;
  for (let row = 0; row < data.rows; row++) hash = mixed(hash, data.feature(row, feature));
  return hash;
}

const sameValue = (x: number, y: number) => x === y || (Number.isNaN(x) && Number.isNaN(y));

function sameColumn(data: Dataset, a: number, b: number): boolean {
  for (let row = 0; row < data.rows; row++) {
    if (!sameValue(data.feature(row, a), data.feature(row, b))) return false;
  }
  return true;
}

function isConstantInQueries(data: Dataset, feature: number): boolean {
  // Whole numbers that float32 does not hold may differ where it is the same.
  const texts = exactTexts(data, data.featureNames[feature]!);
  const same = (row: number, first: number) =>
    sameValue(data.feature(row, feature), data.feature(first, feature)) && texts?.(row) === texts?.(first);
  for (let q = 0; q < data.queries; q++) {
    const first = data.offsets[q]!;
    for (let row = first + 1; row < data.offsets[q + 1]!; row++) if (!same(row, first)) return false;
  }
  return true;
}

function summarise(data: Dataset, name: string, feature: number): FeatureSummary {
  let min = Infinity;
  let max = -Infinity;
  let missing = 0;
  for (const block of data.blocks) {
    const base = feature * block.stride;
    for (let i = base; i < base + block.rows; i++) {
      const value = block.data[i]!;
      if (Number.isNaN(value)) missing++;
      else {
        if (value < min) min = value;
        if (value > max) max = value;
      }
    }
  }
  const none = missing === data.rows;
  const written = none ? undefined : exactRange(data, name, feature);
  const constant = written === undefined ? min === max : written.min === written.max;
  return {
    name,
    min: none ? Number.NaN : Number(written?.min ?? min),
    max: none ? Number.NaN : Number(written?.max ?? max),
    missing,
    constant: none || (missing === 0 && constant),
    ...(written && { written }),
  };
}

/** The range of a feature's whole numbers as they are written; undefined where that is not known. */
function exactRange(data: Dataset, name: string, feature: number): FeatureSummary['written'] {
  const texts = exactTexts(data, name);
  if (texts === undefined) return undefined;
  const exact = (row: number) =>
    /^-?\d+$/.test(texts(row)) ? BigInt(texts(row)) : BigInt(Math.round(data.feature(row, feature)));
  let min: bigint | undefined;
  let max: bigint | undefined;
  for (let row = 0; row < data.rows; row++) {
    if (Number.isNaN(data.feature(row, feature))) continue;
    const value = exact(row);
    if (min === undefined || value < min) min = value;
    if (max === undefined || value > max) max = value;
  }
  return { min: String(min), max: String(max) };
}

/** The label source that "empty" is decided by: the primary one, or the first where there is none. */
export function decidingSource(data: Dataset): string | undefined {
  return data.labels.has(PRIMARY_LABEL) ? PRIMARY_LABEL : data.labels.keys().next().value;
}

function countEmpty(data: Dataset): number {
  const source = decidingSource(data);
  if (source === undefined) return data.queries;
  const labels = data.label(source);
  let empty = 0;
  for (let q = 0; q < data.queries; q++) {
    let some = false;
    for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) some ||= labels[row]! > 0;
    if (!some) empty++;
  }
  return empty;
}

function* countDuplicates(data: Dataset): Steps<number> {
  let duplicates = 0;
  for (let q = 0; q < data.queries; q++) {
    const from = data.offsets[q]!;
    const rows = data.offsets[q + 1]! - from;
    const block = data.blockOf(from);
    const hashes = hashRows(block, from - block.start, rows, data.features);
    // Rows of one hash that differ from each other; nearly always one.
    const seen = new Map<number, number[]>();
    for (let i = 0; i < rows; i++) {
      const row = from - block.start + i;
      const same = seen.get(hashes[i]!);
      if (same === undefined) seen.set(hashes[i]!, [row]);
      else if (same.some(other => equalRows(block, other, row, data.features))) duplicates++;
      else same.push(row);
    }
    yield (q + 1) / data.queries;
  }
  return duplicates;
}

/** A 32-bit hash of each row's features, column by column; equal rows have equal hashes. */
function hashRows(block: FeatureBlock, from: number, rows: number, features: number): Int32Array {
  const hashes = new Int32Array(rows).fill(0x811c9dc5);
  for (let f = 0; f < features; f++) {
    const base = f * block.stride + from;
    for (let i = 0; i < rows; i++) hashes[i] = mixed(hashes[i]!, block.data[base + i]!);
  }
  return hashes;
}

const value = new Float32Array(1);
const bits = new Int32Array(value.buffer);

/** A hash with one more value in it. */
function mixed(hash: number, cell: number): number {
  value[0] = cell === 0 ? 0 : Number.isNaN(cell) ? Number.NaN : cell; // -0 equals 0, and any NaN any other
  const h = Math.imul(hash ^ bits[0]!, 0x85ebca6b);
  return h ^ (h >>> 15);
}

function equalRows(block: FeatureBlock, a: number, b: number, features: number): boolean {
  for (let f = 0; f < features; f++) {
    if (!sameValue(block.data[f * block.stride + a]!, block.data[f * block.stride + b]!)) return false;
  }
  return true;
}
