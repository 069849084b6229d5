/**
 * LightGBM's dump as JSON (dump_model), which Vespa takes as `lightgbm()`: nested trees. LightGBM itself does not read
 * it. The rule is LightGBM's; Vespa compares with `<`, and a threshold between two float32 makes both the same.
 */
import { levelsOf } from '../../kernels/level-set.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { codesNote, readLevelSet, refuseCategories } from '../categories.js';
import { nameColumns } from '../features.js';
import { type ExportJob, type ImportJob, invalid, type ModelFormat, unsupported, type WrittenFile } from '../format.js';
import { JsonReader } from '../json-reader.js';
import { buildTree, type ReadNode, treesModel } from '../tree-builder.js';
import { noteWidth, refuseDeepTrees, treesWithBase } from '../tree-writer.js';
import { wideNode } from '../written-node.js';
import {
  averagedTrees,
  DEFAULT_LEFT,
  lightgbmColumns,
  loseMissingLevels,
  loseTinyThresholds,
  MISSING,
  MISSING_SHIFT,
  noteOutput,
  objectiveOf,
  testOf,
} from './lightgbm.js';

const missingTypes: Readonly<Record<string, number>> = { None: MISSING.none, Zero: MISSING.zero, NaN: MISSING.nan };

// ---- reading

function read(content: Uint8Array, job: ImportJob): TreesModel {
  const file = JsonReader.parse(content, job, { infinite: true });
  const classes = file.at('num_class').whole();
  if (classes !== 1)
    unsupported(job, `a model of ${classes} classes has several scores a document; a ranking needs one`);
  noteOutput(file.has('objective') ? file.at('objective').text() : 'custom', job);
  const names = file.at('feature_names').strings();
  const read = file
    .at('tree_info')
    .list()
    .map(tree => buildTree(tree.at('tree_structure'), node => readNode(node, names.length, job), job));
  if (read.length === 0) invalid(job, 'there are no trees in the file');
  const unnamed = names.every((name, column) => name === `Column_${column}`);
  const { featureNames, trees } = nameColumns({ width: names.length, names: unnamed ? undefined : names }, read, job);
  const averages = file.has('average_output') && file.at('average_output').value === true;
  return treesModel({ featureNames, trees: averages ? averagedTrees(trees, job) : trees });
}

function readNode(node: JsonReader, width: number, job: ImportJob): ReadNode<JsonReader> {
  const counted = (key: string) => (node.has(key) ? node.at(key).number() : undefined);
  if (!node.has('split_feature')) {
    if (node.has('leaf_coeff'))
      unsupported(job, 'a tree has linear models in its leaves (linear_tree); leaves are constants here');
    return { value: node.at('leaf_value').number(), documents: counted('leaf_count') };
  }
  const feature = node.at('split_feature').whole();
  if (!(feature >= 0 && feature < width)) invalid(job, `a split is by feature ${feature}, and there are ${width}`);
  const gain = counted('split_gain');
  return {
    feature,
    left: node.at('left_child'),
    right: node.at('right_child'),
    ...(gain === undefined ? {} : { gain }),
    documents: counted('internal_count'),
    ...testIn(node, job),
  };
}

function testIn(node: JsonReader, job: ImportJob) {
  const kind = node.at('decision_type').text();
  if (kind === '==') {
    const text = node.at('threshold').text();
    const codes = text === '' ? [] : text.split('||').map(Number);
    return { threshold: 0, missingLeft: false, levels: readLevelSet(codes, job) };
  }
  if (kind !== '<=') unsupported(job, `a split compares by ${JSON.stringify(kind)}; "<=" and "==" are known`);
  const missing = missingTypes[node.at('missing_type').text()] ?? node.at('missing_type').fail('None, Zero or NaN');
  const left = node.at('default_left').value === true ? DEFAULT_LEFT : 0;
  return testOf(node.at('threshold').extended(), (missing << MISSING_SHIFT) | left);
}

// ---- writing

function write(model: TreesModel, job: ExportJob): WrittenFile[] {
  refuseDeepTrees(model);
  // Vespa compares with the names of levels there, as texts; codes would be in no set.
  if (job.rule !== undefined) refuseCategories(model, "LightGBM's dump for search engines");
  noteWidth(model, 'float64', job);
  loseTinyThresholds(model, job.changes);
  loseMissingLevels(model, job.changes);
  const note = codesNote(model);
  if (note !== undefined) job.changes.notice(note);
  const { columns, names } = lightgbmColumns(model, job);
  const trees = treesWithBase(model).map((tree, number) => ({
    tree_index: number,
    num_leaves: tree.value.length,
    num_cat: tree.leftLevels?.filter(set => set !== undefined).length ?? 0,
    shrinkage: 1,
    tree_structure: structureOf(tree, columns.of),
  }));
  const dump = {
    name: 'tree',
    version: 'v4',
    num_class: 1,
    num_tree_per_iteration: 1,
    label_index: 0,
    max_feature_idx: names.length - 1,
    objective: objectiveOf(job),
    average_output: false,
    feature_names: names,
    monotone_constraints: [],
    feature_infos: Object.fromEntries(names.map(name => [name, { min_value: -3.4e38, max_value: 3.4e38, values: [] }])),
    tree_info: trees,
    feature_importances: {},
    // Vespa asks for it.
    pandas_categorical: [],
  };
  return [{ path: job.target, content: `${JSON.stringify(dump)}\n` }];
}

function structureOf(tree: Tree, columns: Int32Array): object {
  const print = (node: number): object => {
    if (node < 0) {
      const leaf = ~node;
      const count = Math.round(tree.leafDocuments?.[leaf] ?? 0);
      return { leaf_index: leaf, leaf_value: tree.value[leaf], leaf_weight: 0, leaf_count: count };
    }
    return {
      split_index: node,
      split_feature: columns[tree.feature[node]!],
      split_gain: tree.gain[node],
      ...writtenTest(tree, node),
      internal_value: 0,
      internal_weight: 0,
      internal_count: Math.round(tree.documents[node]!),
      left_child: print(tree.left[node]!),
      right_child: print(tree.right[node]!),
    };
  };
  return print(tree.feature.length > 0 ? 0 : ~0);
}

/** As `testIn` reads it. */
function writtenTest(tree: Tree, node: number): object {
  const levels = tree.leftLevels?.[node];
  if (levels !== undefined) {
    const threshold = levelsOf(levels).join('||');
    return { threshold, decision_type: '==', default_left: false, missing_type: 'NaN' };
  }
  const { condition, missingLeft } = wideNode(tree, node);
  const missing = tree.zeroMissing?.[node] === 1 ? 'Zero' : 'NaN';
  return { threshold: condition, decision_type: '<=', default_left: missingLeft, missing_type: missing };
}

export const lightgbmDump: ModelFormat = {
  name: 'lightgbm-dump',
  aliases: ['lightgbm+json'],
  title: "LightGBM's dump (JSON of dump_model), as Vespa takes it",
  rule: '`<=` goes left (Vespa: `<`), float64; a missing value goes the way of its node, or counts as 0; float64 sums',
  recognise: start => /^\s*\{\s*"name"\s*:\s*"tree"/.test(start),
  reads: ['trees'],
  read,
  writes: { trees: write },
  transforms: { trees: ['sigmoid'] },
};
