/**
 * How the score depends on one feature: the mean score of documents when all of them have one value of it and keep the
 * rest (Friedman 2001), for values as the data has them. For any model.
 */
import type { Dataset } from '../data/dataset.js';
import { didYouMean, ListwiseError, quote } from '../errors.js';
import { categoriesOf } from '../models/categories-of.js';
import type { MatchOptions } from '../models/match-features.js';
import type { Ranker } from '../models/ranker.js';
import { sampleRows } from '../models/sample-rows.js';
import { mean } from '../numeric/vectors.js';
import { levelShown } from './level-named.js';

/**
 * How partial dependence is found.
 *
 * @example
 * import type { DependenceOptions } from 'listwise/analysis';
 *
 * const options: DependenceOptions = { documents: 200, points: 10 };
 */
export interface DependenceOptions extends MatchOptions {
  /** Documents that take each value, drawn by chance (default 500; all where there are no more). */
  documents?: number | undefined;
  /** Values of the feature, at most (default 30): quantiles of the data; of a category its most frequent levels. */
  points?: number | undefined;
  seed?: number | undefined;
}

/**
 * How the score depends on a feature.
 *
 * @example
 * import type { Dependence } from 'listwise/analysis';
 *
 * const rises = ({ mean }: Dependence): boolean => mean.at(-1)! > mean[0]!;
 */
export interface Dependence {
  readonly feature: string;
  /** Values of the feature, ascending; of a category the codes of its levels, the most frequent first. */
  readonly values: readonly number[];
  /** Of a category: the names of these levels, or their codes where the model has no names. */
  readonly levels?: readonly string[];
  /** The mean score where all documents have the value. */
  readonly mean: readonly number[];
  /** Between these a document's score less its own mean over the values lies for 80 % of documents, around `mean`. */
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** The mean score where the feature is missing from all; left out where the data has it throughout. */
  readonly missing?: number;
}

const DOCUMENTS = 500;
const POINTS = 30;
const TAIL = 0.1;

/**
 * How the score of a model depends on some of its features, one at a time.
 *
 * @example
 * import { partialDependence } from 'listwise/analysis';
 *
 * const [first] = partialDependence(model, data, [model.featureNames[0]!]);
 * console.log(first?.values, first?.mean);
 */
export function partialDependence(
  model: Ranker,
  data: Dataset,
  features: readonly string[],
  { documents = DOCUMENTS, points = POINTS, seed, ...match }: DependenceOptions = {},
): Dependence[] {
  const { block } = sampleRows(model, data, documents, { ...match, seed });
  const columns = Int32Array.from(model.featureNames, (_, f) => f);
  const categories = categoriesOf(model);
  return features.map(feature => {
    const f = model.featureNames.indexOf(feature);
    if (f < 0) {
      const known = didYouMean(feature, model.featureNames);
      throw new ListwiseError('feature-mismatch', `the model has no feature ${quote(feature)}${known}`);
    }
    const from = f * block.stride;
    const own = block.data.slice(from, from + block.rows);
    const column = block.data.subarray(from, from + block.rows);
    const scores = (value: number) => {
      const out = new Float64Array(block.rows);
      column.fill(value);
      model.scoreBlock(block, columns, match.absent ?? 0, out);
      return out;
    };
    const isCategory = categories.has(feature);
    const values = isCategory ? frequentLevels(own, points) : quantiles(own, points);
    const levels = isCategory && values.map(code => levelShown(model, feature, code));
    const found = values.map(scores);
    const missing = own.some(Number.isNaN) ? mean(scores(Number.NaN)) : undefined;
    column.set(own);
    return {
      feature,
      values,
      ...(levels && { levels }),
      ...spread(found),
      ...(missing !== undefined && { missing }),
    };
  });
}

/** Different values of the data, as evenly spread over the documents as there are. */
function quantiles(column: Float32Array, points: number): number[] {
  const known = column.filter(value => !Number.isNaN(value)).sort();
  const different = [...new Set(known)];
  if (different.length <= points) return different;
  const at = (k: number) => known[Math.round((k * (known.length - 1)) / (points - 1))]!;
  return [...new Set(Array.from({ length: points }, (_, k) => at(k)))];
}

/** Codes, by how many documents have them; of as many the lower code first. */
function frequentLevels(column: Float32Array, points: number): number[] {
  const counts = new Map<number, number>();
  for (const code of column) if (!Number.isNaN(code)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const sorted = [...counts].sort(([a, most], [b, more]) => more - most || a - b);
  return sorted.slice(0, points).map(([code]) => code);
}

/** `found` has the scores of all documents, value by value. */
function spread(found: readonly Float64Array[]): Pick<Dependence, 'mean' | 'low' | 'high'> {
  const n = found[0]?.length ?? 0;
  const centre = Float64Array.from({ length: n }, (_, i) => found.reduce((sum, s) => sum + s[i]!, 0) / found.length);
  const means = found.map(mean);
  const level = mean(Float64Array.from(means));
  const band = found.map(scores => Float64Array.from(scores, (score, i) => score - centre[i]! + level).sort());
  const at = (share: number) => band.map(sorted => sorted[Math.round(share * (n - 1))]!);
  return { mean: means, low: at(TAIL), high: at(1 - TAIL) };
}
