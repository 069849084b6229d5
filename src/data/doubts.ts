/**
 * What is allowed in data and hardly ever meant: each doubt is one line that says what was found and what to do. They
 * are told before training; what no result could come of is refused instead (`training/selecting.ts`).
 */
import { few, plural, quote } from '../errors.js';
import { hash32, hashText } from '../numeric/random.js';
import { isConstantWithinQueries } from './constant-within-queries.js';
import type { Dataset } from './dataset.js';
import { IdNumbers } from './id-numbers.js';

export interface Doubt {
  readonly code:
    | 'feature-constant'
    | 'feature-is-label'
    | 'feature-named'
    | 'query-shared'
    | 'position-unused'
    | 'category-as-number';
  readonly text: string;
}

/** What each process that has a part of the data found, in their order; of one that has all of it, its own. */
export type Gather = <T>(own: T) => T[];

const own: Gather = value => [value];

/** Doubts about features, given the label source to learn from. */
export function doubtfulFeatures(data: Dataset, source: string, gather: Gather = own): Doubt[] {
  const doubts: Doubt[] = [];
  const features = data.featureNames.map((name, feature) => ({ name: quote(name), feature }));
  const labels = data.label(source);
  const names = (found: typeof features) => few(found.map(({ name }) => name));
  const everywhere = (holds: (feature: number) => boolean) => {
    const found = gather(features.map(({ feature }) => holds(feature)));
    return features.filter(({ feature }) => found.every(part => part[feature]));
  };
  const constantLabel = new Set(gather(firstTwo(labels)).flat()).size < 2;
  const leaks = constantLabel ? [] : everywhere(feature => equalsLabel(data, feature, labels));
  if (leaks.length > 0) {
    const text = `${plural(leaks.length, 'feature')} equal to the label ${quote(source)} of every document: ${names(leaks)}; a model learns nothing else, so leave such features out`;
    doubts.push({ code: 'feature-is-label', text });
  }
  const constant = everywhere(feature => isConstantWithinQueries(data, feature));
  if (constant.length > 0) {
    const text = `${plural(constant.length, 'feature')} constant within every query: ${names(constant)}; alone they change no order, so leave them out unless trees are to combine them with others`;
    doubts.push({ code: 'feature-constant', text });
  }
  for (const [role, { words, advice }] of Object.entries(roles)) {
    const named = features.filter((_, f) => words.test(data.featureNames[f]!));
    if (named.length === 0) continue;
    const text = `${plural(named.length, 'feature')} named like ${role}: ${names(named)}; ${advice}, or leave such columns out, unless they are known when documents are ranked`;
    doubts.push({ code: 'feature-named', text });
  }
  return doubts;
}

/** The first value, and the first other one, if there are any: a set of all values would be made of all documents. */
function firstTwo(values: Float64Array): number[] {
  const found = new Set<number>();
  for (let i = 0; i < values.length && found.size < 2; i++) found.add(values[i]!);
  return [...found];
}

/** Categories, for models that know nothing of levels. */
export function categoriesAsNumbers({ description, featureNames }: Dataset): Doubt[] {
  const found = featureNames.filter(name => description?.kinds[name] === 'category');
  if (found.length === 0) return [];
  const text = `${plural(found.length, 'category', 'categories')} taken as numbers, by the codes of levels: ${few(found.map(quote))}; train trees, which split by levels, or leave such columns out`;
  return [{ code: 'category-as-number', text }];
}

/** Columns that describe how documents were shown or how they count, by names that mean nothing else. */
const roles = {
  'the position at which a document was shown': {
    words: /^(display[_-]?|shown[_-]?)?(pos|positions?)$/i,
    advice: 'name the position column',
  },
  'a weight': {
    words: /^((row|sample|query|document)[_-]?)?weights?$/i,
    advice: 'name the weight column',
  },
  clicks: {
    words: /^((is|was|n|num)[_-]?)?(clicks?|clicked)$/i,
    advice: 'name them as labels',
  },
} as const;

/** Doubts about data that should hold other queries than data used before. */
export function sharedQueries(
  name: string,
  data: Dataset,
  before: { readonly name: string; readonly data: Dataset },
  gather: Gather = own,
): Doubt[] {
  if (isSame(data, before.data, gather)) {
    const text = `the ${name} data is the ${before.name} data: values on it are too good; give other queries`;
    return [{ code: 'query-shared', text }];
  }
  const known = new IdNumbers();
  for (const ids of gather(before.data.queryIds)) for (const id of ids) if (!known.has(id)) known.add(id);
  const shared = gather(data.queryIds.filter(id => known.has(id))).flat();
  if (shared.length === 0) return [];
  const queries = gather(data.queries).reduce((sum, part) => sum + part, 0);
  const text = `${shared.length} of ${plural(queries, `${name} query`, `${name} queries`)} have the id of a ${before.name} query: ${few(shared.map(quote), 3)}; unless each file numbers its queries anew, values on them are too good, so split the data by query`;
  return [{ code: 'query-shared', text }];
}

/** The same queries with the same labels in the same order. */
function isSame(a: Dataset, b: Dataset, gather: Gather): boolean {
  if (gather(a === b).every(same => same)) return true;
  const rows = ({ rows }: Dataset) => gather(rows).reduce((sum, part) => sum + part, 0);
  if (rows(a) !== rows(b)) return false;
  const [first, second] = [a, b].map(data => gather(queryHashes(data)).flatMap(part => [...part]));
  return first!.length === second!.length && first!.every((hash, q) => hash === second![q]);
}

/** Of the id and the labels of each query. */
function queryHashes({ queries, queryIds, offsets, labels }: Dataset): Uint32Array {
  const columns = [...labels]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, values]) => new Uint32Array(Float64Array.from(values).buffer));
  return Uint32Array.from({ length: queries }, (_, q) => {
    let hash = hash32(hashText(queryIds[q]!), offsets[q + 1]! - offsets[q]!);
    for (const words of columns) {
      for (let i = 2 * offsets[q]!; i < 2 * offsets[q + 1]!; i++) hash = hash32(hash, words[i]!);
    }
    return hash;
  });
}

/** Ends at the first document that differs, which mostly is among the first. */
function equalsLabel(data: Dataset, feature: number, labels: Float64Array): boolean {
  for (const { start, rows, stride, data: values } of data.blocks) {
    for (let i = 0; i < rows; i++) {
      const label = labels[start + i]!;
      if (!Number.isNaN(label) && values[feature * stride + i] !== Math.fround(label)) return false;
    }
  }
  return true;
}
