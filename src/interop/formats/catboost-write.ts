/**
 * Trees as CatBoost's JSON, for `load_model(FILE, format="json")`: oblivious trees where all of a model are, nested
 * nodes otherwise. A split is known by the place of its border among all borders of all features.
 *
 * In CatBoost a feature's missing values are above all numbers, or below them, in every split; here each split has its
 * own way. Where the splits of a feature differ, missing values are above, and a split that sends them left is followed
 * by one at the largest number, which only they pass: on to a copy of the left side.
 */
import { LARGEST_THRESHOLD, type Tree, type TreesModel } from '../../models/trees/trees.js';
import { refuseCategories } from '../categories.js';
import { inputsOf } from '../features.js';
import { type ExportJob, inexpressible, type WrittenFile } from '../format.js';
import { countNodes, loseZeroMissing, noteWidth, refuseDeepTrees } from '../tree-writer.js';
import { plainNode } from '../written-node.js';
import { catboostNumber } from './catboost-number.js';

/** Steps to a child have 16 bits. */
const MOST_NODES = 2 ** 16 - 1;

interface Feature {
  readonly column: number;
  readonly missingLeft: boolean;
  readonly borders: readonly number[];
  /** Place of its first border among those of all features. */
  readonly first: number;
}

interface Split {
  readonly float_feature_index: number;
  readonly border: number;
  readonly split_type: 'FloatFeature';
  readonly split_index: number;
}

export function writeCatboost(model: TreesModel, job: ExportJob): WrittenFile[] {
  refuseDeepTrees(model);
  refuseCategories(model, "CatBoost's JSON, as it is written here,");
  noteWidth(model, 'float64', job);
  loseZeroMissing(model, job.changes);
  const { of: columns, names } = inputsOf(model.featureNames, job);
  const features = featuresOf(model, columns);
  const oblivious = model.trees.map(tree => testsOf(tree));
  const trees =
    oblivious.every(tests => tests !== undefined) && isPlain(model, features)
      ? { oblivious_trees: model.trees.map((tree, t) => obliviousTree(tree, oblivious[t]!, features)) }
      : { trees: model.trees.map(tree => nestedTree(tree, features)) };
  const byColumn = new Map(features.map(feature => [feature.column, feature]));
  const info = names.map((name, column) => {
    const { borders, missingLeft } = byColumn.get(column) ?? { borders: [], missingLeft: true };
    return {
      borders,
      feature_id: name,
      feature_index: column,
      flat_feature_index: column,
      has_nans: true,
      nan_value_treatment: missingLeft ? 'AsFalse' : 'AsTrue',
    };
  });
  const rounded = (value: number) => catboostNumber(value) !== value;
  if (rounded(model.base) || model.trees.some(({ value }) => value.some(rounded)))
    job.changes.notice("CatBoost's reader of JSON rounds some leaf values, by their last digit of 64 bits");
  const file = {
    features_info: { float_features: info },
    model_info: {},
    ...trees,
    scale_and_bias: [1, [model.base]],
  };
  return [{ path: job.target, content: `${JSON.stringify(file)}\n` }];
}

/** Features in the order of their columns, each with the borders of its splits. */
function featuresOf(model: TreesModel, columns: Int32Array): Feature[] {
  const borders = model.featureNames.map(() => new Set<number>());
  const ways = model.featureNames.map(() => new Set<boolean>());
  for (const { feature, threshold, missingLeft } of model.trees) {
    feature.forEach((f, node) => {
      borders[f]!.add(threshold[node]!);
      ways[f]!.add(missingLeft[node] === 1);
    });
  }
  ways.forEach((found, f) => {
    if (found.size === 2) borders[f]!.add(LARGEST_THRESHOLD);
  });
  const features: Feature[] = [];
  let first = 0;
  for (const f of Array.from(columns.keys()).sort((a, b) => columns[a]! - columns[b]!)) {
    const sorted = [...borders[f]!].sort((a, b) => a - b);
    features[f] = { column: columns[f]!, missingLeft: !ways[f]!.has(false), borders: sorted, first };
    first += sorted.length;
  }
  return features;
}

function splitAt({ column, borders, first }: Feature, border: number): Split {
  const place = borders.indexOf(border);
  return { float_feature_index: column, border, split_type: 'FloatFeature', split_index: first + place };
}

/** Whether every split sends missing values where all of its feature go. */
function isPlain(model: TreesModel, features: readonly Feature[]): boolean {
  const differ = (tree: Tree, node: number) =>
    features[tree.feature[node]!]!.missingLeft !== (tree.missingLeft[node] === 1);
  return countNodes(model, differ) === 0;
}

/** A node a level where all nodes of a level are the same test and all leaves are below the last; else undefined. */
function testsOf(tree: Tree): number[] | undefined {
  const tests: number[] = [];
  for (let level = tree.feature.length > 0 ? [0] : []; level.length > 0; ) {
    const [node] = level as [number, ...number[]];
    const same = (other: number) =>
      tree.feature[other] === tree.feature[node] && tree.threshold[other] === tree.threshold[node];
    if (!level.every(same)) return undefined;
    tests.push(node);
    const below = level.flatMap(one => [tree.left[one]!, tree.right[one]!]);
    if (below.every(child => child < 0)) break;
    if (below.some(child => child < 0)) return undefined;
    level = below;
  }
  return tests;
}

/** Test d is bit d of a leaf's number. */
function obliviousTree(tree: Tree, tests: readonly number[], features: readonly Feature[]) {
  const leaves = Array.from({ length: 2 ** tests.length }, (_, number) => {
    let node = tests.length > 0 ? 0 : ~0;
    for (let test = 0; node >= 0; test++) node = ((number >> test) & 1 ? tree.right : tree.left)[node]!;
    return ~node;
  });
  return {
    leaf_values: leaves.map(leaf => tree.value[leaf]!),
    leaf_weights: leaves.map(leaf => tree.leafDocuments?.[leaf] ?? 0),
    splits: tests.map(node => splitAt(features[tree.feature[node]!]!, tree.threshold[node]!)),
  };
}

/** What is known of a feature below a split: whether its value is missing. */
type Known = ReadonlyMap<number, boolean>;

function nestedTree(tree: Tree, features: readonly Feature[]): object {
  let nodes = 0;
  const print = (at: number, known: Known): object => {
    if (++nodes > MOST_NODES)
      inexpressible(
        `a tree needs more than ${MOST_NODES} nodes in CatBoost, where missing values of a feature go one way; train with \`absent: zero\``,
      );
    if (at < 0) return { value: tree.value[~at], weight: tree.leafDocuments?.[~at] ?? 0 };
    const f = tree.feature[at]!;
    const { condition, left, right, missingLeft } = plainNode(tree, at);
    const missing = known.get(f);
    if (missing === true) return print(missingLeft ? left : right, known);
    const feature = features[f]!;
    const split = splitAt(feature, condition);
    if (missing === false || missingLeft === feature.missingLeft)
      return { split, left: print(left, known), right: print(right, known) };
    const below = {
      split: splitAt(feature, LARGEST_THRESHOLD),
      left: print(right, new Map([...known, [f, false]])),
      right: print(left, new Map([...known, [f, true]])),
    };
    return { split, left: print(left, known), right: below };
  };
  return print(tree.feature.length > 0 ? 0 : ~0, new Map());
}
