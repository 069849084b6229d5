/**
 * Keeps only some features, named in a file: one name a line, `#` starts a comment, and they stay in the order of the
 * data; or a search engine's feature set (JSON), which says their order as well.
 */
import { didYouMean, few, ListwiseError, type Place, quote } from '../errors.js';
import type { Input } from '../io/inputs.js';
import { textLines } from '../io/text-lines.js';
import { type Dataset, type FeatureBlock, sharedFloat32 } from './dataset.js';
import type { BlockMemory } from './feature-blocks.js';
import { featureSetNames, isFeatureSetJson } from './feature-set.js';

/**
 * The features to keep, by their numbers among those that are `known`. A feature that is listed and not known is an
 * error where these are all that the data has; where more may come, it is left out.
 */
export type FeatureChoice = (known: readonly string[], all: boolean) => number[];

export async function readFeatureChoice(input: Input): Promise<FeatureChoice> {
  const lines: string[] = [];
  for await (const batch of textLines(input)) for (const line of batch.lines) lines.push(line);
  const text = lines.join('\n');
  const file = input.name;
  if (!isFeatureSetJson(text)) return (known, all) => chosenByLine(lines, known, all, file);
  const names = featureSetNames(text, file);
  return (known, all) => {
    const numbers = new Map(known.map((name, f) => [name, f]));
    return names.flatMap(name => numbers.get(name) ?? (all ? lacking(name, known, { file }) : []));
  };
}

function chosenByLine(lines: readonly string[], known: readonly string[], all: boolean, file: string): number[] {
  const numbers = new Map(known.map((name, f) => [name, f]));
  const keep = new Set<number>();
  for (const [i, line] of lines.entries()) {
    const name = featureName(line, numbers);
    if (name === '') continue;
    const place = { file, line: i + 1 };
    const feature = numbers.get(name);
    if (feature === undefined && all) lacking(name, known, place);
    if (feature === undefined) continue;
    if (keep.has(feature)) throw new ListwiseError('feature-duplicate', `${quote(name)} is listed twice`, place);
    keep.add(feature);
  }
  if (keep.size === 0 && all) throw new ListwiseError('data-empty', 'the file names no feature', { file });
  return [...keep].sort((a, b) => a - b);
}

function lacking(name: string, known: readonly string[], place: Place): never {
  throw new ListwiseError(
    'feature-mismatch',
    `the data has no feature ${quote(name)}${didYouMean(name, known)} It has ${few(known)}`,
    place,
  );
}

/** A name may hold a `#` itself: the whole line counts first. */
function featureName(line: string, known: ReadonlyMap<string, number>): string {
  const whole = line.trim();
  return known.has(whole) ? whole : whole.replace(/#.*/, '').trim();
}

/** The data set with some of its features, in the order given. `memory` is where they go. */
export function selectFeatures(data: Dataset, features: readonly number[], memory?: BlockMemory): Dataset {
  const blocks = data.blocks.map((block): FeatureBlock => {
    const length = features.length * block.stride;
    const cells = memory?.take(length) ?? sharedFloat32(length);
    for (const [to, from] of features.entries()) {
      const start = from * block.stride;
      cells.set(block.data.subarray(start, start + block.rows), to * block.stride);
    }
    return { ...block, data: cells };
  });
  return data.with({ blocks, featureNames: features.map(f => data.featureNames[f]!) });
}
