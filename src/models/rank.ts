/** Puts documents in order, features given by name. Browsers use this, too: nothing here needs Node. */
import { daysOf } from '../data/readers/tables/cell-dates.js';
import { few, ListwiseError, plural, quote } from '../errors.js';
import type { Ranker } from './ranker.js';

/**
 * The value of a feature; null, undefined and NaN are missing. Texts are levels of categories, or dates.
 *
 * @example
 * import type { FeatureValue } from 'listwise/models';
 *
 * const features: Record<string, FeatureValue> = { price: 80, inStock: true, brand: 'Acme', rating: null };
 */
export type FeatureValue = number | boolean | string | Date | null | undefined;

/**
 * What can be ranked: features by name, beside whatever else the document has.
 *
 * @example
 * import type { Rankable } from 'listwise';
 *
 * const product: Rankable & { sku: string } = { sku: 'a1', features: { price: 80, brand: 'Acme', rating: null } };
 */
export interface Rankable {
  readonly features: Readonly<Record<string, FeatureValue>>;
}

/**
 * A document in its place.
 *
 * @example
 * import { rank, type Ranked } from 'listwise';
 *
 * const top: Ranked<{ id: string; features: { bm25: number } }>[] = rank(model, [{ id: 'a', features: { bm25: 2 } }]);
 */
export interface Ranked<D> {
  readonly document: D;
  readonly score: number;
  /** From 1. */
  readonly rank: number;
}

/**
 * How documents are ranked.
 *
 * @example
 * import type { RankOptions } from 'listwise';
 *
 * const options: RankOptions = { others: 'ignore', note: text => console.warn(text) };
 */
export interface RankOptions {
  /** What becomes of features that the model does not know: an error (default), or left out with a note. */
  readonly others?: 'refuse' | 'ignore' | undefined;
  readonly note?: ((text: string) => void) | undefined;
}

/**
 * The documents of one query, best first; equal scores keep the order in which they were given. A feature that a
 * document lacks is a missing value.
 *
 * @example
 * import { loadModel, rank } from 'listwise';
 *
 * const model = await loadModel('model.json');
 * const found = [
 *   { id: 'a', features: { bm25: 12.1, clicks: 40 } },
 *   { id: 'b', features: { bm25: 14.8 } },
 * ];
 * for (const { document, score, rank: place } of rank(model, found)) console.log(place, document.id, score);
 */
export function rank<D extends Rankable>(
  model: Ranker,
  documents: readonly D[],
  options: RankOptions = {},
): Ranked<D>[] {
  const { featureNames } = model;
  const width = featureNames.length;
  checkNames(model, documents, options);
  const values = valuesOf(model);
  const rows = new Float32Array(documents.length * width);
  for (const [i, { features }] of documents.entries()) {
    for (let f = 0; f < width; f++) {
      const name = featureNames[f]!;
      rows[i * width + f] = Object.hasOwn(features, name) ? values(features[name], name, i) : Number.NaN;
    }
  }
  const scores = new Float64Array(documents.length);
  model.scoreRows(rows, documents.length, scores);
  return documents
    .map((document, i) => ({ document, score: scores[i]! }))
    .sort((a, b) => b.score - a.score)
    .map((ranked, place) => ({ ...ranked, rank: place + 1 }));
}

/** A misspelt feature would be a missing value without anybody noticing. */
function checkNames(model: Ranker, documents: readonly Rankable[], { others = 'refuse', note }: RankOptions): void {
  const known = new Set(model.featureNames);
  const unknown = new Set<string>();
  for (const [i, document] of documents.entries()) {
    if (typeof document?.features !== 'object' || document.features === null) {
      throw new ListwiseError('value-invalid', `document ${i + 1} has no "features", an object of values by name`);
    }
    for (const name of Object.keys(document.features)) if (!known.has(name)) unknown.add(name);
  }
  if (unknown.size === 0 || model.ignoresOthers) return;
  const names = few([...unknown].map(quote));
  if (others === 'refuse') {
    throw new ListwiseError(
      'feature-mismatch',
      `the documents have ${names}, which the model does not know; it knows ${few(model.featureNames.map(quote), 20)}. Leave out what is too much with \`others: 'ignore'\``,
    );
  }
  note?.(`ignored ${plural(unknown.size, 'feature')} that the model does not know: ${names}`);
}

/** Values as numbers, the way the model's data had them. */
function valuesOf({ description }: Ranker): (value: FeatureValue, name: string, document: number) => number {
  const codes = new Map(
    Object.entries(description?.categories ?? {}).map(([name, levels]) => [
      name,
      new Map(levels.map((level, code) => [level, code])),
    ]),
  );
  return (value, name, document) => {
    if (value === null || value === undefined) return Number.NaN;
    const levels = codes.get(name);
    // A level that the model never saw is a missing value, as in data that is read for it.
    if (levels !== undefined) return levels.get(String(value)) ?? Number.NaN;
    if (value instanceof Date || description?.kinds[name] === 'date') {
      const days = value instanceof Date ? value.getTime() / 86_400_000 : daysOf(String(value));
      if (days !== undefined) return days;
    } else if (typeof value === 'boolean') return Number(value);
    else if (typeof value === 'number' && Math.abs(Math.fround(value)) !== Infinity) return value;
    throw new ListwiseError(
      'feature-value-invalid',
      `document ${document + 1}: feature ${quote(name)} is ${quote(String(value))}; it must be a number that fits 32-bit floating point, or null for missing`,
    );
  };
}
