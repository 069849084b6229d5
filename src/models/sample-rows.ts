/** Documents of data by chance, as a model takes them: to explain, or to compare with. */
import { Dataset, type FeatureBlock, sharedFloat32 } from '../data/dataset.js';
import { Random } from '../numeric/random.js';
import { type MatchOptions, matchFeatures } from './match-features.js';
import type { Ranker } from './ranker.js';

/**
 * Documents that were drawn.
 *
 * @example
 * import { type SampledRows, sampleRows } from 'listwise/models';
 *
 * const { rows }: SampledRows = sampleRows(model, data, 5);
 * console.log(data.documentId(rows[0]!));
 */
export interface SampledRows {
  /** Their rows in the data, ascending. */
  readonly rows: Uint32Array;
  /** Their features, columns in the order of the model's. */
  readonly block: FeatureBlock;
  /** The same as data, without labels. */
  readonly sample: Dataset;
}

/**
 * Draws n documents, or takes all where there are no more.
 *
 * @example
 * import { explainerOf, sampleRows } from 'listwise/models';
 *
 * const { block } = sampleRows(model, data, 100, { seed: 7 });
 * console.log(explainerOf(model, block).base);
 */
export function sampleRows(
  model: Ranker,
  data: Dataset,
  n: number,
  { seed = 1, ...match }: MatchOptions & { seed?: number | undefined } = {},
): SampledRows {
  const columns = matchFeatures(model, data, match);
  const rows = draw(data.rows, n, seed);
  const count = rows.length;
  const block = { start: 0, rows: count, stride: count, data: sharedFloat32(count * columns.length) };
  columns.forEach((column, f) => {
    const values = block.data.subarray(f * count, (f + 1) * count);
    if (column < 0) values.fill(match.absent ?? 0);
    else for (let i = 0; i < count; i++) values[i] = data.feature(rows[i]!, column);
  });
  const sample = new Dataset({
    featureNames: model.featureNames,
    blocks: [block],
    offsets: Uint32Array.of(0, count),
    queryIds: ['sample'],
    labels: new Map(),
  });
  return { rows, block, sample };
}

/** Floyd's way: n different numbers below `all` with n draws. */
function draw(all: number, n: number, seed: number): Uint32Array {
  if (n >= all) return Uint32Array.from({ length: all }, (_, row) => row);
  const random = new Random(seed, 'sample of rows');
  const drawn = new Set<number>();
  for (let most = all - n; most < all; most++) {
    const row = random.below(most + 1);
    drawn.add(drawn.has(row) ? most : row);
  }
  return Uint32Array.from(drawn).sort();
}
