/**
 * XGBoost's JSON dump, which Elasticsearch and OpenSearch take as `model/xgboost+json`: nested trees, features by name,
 * no base score. The rule is in xgboost-rule.ts; the engines round every sum to 32 bits as well.
 */
import { quote } from '../../errors.js';
import { hasLevel, type LevelSet } from '../../kernels/level-set.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { readLevelSet, refuseCategories } from '../categories.js';
import { largest, nameColumns, nameUsed, placesIn, renumber } from '../features.js';
import {
  type ExportJob,
  type ImportJob,
  invalid,
  type ModelFormat,
  textOf,
  unsupported,
  type WrittenFile,
} from '../format.js';
import { JsonReader } from '../json-reader.js';
import { buildTree, type ReadNode, treesModel } from '../tree-builder.js';
import { loseZeroMissing, noteWidth, refuseDeepTrees, treesWithBase } from '../tree-writer.js';
import { strictNode } from '../written-node.js';
import { LOGISTIC, marginOf, real, thresholdOf } from './xgboost-rule.js';

// ---- reading

const TEXT_DUMP = /^booster\[\d+\]:/;

function read(content: Uint8Array, job: ImportJob): TreesModel {
  if (TEXT_DUMP.test(textOf(content.subarray(0, 64))))
    unsupported(
      job,
      'it is a dump as text; dump it with dump_format="json", or save it with a name that ends in .json',
    );
  const file = JsonReader.parse(content, job, { infinite: true });
  if (file.has('objective')) marginOf(file.at('objective').text(), 0.5, job);
  const names: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, names.length);
    return names.push(name) - 1;
  };
  const list = (file.isObject() ? file.at('splits') : file).list();
  if (list[0]?.has('bias'))
    unsupported(job, 'it is the dump of a linear booster (gblinear); save it with a name that ends in .json');
  const asZero = file.isObject() && file.has('missing_as_zero') && file.at('missing_as_zero').value === true;
  const trees = list.map(tree => buildTree(tree, node => readNode(node, numberOf, asZero, job), job));
  job.changes.notice(
    "a dump leaves out XGBoost's base score, DART's weights and the number of classes; scores are the plain sums",
  );
  return treesModel({ ...named(names, trees, job), sums: 'float32' });
}

/** Features that XGBoost had no names for are called f0, f1 and so on. */
function named(names: readonly string[], trees: readonly Tree[], job: ImportJob) {
  const columns = names.map(name => (/^f\d+$/.test(name) ? Number(name.slice(1)) : Number.NaN));
  const known = new Set(job.featureSet);
  if (names.length === 0 || columns.some(Number.isNaN) || names.some(name => known.has(name))) {
    return nameUsed(names, trees, job);
  }
  const width = largest(columns) + 1;
  return nameColumns(
    { width, open: true },
    renumber(trees, feature => columns[feature]!),
    job,
  );
}

/** `asZero` is OpenSearch's `missing_as_zero`: a missing value is 0, whatever its node says. */
function readNode(
  node: JsonReader,
  numberOf: (name: string) => number,
  asZero: boolean,
  job: ImportJob,
): ReadNode<JsonReader> {
  if (node.has('leaf')) {
    const leaf = node.at('leaf');
    if (Array.isArray(leaf.value)) unsupported(job, 'a tree has vectors in its leaves; a ranking needs one score');
    return { value: Math.fround(leaf.number()), documents: coverOf(node) };
  }
  const feature = node.at('split').text();
  const condition = node.at('split_condition');
  if (condition.value === undefined) {
    unsupported(job, `feature ${quote(feature)} is an indicator (yes or no); splits are by thresholds here`);
  }
  const children = node.at('children').list();
  const child = (key: string) => {
    const id = node.at(key).whole();
    return (
      children.find(one => one.at('nodeid').whole() === id) ??
      invalid(job, `node ${id}, "${key}" of its parent, is missing`)
    );
  };
  const left = child('yes');
  const test = Array.isArray(condition.value)
    ? { threshold: 0, levels: readLevelSet(condition.numbers(), job) }
    : { threshold: thresholdOf(condition.extended()) };
  return {
    feature: numberOf(feature),
    ...test,
    left,
    right: child('no'),
    missingLeft: asZero ? zeroGoesLeft(test) : child('missing') === left,
    documents: coverOf(node),
  };
}

function zeroGoesLeft({ threshold, levels }: { threshold: number; levels?: LevelSet }): boolean {
  return levels === undefined ? 0 <= threshold : hasLevel(levels, 0);
}

/** Dumps with statistics have it. */
function coverOf(node: JsonReader): number | undefined {
  return node.has('cover') ? node.at('cover').number() : undefined;
}

// ---- writing

function write(model: TreesModel, job: ExportJob): WrittenFile[] {
  refuseDeepTrees(model);
  refuseCategories(model, 'the model/xgboost+json of search engines');
  noteWidth(model, 'float32', job);
  loseZeroMissing(model, job.changes);
  if (job.featureSet !== undefined) placesIn(job.featureSet, model.featureNames);
  const trees = treesWithBase(model).map(tree => printTree(tree, model.featureNames));
  const splits = `[\n${trees.join(',\n')}\n]`;
  const content = job.transform === 'sigmoid' ? `{"objective":"${LOGISTIC}","splits":${splits}}` : splits;
  return [{ path: job.target, content: `${content}\n` }];
}

function printTree(tree: Tree, names: readonly string[]): string {
  let nodes = 0;
  const print = (node: number, id: number, depth: number): string => {
    if (node < 0) return `{"nodeid":${id},"leaf":${real(tree.value[~node]!)}}`;
    const yes = ++nodes;
    const no = ++nodes;
    const { condition, left, right, missingLeft } = strictNode(tree, node);
    return (
      `{"nodeid":${id},"depth":${depth},"split":${JSON.stringify(names[tree.feature[node]!])},` +
      `"split_condition":${real(condition)},"yes":${yes},"no":${no},"missing":${missingLeft ? yes : no},` +
      `"children":[${print(left, yes, depth + 1)},${print(right, no, depth + 1)}]}`
    );
  };
  return print(tree.feature.length > 0 ? 0 : ~0, 0, 0);
}

export const xgboostDump: ModelFormat = {
  name: 'xgboost-dump',
  aliases: ['xgboost+json', 'model/xgboost+json'],
  title: "XGBoost's JSON dump, the engines' model/xgboost+json",
  rule: '`<` goes left, float32; a missing value goes the way of its node; float32 sums, no base score',
  recognise: start =>
    /^\s*\[\s*(\{\s*"(nodeid|leaf|bias)"|\])/.test(start) ||
    /^\s*\{\s*"(objective|splits)"/.test(start) ||
    TEXT_DUMP.test(start),
  namesUsedOnly: true,
  reads: ['trees'],
  read,
  writes: { trees: write },
  transforms: { trees: ['sigmoid'] },
  engine: { type: 'model/xgboost+json' },
};
