/** Names for features that files number, and a choice among them, for formats that are no tables. */
import type { Dataset } from '../dataset.js';
import type { BlockMemory } from '../feature-blocks.js';
import { selectFeatures } from '../feature-subset.js';
import type { ReadOptions } from '../readers/reader.js';
import { ColumnKinds } from '../readers/tables/kinds.js';

/** The names that a description gives; where it gives none, those that there are. */
export function namedFeatures(names: readonly string[], { description }: ReadOptions): readonly string[] {
  const given = description?.names;
  return given === undefined ? names : names.map((name, f) => given[f] ?? name);
}

/** The features that are left once those to ignore are taken away; undefined where all are. */
export function keptFeatures(names: readonly string[], options: ReadOptions, all: boolean): number[] | undefined {
  const { ignore, keep, description } = options;
  const kinds = new ColumnKinds({ ignore, keep, description });
  if (all) kinds.check(names, 'the data');
  const kept = [...names.keys()].filter(f => kinds.kind(names[f]!) !== 'ignore');
  return kept.length === names.length ? undefined : kept;
}

export function numberedFeatures(data: Dataset, options: ReadOptions, all = true, memory?: BlockMemory): Dataset {
  const names = namedFeatures(data.featureNames, options);
  const named = names === data.featureNames ? data : data.with({ featureNames: names });
  const kept = keptFeatures(names, options, all);
  return kept === undefined ? named : selectFeatures(named, kept, memory);
}
