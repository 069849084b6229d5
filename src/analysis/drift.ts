/**
 * Whether documents still look as those that a model was trained on. Each request adds one of its documents, chosen at
 * random, so that observations are independent; a chi-square test compares their bins with the model's sketch, and
 * counts the queries that the sketch comes from as its sample. A feature drifts where the test is significant and the
 * population stability index is at least 0.1, which is what practice calls a moderate shift. With no drift at all, the
 * chance that any of the features and the scores is named in one comparison is at most `alpha` (Bonferroni).
 */
import type { Dataset } from '../data/dataset.js';
import { matchFeatures } from '../models/match-features.js';
import { binOf, type Distribution, featureSketch, type Sketch } from '../models/sketch.js';
import { chiSquareTail } from '../numeric/chi-square.js';
import { hash32 } from '../numeric/random.js';

/** Shifts smaller than this do not matter however significant they are. */
const LEAST_PSI = 0.1;
/** Bins with fewer documents than this expected are put together: the test is not exact for them. */
const LEAST_EXPECTED = 5;
const SMALLEST_SHARE = 1e-4;

/**
 * What became of a feature, or of the scores.
 *
 * @example
 * import type { Drift } from 'listwise/analysis';
 *
 * const shown = ({ feature, psi }: Drift): string => `${feature}: ${psi.toFixed(3)}`;
 */
export interface Drift {
  /** Undefined for the scores. */
  readonly feature: string | undefined;
  /** Population stability index. */
  readonly psi: number;
  /** The chance of so large a difference without any drift. */
  readonly p: number;
  readonly drifted: boolean;
  /** Parts of the documents outside of the range that the model was trained on, and without a value. */
  readonly below: number;
  readonly above: number;
  readonly missing: number;
  /** The part without a value in training. */
  readonly missingBefore: number;
}

type FeatureSketch = Omit<Sketch, 'scores'>;

/**
 * Counts documents, one a request, and compares them with the sketch of a model.
 *
 * @example
 * import { DriftWatch } from 'listwise/analysis';
 *
 * const watch = new DriftWatch(model.training!.sketch!, model.featureNames);
 * const row = new Float32Array(model.featureNames.length);
 * watch.add(row, 0, model.scoreRow(row));
 * console.log(watch.drifts()[0]?.feature);
 */
export class DriftWatch {
  readonly #sketch: FeatureSketch & Partial<Sketch>;
  readonly #names: readonly string[];
  readonly #counts: readonly Counts[];
  #documents = 0;

  /** A sketch without scores compares features alone. */
  constructor(sketch: FeatureSketch & Partial<Sketch>, featureNames: readonly string[]) {
    this.#sketch = sketch;
    this.#names = featureNames;
    const compared = [...sketch.features, ...(sketch.scores === undefined ? [] : [sketch.scores])];
    this.#counts = compared.map(distribution => new Counts(distribution));
  }

  get documents(): number {
    return this.#documents;
  }

  /** Document i of rows, and its score where scores are compared. */
  add(rows: Float32Array, i: number, score = Number.NaN): void {
    const width = this.#names.length;
    for (let f = 0; f < width; f++) this.#counts[f]!.add(rows[i * width + f]!);
    this.#counts[width]?.add(score);
    this.#documents++;
  }

  /** Forgets the documents, to begin anew. */
  clear(): void {
    for (const counts of this.#counts) counts.clear();
    this.#documents = 0;
  }

  /** All features and the scores, the largest index first. */
  drifts(alpha = 0.01): Drift[] {
    const { queries, scores } = this.#sketch;
    const tests = this.#counts.length;
    return this.#counts
      .map((counts, f) => {
        const feature = this.#names[f];
        const found = counts.compared(feature === undefined ? scores!.queries : queries);
        return { feature, ...found, drifted: found.p < alpha / tests && found.psi >= LEAST_PSI };
      })
      .sort((a, b) => b.psi - a.psi);
  }
}

/** One document of each query, chosen by a hash, row by row: observations that do not depend on each other. */
export function* oneOfEachQuery(data: Dataset, columns: Int32Array, seed: number): Generator<Float32Array> {
  const row = new Float32Array(columns.length);
  for (let q = 0; q < data.queries; q++) {
    const n = data.offsets[q + 1]! - data.offsets[q]!;
    if (n === 0) continue;
    const at = data.offsets[q]! + (hash32(q, seed) % n);
    for (const [f, column] of columns.entries()) row[f] = column < 0 ? Number.NaN : data.feature(at, column);
    yield row;
  }
}

/** How features of data differ from those of other data, whatever a model makes of them. */
export function driftBetween(before: Dataset, data: Dataset, seed = 1, alpha?: number): Drift[] {
  const watch = new DriftWatch(featureSketch(before), before.featureNames);
  const columns = matchFeatures(before, data, { fill: true, others: 'ignore' });
  for (const row of oneOfEachQuery(data, columns, seed)) watch.add(row, 0);
  return watch.drifts(alpha);
}

class Counts {
  readonly #of: Distribution;
  readonly #bins: Float64Array;
  #below = 0;
  #above = 0;

  constructor(of: Distribution) {
    this.#of = of;
    this.#bins = new Float64Array(of.shares.length);
  }

  clear(): void {
    this.#bins.fill(0);
    this.#below = 0;
    this.#above = 0;
  }

  add(value: number): void {
    const { edges, range = [Infinity, -Infinity] } = this.#of;
    this.#bins[binOf(edges, value)]!++;
    if (value < range[0]) this.#below++;
    else if (value > range[1]) this.#above++;
  }

  /** `before` is how many queries the sketch has. */
  compared(before: number): Omit<Drift, 'feature' | 'drifted'> {
    const { shares } = this.#of;
    const last = shares.length - 1;
    const n = this.#bins.reduce((sum, count) => sum + count, 0);
    const missingBefore = shares[last]!;
    if (n === 0 || before === 0) return { psi: 0, p: 1, below: 0, above: 0, missing: 0, missingBefore };
    const now = Array.from(this.#bins, count => count / n);
    return {
      psi: now.reduce((sum, is, b) => sum + stability(shares[b]!, is), 0),
      p: chanceOf(shares, before, now, n),
      below: this.#below / n,
      above: this.#above / n,
      missing: now[last]!,
      missingBefore,
    };
  }
}

function stability(was: number, is: number): number {
  const [before, now] = [Math.max(was, SMALLEST_SHARE), Math.max(is, SMALLEST_SHARE)];
  return (now - before) * Math.log(now / before);
}

/** Two samples in bins: those with few documents are put together with the next, what is left over with the last. */
function chanceOf(shares: readonly number[], before: number, now: readonly number[], n: number): number {
  const pooled = (was: number, is: number) => (n * is + before * was) / (n + before);
  const groups: { was: number; is: number }[] = [];
  let [was, is] = [0, 0];
  for (const [b, share] of shares.entries()) {
    was += share;
    is += now[b]!;
    if (Math.min(n, before) * pooled(was, is) < LEAST_EXPECTED) continue;
    groups.push({ was, is });
    [was, is] = [0, 0];
  }
  const end = groups.at(-1);
  if (end !== undefined) groups[groups.length - 1] = { was: end.was + was, is: end.is + is };
  if (groups.length < 2) return 1;
  const statistic = groups.reduce((sum, group) => {
    const variance = pooled(group.was, group.is) * (1 / n + 1 / before);
    return sum + (group.is - group.was) ** 2 / variance;
  }, 0);
  return chiSquareTail(statistic, groups.length - 1);
}
