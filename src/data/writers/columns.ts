/** A data set as named columns, in the order in which tables are written; names are those that reading recognises. */
import { ListwiseError, quote } from '../../errors.js';
import type { Dataset } from '../dataset.js';
import { exactNumbers } from '../exact-texts.js';
import { PRIMARY_LABEL } from '../primary-label.js';
import { queryOfRow } from '../query-of-row.js';
import { LABEL_PREFIX, writtenNames } from '../readers/tables/roles.js';

export type OutputColumn =
  | { readonly kind: 'text'; readonly name: string; at(row: number): string }
  | { readonly kind: 'number'; readonly name: string; at(row: number): number }
  | {
      readonly kind: 'feature';
      readonly name: string;
      readonly feature: number;
      /** The number as it is written in the input, where it is a plain one that float32 does not hold. */
      exact?(row: number): string | undefined;
    };

/** Query, document, labels, weight, position, initial score, then the features. */
export function outputColumns(data: Dataset): OutputColumn[] {
  const columns: OutputColumn[] = [];
  const queries = queryOfRow(data);
  columns.push({ kind: 'text', name: writtenNames.query, at: row => data.queryIds[queries[row]!]! });
  const ids = data.documentIds;
  if (ids !== undefined) columns.push({ kind: 'text', name: writtenNames.document, at: row => ids.get(row) });
  const number = (name: string, values: Float64Array | undefined) => {
    if (values !== undefined) columns.push({ kind: 'number', name, at: row => values[row]! });
  };
  for (const [name, values] of data.labels) {
    number(name === PRIMARY_LABEL ? writtenNames.label : LABEL_PREFIX + name, values);
  }
  number(writtenNames.weight, data.rowWeights);
  number(writtenNames.position, data.positions);
  number(writtenNames.initialScore, data.initialScores);
  for (const [feature, name] of data.featureNames.entries()) {
    const levels = data.description?.categories[name];
    const exact = exactNumbers(data, name);
    if (levels === undefined) columns.push({ kind: 'feature', name, feature, ...(exact && { exact }) });
    else columns.push({ kind: 'text', name, at: row => levels[data.feature(row, feature)] ?? '' });
  }
  checkNames(columns);
  return columns;
}

/** Names must differ in more than case, since DuckDB reads them. */
function checkNames(columns: readonly OutputColumn[]): void {
  const seen = new Map<string, string>();
  for (const { name } of columns) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined || name === '') {
      throw new ListwiseError(
        'feature-duplicate',
        name === ''
          ? 'a feature has no name; a table needs one'
          : `two columns would be called ${quote(name)}${other === name ? '' : ` and ${quote(other!)}`}; rename the feature`,
      );
    }
    seen.set(name.toLowerCase(), name);
  }
}

/** Calls back for every row in order, with a function that gives a feature of that row. */
export async function forEachRow(
  data: Dataset,
  each: (row: number, feature: (f: number) => number) => void,
  pause: () => Promise<void>,
  progress: (rows: number) => void = () => {},
): Promise<void> {
  for (const block of data.blocks) {
    let local = 0;
    const feature = (f: number) => block.data[f * block.stride + local]!;
    for (local = 0; local < block.rows; local++) {
      each(block.start + local, feature);
      if (local % 256 < 255 && local < block.rows - 1) continue;
      progress((local % 256) + 1);
      await pause();
    }
  }
}
