/** What was read in parts, brought to what one process would have read: each part alone cannot tell. */
import type { Dataset } from '../data/dataset.js';
import { MOST_LEVELS, tooManyLevels } from '../data/readers/tables/table-features.js';
import { selectQueries } from '../data/split.js';
import { StringTableBuilder } from '../data/string-table.js';
import { ListwiseError, plural } from '../errors.js';
import { fromMessage, toMessage } from './dataset-message.js';
import { gatherNumbers, gatherValues } from './gathered.js';
import { ofAll } from './together.js';
import type { Transport } from './transport.js';

/** A part without documents is as the others are otherwise; undefined where no rank has any. */
export function likeOthers(ranks: Transport, part: Dataset | undefined): Dataset | undefined {
  const rows = gatherNumbers(ranks, Float64Array.of(part?.rows ?? 0));
  if (rows.every(own => own > 0)) return part;
  const first = rows.findIndex(own => own > 0);
  if (first < 0) return undefined;
  const sent =
    ranks.rank === first ? { message: toMessage(selectQueries(part!, [])), description: part!.description } : undefined;
  const { message, description } = gatherValues(ranks, sent)[first]!;
  return part !== undefined && part.rows > 0 ? part : fromMessage(message).with({ description });
}

/**
 * Weights of a side file are those of documents or of queries, as their number says: of queries of one document each
 * other parts must tell.
 */
export function weightedAlike(ranks: Transport, part: Dataset | undefined, file: string): Dataset | undefined {
  const { rows = 0, queries = 0 } = part ?? {};
  const own = part?.queryWeights === undefined ? 'document' : 'query';
  const found = gatherValues(ranks, { rows, queries, each: rows === queries ? undefined : own });
  const kinds = new Set(found.flatMap(({ each }) => each ?? []));
  if (kinds.size > 1) {
    const sum = (of: (one: (typeof found)[number]) => number) => found.reduce((total, one) => total + of(one), 0);
    const values = sum(one => (one.each === 'query' ? one.queries : one.rows));
    const queries = plural(
      sum(one => one.queries),
      'query',
      'queries',
    );
    const detail = `${values} weights for ${sum(one => one.rows)} documents in ${queries}; there must be one a document or one a query`;
    throw ofAll(new ListwiseError('row-count', detail, { file }));
  }
  if (part === undefined || part.queryWeights !== undefined || !kinds.has('query')) return part;
  return part.with({ rowWeights: undefined, queryWeights: part.rowWeights });
}

/** Documents of a part without ids are among others that have some. */
export function withIdsAlike(ranks: Transport, part: Dataset): Dataset {
  const some = gatherValues(ranks, part.documentIds !== undefined).includes(true);
  if (!some || part.documentIds !== undefined) return part;
  const ids = new StringTableBuilder();
  for (let row = 0; row < part.rows; row++) ids.add('');
  return part.with({ documentIds: ids.finish() });
}

/** Levels of categories are numbered in the order in which all data has them. */
export function withLevelsOfAll(ranks: Transport, part: Dataset): Dataset {
  const { description, featureNames } = part;
  if (description === undefined) return part;
  const found = gatherValues(ranks, description.categories);
  const categories: Record<string, readonly string[]> = {};
  for (const [name, own] of Object.entries(description.categories)) {
    const levels = [...new Set(found.flatMap(others => others[name] ?? []))];
    if (levels.length > MOST_LEVELS) throw ofAll(tooManyLevels(name));
    categories[name] = levels;
    const numbers = new Map(levels.map((level, code) => [level, code]));
    const codes = Float32Array.from(own, level => numbers.get(level)!);
    if (codes.some((code, before) => code !== before)) recode(part, featureNames.indexOf(name), codes);
  }
  return part.with({ description: { ...description, categories } });
}

/** In place: the data was just read, and nobody else has it. */
function recode({ blocks }: Dataset, feature: number, codes: Float32Array): void {
  for (const { data, stride, rows } of blocks) {
    const values = data.subarray(feature * stride, feature * stride + rows);
    for (let i = 0; i < values.length; i++) values[i] = codes[values[i]!] ?? Number.NaN;
  }
}
