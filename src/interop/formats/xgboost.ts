/** XGBoost's own model file, "model.json" or in binary "model.ubj". The rule is in xgboost-rule.ts. */
import { shortestFloat32 } from '../../data/writers/shortest-float.js';
import { few, ListwiseError, quote } from '../../errors.js';
import { type LevelSet, levelsOf } from '../../kernels/level-set.js';
import type { Model } from '../../models/all.js';
import { LinearModel } from '../../models/linear/linear.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { codesNote, describedCategories, isByCategory, readLevelSet, refuseCategories } from '../categories.js';
import { type Columns, columnsOf, nameColumns } from '../features.js';
import {
  type ExportJob,
  type ImportJob,
  inexpressible,
  invalid,
  type ModelFormat,
  textOf,
  unsupported,
  type WrittenFile,
} from '../format.js';
import { JsonReader } from '../json-reader.js';
import { folded } from '../linear-folding.js';
import { buildTree, type ReadNode, treesModel } from '../tree-builder.js';
import { loseZeroMissing, noteWidth, treesWithBase } from '../tree-writer.js';
import { strictNode } from '../written-node.js';
import { parseUbjson } from './ubjson.js';
import { namedCategories, namedLevels, splitCategories, writtenLevels } from './xgboost-levels.js';
import { LOGISTIC, marginOf, real, thresholdOf } from './xgboost-rule.js';
import { printJson, printUbjson, type XgboostObject } from './xgboost-text.js';

/** The parent of a root. */
const NO_NODE = 2147483647;

// ---- reading

/** An object whose first key has its length before it. */
const UBJSON = /^\{[iUIlL#]/;

function read(content: Uint8Array, job: ImportJob): Model {
  const learner = parsed(content, job).at('learner');
  const parameters = learner.at('learner_model_param');
  const classes = parameters.at('num_class').whole(0);
  if (classes > 1) unsupported(job, `a model of ${classes} classes has several scores a document; a ranking needs one`);
  const targets = parameters.at('num_target').whole(1);
  if (targets > 1) unsupported(job, `a model of ${targets} targets has several scores a document; a ranking needs one`);
  const base = marginOf(learner.at('objective', 'name').text(), baseScore(parameters.at('base_score')), job);
  const width = parameters.at('num_feature').whole();
  const given = learner.has('feature_names') ? learner.at('feature_names').strings() : [];
  if (given.length > 0 && given.length !== width)
    invalid(job, `there are ${given.length} feature names for ${width} features`);
  const names = given.length > 0 ? given : undefined;
  const booster = learner.at('gradient_booster');
  const name = booster.at('name').text();
  if (name === 'gblinear') return readLinear(booster, { width, names, base }, job);
  if (name !== 'gbtree' && name !== 'dart')
    unsupported(job, `there is no booster ${quote(name)} here; gbtree, dart and gblinear are read`);
  const model = (name === 'dart' ? booster.at('gbtree') : booster).at('model');
  const list = model.at('trees').list();
  const parallel = model.has('gbtree_model_param') ? model.at('gbtree_model_param', 'num_parallel_tree').whole(1) : 1;
  noteBest(learner, list.length / parallel, job);
  const weights = name === 'dart' ? booster.at('weight_drop').numbers(list.length) : weightsAmong(model, list.length);
  const read = list.map((tree, i) => readTree(tree, i, width, leafOf(weights[i]), job));
  const { featureNames, trees } = nameColumns({ width, names }, read, job);
  const description = describedCategories(namedLevels(model, names));
  return treesModel({ featureNames, trees, base, sums: 'float32', description });
}

function parsed(content: Uint8Array, job: ImportJob): JsonReader {
  const start = textOf(content.subarray(0, 64));
  if (UBJSON.test(start)) return new JsonReader(parseUbjson(content, job), job);
  if (/^\s*\{/.test(start)) return JsonReader.parse(content, job, { infinite: true });
  return unsupported(
    job,
    "it is XGBoost's old binary format; save the model again with a name that ends in .json or .ubj",
  );
}

/** A number as text; newer versions write a list of one. */
function baseScore(reader: JsonReader): number {
  const value = Number(reader.text().replace(/^\[(.*)\]$/, '$1'));
  return Number.isFinite(value) ? value : reader.fail('one number');
}

/** From version 3.4 on, the weights of DART are among the trees, whose booster is like any; the last may have none. */
function weightsAmong(model: JsonReader, trees: number): number[] {
  if (!model.has('weight_drop')) return [];
  const weights = model.at('weight_drop').numbers();
  return weights.length <= trees ? weights : model.at('weight_drop').fail(`an array of at most ${trees} numbers`);
}

/** DART weighs trees: a leaf times the weight of its tree, in float32. */
function leafOf(weight = 1): (leaf: number) => number {
  return leaf => Math.fround(Math.fround(leaf) * Math.fround(weight));
}

/** XGBoost notes the last iteration where nothing was stopped early. */
function noteBest(learner: JsonReader, iterations: number, job: ImportJob): void {
  if (!learner.has('attributes') || !learner.at('attributes').has('best_iteration')) return;
  const best = learner.at('attributes', 'best_iteration').whole();
  if (best >= iterations - 1) return;
  job.changes.notice(`XGBoost noted iteration ${best} (from 0) as the best one; all trees of the file are kept`);
}

function readTree(
  tree: JsonReader,
  number: number,
  width: number,
  leaf: (value: number) => number,
  job: ImportJob,
): Tree {
  if (tree.has('tree_param') && tree.at('tree_param', 'size_leaf_vector').whole(0) > 1) {
    unsupported(job, `tree ${number} has vectors in its leaves; a ranking needs one score`);
  }
  const left = tree.at('left_children').numbers();
  const nodes = left.length;
  const right = tree.at('right_children').numbers(nodes);
  // Splits by categories have none.
  const condition = tree.at('split_conditions').numbers(nodes, { nan: true });
  const feature = tree.at('split_indices').numbers(nodes);
  const defaultLeft = tree.at('default_left').numbers(nodes);
  const type = tree.has('split_type') ? tree.at('split_type').numbers(nodes) : [];
  const gain = tree.has('loss_changes') ? tree.at('loss_changes').numbers(nodes) : [];
  const hessian = tree.has('sum_hessian') ? tree.at('sum_hessian').numbers(nodes) : [];
  const sets = type.includes(1) ? levelSets(tree, job) : new Map<number, LevelSet>();
  const nodeOf = (id: number): ReadNode<number> => {
    if (!(id >= 0 && id < nodes)) return invalid(job, `a child in tree ${number} is node ${id}; there are ${nodes}`);
    if (left[id] === -1) return { value: leaf(condition[id]!), documents: shortest(hessian[id] ?? 0) };
    if (!(feature[id]! >= 0 && feature[id]! < width))
      invalid(job, `tree ${number} asks for feature ${feature[id]}; there are ${width}`);
    if (type[id] === 1) {
      const levels = sets.get(id) ?? invalid(job, `node ${id} of tree ${number} is split by no category`);
      // What is listed goes right there.
      return {
        feature: feature[id]!,
        threshold: 0,
        levels,
        missingLeft: defaultLeft[id] !== 1,
        left: right[id]!,
        right: left[id]!,
        gain: shortest(gain[id] ?? 0),
        documents: shortest(hessian[id] ?? 0),
      };
    }
    return {
      feature: feature[id]!,
      threshold: thresholdOf(condition[id]!),
      missingLeft: defaultLeft[id] === 1,
      left: left[id]!,
      right: right[id]!,
      gain: shortest(gain[id] ?? 0),
      documents: shortest(hessian[id] ?? 0),
    };
  };
  return buildTree(0, nodeOf, job);
}

/** The categories of each node that is split by some. */
function levelSets(tree: JsonReader, job: ImportJob): Map<number, LevelSet> {
  const nodes = tree.at('categories_nodes').numbers();
  const starts = tree.at('categories_segments').numbers(nodes.length);
  const sizes = tree.at('categories_sizes').numbers(nodes.length);
  const codes = tree.at('categories').numbers();
  return new Map(
    nodes.map((node, i) => [node, readLevelSet(codes.slice(starts[i], starts[i]! + sizes[i]!), job)] as const),
  );
}

/** The number that JSON has of a float32, whatever the file: models are written with no digit too many. */
function shortest(value: number): number {
  return Number(shortestFloat32(Math.fround(value)));
}

/** A weight a feature, then the bias. A missing value adds nothing. */
function readLinear(
  booster: JsonReader,
  { width, names, base }: { width: number; names: readonly string[] | undefined; base: number },
  job: ImportJob,
): LinearModel {
  const list = booster.at('model', 'weights');
  const weights = list.numbers(width + 1).map(Math.fround);
  if (!weights.every(Number.isFinite)) list.fail('an array of finite numbers');
  job.changes.notice('sums are 64-bit here, 32-bit in XGBoost');
  const { featureNames } = nameColumns({ width, names, usesFirst: weights[0] !== 0 }, [], job);
  return new LinearModel({
    featureNames,
    weights: weights.slice(width - featureNames.length, width),
    bias: weights[width]! + base,
  });
}

// ---- writing

/** What the engines and Vespa ask for beyond what XGBoost does. */
interface Written {
  /** How the learner is printed. */
  readonly print: (learner: XgboostObject) => string | Uint8Array;
  /** For readers that know no base score: it is a tree. Features have names, and no splits are by category. */
  readonly forEngines?: boolean;
}

const asJson: Written = { print: learner => `${printJson(learner)}\n` };
const asUbjson: Written = { print: printUbjson };
const asRaw: Written = { ...asJson, forEngines: true };

function treesWriter({ print, forEngines = false }: Written) {
  return (model: TreesModel, job: ExportJob): WrittenFile[] => {
    if (forEngines) refuseCategories(model, 'the model/xgboost+json+raw of search engines');
    noteWidth(model, 'float32', job);
    loseZeroMissing(model, job.changes);
    const columns = namedColumns(model.featureNames, forEngines ? withNames(model, job) : job);
    const named = namedCategories(model, columns);
    const note = codesNote(model);
    if (note !== undefined) job.changes.notice(named === undefined ? note : `before XGBoost 3.1, ${note}`);
    // With a sigmoid a base score is a probability, which has not all digits of a sum.
    const logistic = job.transform === 'sigmoid';
    const withBase = forEngines || logistic;
    const trees = (withBase ? treesWithBase(model) : model.trees).map((tree, id) => treeOf(tree, id, columns));
    const booster = {
      model: {
        gbtree_model_param: { num_parallel_tree: '1', num_trees: String(trees.length), size_leaf_vector: '0' },
        tree_info: trees.map(() => 0),
        trees,
        ...(named && { cats: writtenLevels(named, columns.width) }),
      },
      name: 'gbtree',
    };
    const base = logistic ? 0.5 : withBase ? 0 : model.base;
    const learner = learnerOf(columns, booster, base, named ?? splitCategories(model, columns.of));
    // Ranking objectives have parameters that differ from version to version; squared error predicts the sum as well,
    // but the engines do not know it by its name.
    const plain = forEngines
      ? { lambda_rank_param: { fix_list_weight: '0', num_pairsample: '1' }, name: 'rank:pairwise' }
      : SQUARED_ERROR;
    const objective = logistic ? { ...SQUARED_ERROR, name: LOGISTIC } : plain;
    return fileOf(job, print({ learner: { ...learner, objective }, version: VERSION }));
  };
}

const SQUARED_ERROR = { name: 'reg:squarederror', reg_loss_param: { scale_pos_weight: '1' } };
/** Files of this version are read by all later ones. */
const VERSION = [1, 7, 4];

function linearWriter({ print }: Written) {
  return (model: LinearModel, job: ExportJob): WrittenFile[] => {
    const { weights, bias } = folded(model, job.changes);
    job.changes.notice('weights and sums are 32-bit in XGBoost');
    const columns = namedColumns(model.featureNames, job);
    const placed = new Float32Array(columns.width + 1);
    weights.forEach((weight, f) => {
      placed[columns.of[f]!] = weight;
    });
    placed[columns.width] = bias;
    const booster = { model: { boosted_rounds: 1, weights: placed }, name: 'gblinear' };
    const learner = { ...learnerOf(columns, booster, 0), objective: SQUARED_ERROR };
    return fileOf(job, print({ learner, version: VERSION }));
  };
}

/** XGBoost tells JSON from its binary form by the name of the file. */
function fileOf({ target }: ExportJob, content: string | Uint8Array): WrittenFile[] {
  const binary = typeof content !== 'string';
  if (/\.ubj$/i.test(target) === binary || !/\.(ubj|json)$/i.test(target)) return [{ path: target, content }];
  throw new ListwiseError(
    'option-invalid',
    binary
      ? 'XGBoost takes a file for JSON whose name ends in .json, and UBJSON is what is written; let the name end in .ubj'
      : 'XGBoost takes a file for UBJSON whose name ends in .ubj, and JSON is what is written; let the name end in .json, or write xgboost-ubj',
    { file: target },
  );
}

/** Engines know features by their names, whatever these are. */
function withNames({ featureNames }: TreesModel, job: ExportJob): ExportJob {
  return { ...job, featureSet: job.featureSet ?? featureNames };
}

function namedColumns(featureNames: readonly string[], job: ExportJob): Columns {
  const columns = columnsOf(featureNames, job);
  const wrong = (columns.names ?? []).filter(name => name === '' || /[[\]<]/.test(name));
  if (wrong.length > 0)
    inexpressible(`XGBoost's names of features hold no brackets and no "<"; found ${few(wrong.map(quote))}`);
  return columns;
}

function learnerOf(
  { names = [], width }: Columns,
  booster: XgboostObject,
  base: number,
  categories: { has(column: number): boolean; readonly size: number } = new Set<number>(),
) {
  const columns = names.length > 0 || categories.size === 0 ? names : Array.from({ length: width });
  return {
    attributes: {},
    feature_names: names,
    feature_types: Array.from(columns, (_, column) => (categories.has(column) ? 'c' : 'float')),
    gradient_booster: booster,
    learner_model_param: { base_score: real(base), num_class: '0', num_feature: String(width), num_target: '1' },
  };
}

/** Siblings side by side, the left one first: XGBoost counts on it. What is in a set goes right there. */
function treeOf(tree: Tree, id: number, { of: columns, width }: Columns): XgboostObject {
  const nodes = [tree.feature.length > 0 ? 0 : ~0];
  const parents = [NO_NODE];
  const left: number[] = [];
  const writtenOf = (node: number) =>
    isByCategory(tree, node)
      ? { condition: 0, left: tree.right[node]!, right: tree.left[node]!, missingLeft: tree.missingLeft[node] === 0 }
      : strictNode(tree, node);
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    left.push(node < 0 ? -1 : nodes.length);
    if (node < 0) continue;
    const written = writtenOf(node);
    nodes.push(written.left, written.right);
    parents.push(i, i);
  }
  const each = (ofNode: (node: number) => number, ofLeaf: (leaf: number) => number = () => 0) =>
    nodes.map(node => (node < 0 ? ofLeaf(~node) : ofNode(node)));
  const split = nodes.flatMap((node, place) => {
    const set = node < 0 ? undefined : tree.leftLevels?.[node];
    return set === undefined ? [] : [{ place, codes: levelsOf(set) }];
  });
  if (split.some(({ codes }) => codes.length === 0))
    inexpressible('a split by category sends no level left; XGBoost needs one at least');
  let listed = 0;
  const starts = split.map(({ codes }) => (listed += codes.length) - codes.length);
  const leaf = (number: number) => tree.value[number]!;
  return {
    // XGBoost has leaf values among the conditions; the engines and Vespa read them here.
    base_weights: Float32Array.from(each(() => 0, leaf)),
    categories: Int32Array.from(split.flatMap(({ codes }) => codes)),
    categories_nodes: Int32Array.from(split, ({ place }) => place),
    categories_segments: BigInt64Array.from(starts, BigInt),
    categories_sizes: BigInt64Array.from(split, ({ codes }) => BigInt(codes.length)),
    default_left: Uint8Array.from(each(node => Number(writtenOf(node).missingLeft))),
    id,
    left_children: Int32Array.from(left),
    loss_changes: Float32Array.from(each(node => tree.gain[node]!)),
    parents: Int32Array.from(parents),
    right_children: Int32Array.from(left, child => (child < 0 ? -1 : child + 1)),
    split_conditions: Float32Array.from(each(node => writtenOf(node).condition, leaf)),
    split_indices: Int32Array.from(each(node => columns[tree.feature[node]!]!)),
    split_type: Uint8Array.from(each(node => Number(isByCategory(tree, node)))),
    sum_hessian: Float32Array.from(
      each(
        node => tree.documents[node]!,
        number => tree.leafDocuments?.[number] ?? 0,
      ),
    ),
    tree_param: {
      num_deleted: '0',
      num_feature: String(width),
      num_nodes: String(nodes.length),
      size_leaf_vector: '0',
    },
  };
}

const RULE = '`<` goes left, float32; a missing value goes the way of its node; float32 sums';

export const xgboost: ModelFormat = {
  name: 'xgboost',
  title: 'XGBoost model (JSON of save_model; UBJSON is read)',
  rule: RULE,
  recognise: start => /^\s*\{\s*"(learner|version)"/.test(start) || UBJSON.test(start) || /^(binf|bs64)/.test(start),
  reads: ['trees', 'linear'],
  read,
  writes: { trees: treesWriter(asJson), linear: linearWriter(asJson) },
  transforms: { trees: ['sigmoid'] },
};

export const xgboostUbj: ModelFormat = {
  name: 'xgboost-ubj',
  aliases: ['ubj', 'ubjson'],
  title: 'XGBoost model (UBJSON of save_model)',
  rule: RULE,
  extensions: ['.ubj'],
  writes: { trees: treesWriter(asUbjson), linear: linearWriter(asUbjson) },
  transforms: { trees: ['sigmoid'] },
};

export const xgboostRaw: ModelFormat = {
  name: 'xgboost-raw',
  aliases: ['xgboost+json+raw', 'model/xgboost+json+raw'],
  title: "XGBoost model (JSON) as the engines' model/xgboost+json+raw",
  rule: '`<` goes left, float32; a missing value as the version has it; leaves in base_weights; float32 sums, no base score',
  writes: { trees: treesWriter(asRaw) },
  transforms: { trees: ['sigmoid'] },
  engine: { type: 'model/xgboost+json+raw' },
};
