/** Categories in files of other systems: levels that they name, and splits by category that a format cannot hold. */
import { type DataDescription, DESCRIPTION_FORMAT } from '../data/description.js';
import { plural } from '../errors.js';
import { type LevelSet, levelSet, MOST_LEVELS } from '../kernels/level-set.js';
import type { TreesModel } from '../models/trees/trees.js';
import { type ImportJob, inexpressible, invalid } from './format.js';
import { countNodes } from './tree-writer.js';

/** How data is read so that its levels have the codes that a file's have; undefined where it names none. */
export function describedCategories(
  categories: Readonly<Record<string, readonly string[]>>,
): DataDescription | undefined {
  const names = Object.keys(categories);
  if (names.length === 0) return undefined;
  const kinds = Object.fromEntries(names.map(name => [name, 'category' as const]));
  return { schema: DESCRIPTION_FORMAT, roles: {}, kinds, missing: [], categories };
}

/** The set of the codes that a file lists. */
export function readLevelSet(codes: readonly number[], job: ImportJob): LevelSet {
  const wrong = codes.find(code => !Number.isInteger(code) || code < 0 || code >= MOST_LEVELS);
  if (wrong !== undefined) invalid(job, `a split is by category ${wrong}; categories are whole numbers from 0`);
  return levelSet(codes);
}

export function isByCategory({ leftLevels }: TreesModel['trees'][number], node: number): boolean {
  return leftLevels?.[node] !== undefined;
}

/** For formats whose splits are by thresholds alone. */
export function refuseCategories(model: TreesModel, format: string): void {
  const nodes = countNodes(model, isByCategory);
  if (nodes > 0)
    inexpressible(
      `${format} has no splits by category, and the model has ${nodes}; LightGBM, XGBoost and JavaScript hold them`,
    );
}

/** A note for formats that know levels by their codes alone. */
export function codesNote(model: TreesModel): string | undefined {
  const named = Object.keys(model.description?.categories ?? {}).filter(name => model.featureNames.includes(name));
  if (countNodes(model, isByCategory) === 0 || named.length === 0) return undefined;
  return `${plural(named.length, 'category', 'categories')} (${named.join(', ')}) must be given as codes: the place of a level in the model's data description, from 0`;
}
