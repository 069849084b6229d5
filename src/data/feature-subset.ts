/**
 * Keeps only some features, named in a file: one name a line, `#` starts a comment, and they stay in the order of the data; or a
 * search engine's feature set (JSON), which says their order as well.
 */
import { didYouMean, few, ListwiseError, type Place, quote } from '../errors.js';
import { type Dataset, type FeatureBlock, sharedFloat32 } from './dataset.js';
import { featureSetNames, isFeatureSetJson } from './feature-set.js';
import type { Input } from './inputs.js';
import { textLines } from './text-lines.js';

export async function readFeatureSubset(input: Input, data: Dataset): Promise<Dataset> {
  const known = new Map(data.featureNames.map((name, f) => [name, f]));
  const find = (name: string, place: Place): number => {
    const feature = known.get(name);
    if (feature !== undefined) return feature;
    throw new ListwiseError(
      'feature-mismatch',
      `the data has no feature ${quote(name)}${didYouMean(name, data.featureNames)} It has ${few(data.featureNames)}`,
      place,
    );
  };
  const lines: string[] = [];
  for await (const batch of textLines(input)) for (const line of batch.lines) lines.push(line);
  const text = lines.join('\n');
  if (isFeatureSetJson(text)) {
    const names = featureSetNames(text, input.name);
    return selectFeatures(
      data,
      names.map(name => find(name, { file: input.name })),
    );
  }
  const keep = new Set<number>();
  for (const [i, line] of lines.entries()) {
    const name = featureName(line, known);
    if (name === '') continue;
    const place = { file: input.name, line: i + 1 };
    const feature = find(name, place);
    if (keep.has(feature)) throw new ListwiseError('feature-duplicate', `${quote(name)} is listed twice`, place);
    keep.add(feature);
  }
  if (keep.size === 0) throw new ListwiseError('data-empty', 'the file names no feature', { file: input.name });
  return selectFeatures(
    data,
    [...keep].sort((a, b) => a - b),
  );
}

/** A name may hold a `#` itself: the whole line counts first. */
function featureName(line: string, known: ReadonlyMap<string, number>): string {
  const whole = line.trim();
  return known.has(whole) ? whole : whole.replace(/#.*/, '').trim();
}

/** The data set with some of its features, in the order given. */
export function selectFeatures(data: Dataset, features: readonly number[]): Dataset {
  const blocks = data.blocks.map((block): FeatureBlock => {
    const cells = sharedFloat32(features.length * block.stride);
    for (const [to, from] of features.entries()) {
      const start = from * block.stride;
      cells.set(block.data.subarray(start, start + block.rows), to * block.stride);
    }
    return { ...block, data: cells };
  });
  return data.with({ blocks, featureNames: features.map(f => data.featureNames[f]!) });
}
