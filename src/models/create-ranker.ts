/**
 * The one way to rank a list of documents whose features are given by name, or as rows: for servers, edge workers,
 * pages. What does not depend on the list is done once. Nothing here needs Node.
 */
import { few, ListwiseError, plural, quote } from '../errors.js';
import { orderByScore } from '../measures/order.js';
import { contributionsOf } from './contributions.js';
import { type FeatureValue, featureValues } from './feature-values.js';
import type { Ranker } from './ranker.js';

/**
 * What can be ranked: features by name, or a row of them in the order of the model's features, beside whatever else the
 * document has.
 *
 * @example
 * import type { Rankable } from 'listwise';
 *
 * const product: Rankable & { sku: string } = { sku: 'a1', features: { price: 80, brand: 'Acme', rating: null } };
 */
export interface Rankable {
  readonly features: Readonly<Record<string, FeatureValue>> | readonly FeatureValue[] | Float32Array;
}

/**
 * What a feature adds to the score of a document, over the mean of the documents that it is ranked with.
 *
 * @example
 * import { createRanker, type FeaturePart } from 'listwise';
 *
 * const [best] = createRanker(model).rank([{ features: { bm25: 2 } }, { features: { bm25: 1 } }], { why: 3 });
 * const largest: FeaturePart | undefined = best?.why?.[0];
 */
export interface FeaturePart {
  readonly feature: string;
  /** As the model sees it; NaN where it is missing. */
  readonly value: number;
  readonly adds: number;
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
  /** Where it was asked for: what features add, the largest part first. Features that add nothing are left out. */
  readonly why?: readonly FeaturePart[];
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
  /** Names that are left out without a word: what other models know that rank the same documents. */
  readonly known?: { has(name: string): boolean } | undefined;
  readonly note?: ((text: string) => void) | undefined;
}

/**
 * What ranks lists of documents with one model.
 *
 * @example
 * import { createRanker, type DocumentRanker } from 'listwise';
 *
 * const ranker: DocumentRanker = createRanker(model);
 * console.log(ranker.featureNames);
 */
export interface DocumentRanker {
  readonly model: Ranker;
  readonly featureNames: readonly string[];
  /** The features row by row, in the order of `featureNames`; NaN where one is missing. */
  rows(documents: readonly Rankable[]): Float32Array;
  /** One score a document, as they were given. */
  scores(documents: readonly Rankable[]): Float64Array;
  /**
   * The documents, best first; equal scores keep the order in which they were given. `why` asks for what features add,
   * of all or of so many.
   */
  rank<D extends Rankable>(documents: readonly D[], options?: { why?: boolean | number | undefined }): Ranked<D>[];
  /** The same from rows: scores of n documents. */
  scoreRows(rows: Float32Array, n: number): Float64Array;
  /** The same from rows: what features add to each of n documents. */
  why(rows: Float32Array, n: number, most?: number): FeaturePart[][];
}

/**
 * Ranks lists of documents with a model. A feature that a document lacks is a missing value.
 *
 * @example
 * import { createRanker, loadModel } from 'listwise';
 *
 * const ranker = createRanker(await loadModel('model.json'));
 * const found = [
 *   { id: 'a', features: { bm25: 12.1, clicks: 40 } },
 *   { id: 'b', features: { bm25: 14.8 } },
 * ];
 * for (const { document, score, rank } of ranker.rank(found)) console.log(rank, document.id, score);
 */
export function createRanker(model: Ranker, options: RankOptions = {}): DocumentRanker {
  const { featureNames } = model;
  const width = featureNames.length;
  const number = featureValues(model);
  const place = new Map(featureNames.map((name, f) => [name, f]));

  const fill = (documents: readonly Rankable[], filled: Float32Array): Float32Array => {
    filled.fill(Number.NaN);
    const unknown = new Set<string>();
    for (const [i, document] of documents.entries()) {
      const features: unknown = document?.features;
      if (typeof features !== 'object' || features === null) {
        throw new ListwiseError('value-invalid', `document ${i + 1} has no "features", an object of values by name`);
      }
      if (Array.isArray(features) || features instanceof Float32Array) {
        if (features.length !== width) throw wrongWidth(i, features.length, width);
        for (let f = 0; f < width; f++) filled[i * width + f] = number(features[f], f, i);
        continue;
      }
      for (const [name, value] of Object.entries(features)) {
        const f = place.get(name);
        if (f !== undefined) filled[i * width + f] = number(value, f, i);
        else if (!options.known?.has(name)) unknown.add(name);
      }
    }
    if (unknown.size > 0 && !model.ignoresOthers) unknownFeatures(model, unknown, options);
    return filled;
  };

  /** In the model's own memory where it has room: valid until the next list. */
  const quickRows = (documents: readonly Rankable[]): Float32Array =>
    fill(documents, model.rowBuffer?.(documents.length) ?? new Float32Array(documents.length * width));

  const scoreRows = (values: Float32Array, n: number): Float64Array => {
    refuseOther(values, n, width);
    const scores = new Float64Array(n);
    model.scoreRows(values, n, scores);
    return finite(scores);
  };

  const why = (values: Float32Array, n: number, most = Infinity): FeaturePart[][] => {
    refuseOther(values, n, width);
    const parts = contributionsOf(model, values, n).values;
    return Array.from({ length: n }, (_, i) =>
      featureNames
        .map((feature, f) => ({ feature, value: values[i * width + f]!, adds: parts[i * width + f]! }))
        .filter(({ adds }) => adds !== 0)
        .sort((a, b) => Math.abs(b.adds) - Math.abs(a.adds))
        .slice(0, most),
    );
  };

  return {
    model,
    featureNames,
    rows: documents => fill(documents, new Float32Array(documents.length * width)),
    scoreRows,
    why,
    scores: documents => scoreRows(quickRows(documents), documents.length),
    rank(documents, { why: asked = false } = {}) {
      const values = quickRows(documents);
      const scores = scoreRows(values, documents.length);
      const parts = asked === false ? undefined : why(values, documents.length, asked === true ? Infinity : asked);
      return bestFirst(scores).map((i, place) => ({
        document: documents[i]!,
        score: scores[i]!,
        rank: place + 1,
        ...(parts && { why: parts[i]! }),
      }));
    },
  };
}

/** The scores themselves; what is no number has no place in an order. */
export function finite(scores: Float64Array): Float64Array {
  const wrong = scores.findIndex(score => !Number.isFinite(score));
  if (wrong < 0) return scores;
  throw new ListwiseError('score-invalid', `the score of document ${wrong + 1} is ${scores[wrong]}: no finite number`);
}

/** Documents by number, best first; equal scores keep their order. */
export function bestFirst(scores: Float64Array): number[] {
  const n = scores.length;
  const order = new Uint32Array(n);
  orderByScore(scores, n, order, new Uint32Array(n));
  return Array.from(order);
}

/** Rows that are too short would be filled up with what was in the memory before. */
function refuseOther(values: Float32Array, n: number, width: number): void {
  if (Number.isInteger(n) && n >= 0 && values.length >= n * width) return;
  const found = `the rows have ${plural(values.length, 'value')}`;
  throw new ListwiseError(
    'feature-mismatch',
    `${found}; ${n} documents of ${plural(width, 'feature')} need ${n * width}`,
  );
}

export function wrongWidth(document: number, found: number, width: number): ListwiseError {
  return new ListwiseError(
    'feature-mismatch',
    `document ${document + 1} is a row of ${plural(found, 'value')}; the model has ${plural(width, 'feature')}`,
  );
}

/** A misspelt feature would be a missing value without anybody noticing. */
export function unknownFeatures(model: Ranker, unknown: ReadonlySet<string>, { others, note }: RankOptions): void {
  const names = few([...unknown].map(quote));
  if (others !== 'ignore') {
    // Who chose to refuse needs no advice on it, nor do the clients of a server.
    const how = others === undefined ? " with `others: 'ignore'`" : '';
    throw new ListwiseError(
      'feature-mismatch',
      `the documents have ${names}, which the model does not know; it knows ${few(model.featureNames.map(quote), 20)}. Leave out what is too much${how}`,
    );
  }
  note?.(`ignored ${plural(unknown.size, 'feature')} that the model does not know: ${names}`);
}
