/**
 * Rules after the model: documents that are left out, documents that stand at a given place, and maximal marginal
 * relevance (Carbonell and Goldstein, SIGIR 1998), which trades score for being unlike the documents above.
 */
import { ListwiseError, quote } from '../errors.js';
import { isObject } from '../io/is-object.js';
import type { Beside } from './request.js';

export interface Rules {
  /** Places, from 1, by document id. */
  readonly pin: ReadonlyMap<string, number>;
  readonly drop: ReadonlySet<string>;
  readonly diversify: Diversify | undefined;
}

export interface Diversify {
  /** The weight of the score; the rest is that of being unlike. */
  readonly lambda: number;
  /** Of each two documents, as they were given; without it documents of one category are alike. */
  readonly similarity: readonly (readonly number[])[] | undefined;
}

function wrong(name: string, wanted: string): ListwiseError {
  return new ListwiseError('request-invalid', `"rules.${name}" must be ${wanted}`);
}

export function rulesOf(json: unknown): Rules {
  if (!isObject(json)) throw new ListwiseError('request-invalid', '"rules" must be an object');
  const { pin = {}, drop = [], diversify, ...others } = json;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new ListwiseError('request-invalid', `"rules" has ${quote(other)}; it may have "pin", "drop", "diversify"`);
  }
  if (!isObject(pin)) throw wrong('pin', 'an object of places by document id');
  const pins = new Map<string, number>();
  for (const [id, place] of Object.entries(pin)) {
    if (typeof place !== 'number' || !Number.isInteger(place) || place < 1)
      throw wrong('pin', 'an object of places by document id; a place is a whole number from 1');
    if ([...pins.values()].includes(place)) throw wrong('pin', `different places; place ${place} is given twice`);
    pins.set(id, place);
    if (pins.size > 100) throw wrong('pin', 'at most 100 places');
  }
  if (!Array.isArray(drop) || !drop.every(id => typeof id === 'string' || typeof id === 'number'))
    throw wrong('drop', 'an array of document ids');
  return {
    pin: pins,
    drop: new Set(drop.map(String)),
    diversify: diversify === undefined ? undefined : diversity(diversify),
  };
}

function diversity(json: unknown): Diversify {
  const { lambda = 0.7, similarity, ...others }: Record<string, unknown> = isObject(json) ? json : { wrong: json };
  if (Object.keys(others).length > 0) throw wrong('diversify', 'an object with "lambda" and "similarity" at most');
  if (typeof lambda !== 'number' || !(lambda >= 0 && lambda <= 1)) throw wrong('diversify.lambda', 'from 0 to 1');
  if (similarity === undefined) return { lambda, similarity };
  const isRow = (row: unknown): row is number[] => Array.isArray(row) && row.every(value => typeof value === 'number');
  if (!Array.isArray(similarity) || !similarity.every(isRow)) throw wrong('diversify.similarity', 'rows of numbers');
  return { lambda, similarity };
}

/** The order, documents by number, after the rules. `scores` are by document. */
export function applyRules(
  order: readonly number[],
  scores: ArrayLike<number>,
  documents: readonly Beside[],
  { pin, drop, diversify }: Rules,
): number[] {
  const kept = drop.size === 0 ? [...order] : order.filter(i => !drop.has(String(documents[i]!.id)));
  const spread = diversify === undefined ? kept : byMarginalRelevance(kept, scores, documents, diversify);
  if (pin.size === 0) return spread;
  const pinned = spread.filter(i => pin.has(String(documents[i]!.id)));
  const result = spread.filter(i => !pin.has(String(documents[i]!.id)));
  const placeOf = (i: number) => pin.get(String(documents[i]!.id))!;
  for (const i of pinned.sort((a, b) => placeOf(a) - placeOf(b))) result.splice(placeOf(i) - 1, 0, i);
  return result;
}

/** Scores are taken to [0, 1] within the list; ties keep the order given, which is by score. */
export function byMarginalRelevance(
  order: readonly number[],
  scores: ArrayLike<number>,
  documents: readonly Beside[],
  { lambda, similarity }: Diversify,
): number[] {
  const n = documents.length;
  const values = order.map(i => scores[i]!);
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const span = values.reduce((a, b) => Math.max(a, b), -Infinity) - least || 1;
  const relevance = values.map(value => (value - least) / span);
  if (similarity === undefined) {
    const categories = order.map(i => documents[i]!.category);
    return byCategory(relevance, categories, lambda).map(k => order[k]!);
  }
  if (similarity.length !== n || similarity.some(row => row.length !== n))
    throw wrong('diversify.similarity', `${n} rows of ${n} numbers, one of each two documents`);
  return bySimilarity(relevance, (a, b) => similarity[order[a]!]![order[b]!]!, lambda).map(k => order[k]!);
}

/** Places of the given order, in the new one. */
export function bySimilarity(
  relevance: readonly number[],
  alike: (a: number, b: number) => number,
  lambda: number,
): number[] {
  const left = Array.from(relevance, (own, k) => ({ k, relevance: own, nearest: -Infinity }));
  const chosen: number[] = [];
  while (left.length > 0) {
    let best = 0;
    let most = -Infinity;
    for (const [at, { relevance: own, nearest }] of left.entries()) {
      const value = chosen.length === 0 ? own : lambda * own - (1 - lambda) * nearest;
      if (value > most) [best, most] = [at, value];
    }
    const [{ k }] = left.splice(best, 1) as [(typeof left)[number]];
    chosen.push(k);
    for (const other of left) other.nearest = Math.max(other.nearest, alike(k, other.k));
  }
  return chosen;
}

/**
 * The same where two documents are alike, by 1, if they have one category: a document costs 1 - lambda once its
 * category was seen. As relevance falls along the given order, the best of those that cost it is the first that was
 * passed over.
 */
export function byCategory(
  relevance: readonly number[],
  categories: readonly (string | undefined)[],
  lambda: number,
): number[] {
  const n = relevance.length;
  const seen = new Set<string>();
  const passed: number[] = [];
  const chosen: number[] = [];
  const isSeen = (category: string | undefined) => category !== undefined && seen.has(category);
  let first = 0;
  let next = 0;
  while (chosen.length < n) {
    while (next < n && isSeen(categories[next])) passed.push(next++);
    const isNew =
      next < n &&
      !(first < passed.length && lambda * relevance[passed[first]!]! - (1 - lambda) >= lambda * relevance[next]!);
    const category = isNew ? categories[next] : undefined;
    if (category !== undefined) seen.add(category);
    chosen.push(isNew ? next++ : passed[first++]!);
  }
  return chosen;
}
