/**
 * Levels of categories by name, as version 3.1 and later keep them of data frames beside the trees. Splits know them by
 * their codes, which are their places here; older versions do not look at the names.
 */
import type { TreesModel } from '../../models/trees/trees.js';
import { isByCategory } from '../categories.js';
import type { Columns } from '../features.js';
import type { JsonReader } from '../json-reader.js';
import type { XgboostObject } from './xgboost-text.js';

/** Types of whole numbers without a sign, as XGBoost numbers them: UBJSON has these bits as numbers with one. */
const UNSIGNED_BITS: ReadonlyMap<number, number> = new Map([
  [12, 16],
  [14, 32],
]);

/** Levels by name, as version 3.1 and later keep them of data frames; a feature without any is a number. */
export function namedLevels(
  model: JsonReader,
  names: readonly string[] | undefined,
): Record<string, readonly string[]> {
  if (names === undefined || !model.has('cats')) return {};
  const encodings = model.at('cats', 'enc').list();
  const levels = encodings.map(column => {
    const values = column.has('values') ? column.at('values').numbers() : [];
    if (!column.has('offsets')) {
      const bits = UNSIGNED_BITS.get(column.at('type').whole(0));
      return values.map(value => String(value < 0 && bits !== undefined ? value + 2 ** bits : value));
    }
    const bytes = Uint8Array.from(values);
    const offsets = column.at('offsets').numbers();
    return offsets.slice(1).map((end, i) => new TextDecoder().decode(bytes.subarray(offsets[i], end)));
  });
  return Object.fromEntries(names.flatMap((name, f) => (levels[f]?.length ? [[name, levels[f]]] : [])));
}

/**
 * Levels by the column of their category, where all that are split have names: XGBoost has those of all or of none.
 */
export function namedCategories(
  model: TreesModel,
  { of }: Columns,
): ReadonlyMap<number, readonly string[]> | undefined {
  const named = new Map(
    model.featureNames.flatMap((name, f) => {
      const levels = model.description?.categories[name];
      return levels === undefined || levels.length === 0 ? [] : [[of[f]!, levels] as const];
    }),
  );
  const split = splitCategories(model, of);
  return split.size > 0 && [...split].every(column => named.has(column)) ? named : undefined;
}

/** Columns that trees split by category. */
export function splitCategories({ trees }: TreesModel, columns: Int32Array): Set<number> {
  return new Set(
    trees.flatMap(tree =>
      Array.from(tree.feature).flatMap((feature, node) => (isByCategory(tree, node) ? [columns[feature]!] : [])),
    ),
  );
}

/** Levels as UTF-8, one after the other, with the place where each begins; and their order by bytes with a sign. */
export function writtenLevels(named: ReadonlyMap<number, readonly string[]>, width: number): XgboostObject {
  const columns = Array.from({ length: width }, (_, column) =>
    (named.get(column) ?? []).map(level => new Int8Array(new TextEncoder().encode(level))),
  );
  let listed = 0;
  const ends = columns.map(levels => (listed += levels.length));
  return {
    enc: columns.map(levels => {
      let bytes = 0;
      const offsets = levels.map(level => (bytes += level.length));
      return {
        offsets: Int32Array.from(levels.length === 0 ? [] : [0, ...offsets]),
        // No array of bytes with a sign: UBJSON of older versions has none.
        values: levels.flatMap(level => [...level]),
      };
    }),
    feature_segments: Int32Array.from([0, ...ends]),
    sorted_idx: Int32Array.from(
      columns.flatMap(levels => [...levels.keys()].sort((a, b) => byBytes(levels[a]!, levels[b]!))),
    ),
  };
}

function byBytes(a: Int8Array, b: Int8Array): number {
  const different = a.findIndex((byte, i) => byte !== b[i]);
  return different < 0 || different >= b.length ? a.length - b.length : a[different]! - b[different]!;
}
