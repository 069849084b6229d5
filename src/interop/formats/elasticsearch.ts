/**
 * A trained model of Elasticsearch itself (8.12 and later): the body of `PUT _ml/trained_models/ID`, in which the trees
 * are JSON, gzipped, in base 64. Its rule: values are float32 scores of queries, compared as 64 bits with `lte` or
 * `lt`; a missing value goes the way of its node; the sum keeps what rounding takes away, and is rounded to 32 bits.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { refuseCategories } from '../categories.js';
import { queryOf } from '../feature-query.js';
import { narrowThreshold, nextBelow } from '../float32.js';
import { type ExportJob, type ImportJob, invalid, type ModelFormat, unsupported, type WrittenFile } from '../format.js';
import { JsonReader } from '../json-reader.js';
import { buildTree, type ReadNode, treesModel } from '../tree-builder.js';
import { loseZeroMissing, noteWidth, treesWithBase } from '../tree-writer.js';
import { plainNode } from '../written-node.js';

// ---- reading

function read(content: Uint8Array, job: ImportJob): TreesModel {
  const file = JsonReader.parse(content, job);
  const body = file.has('trained_model_configs') ? file.at('trained_model_configs').list()[0]! : file;
  const definition = body.has('compressed_definition')
    ? unpacked(body.at('compressed_definition').text(), job)
    : body.has('definition')
      ? body.at('definition')
      : body;
  const model = definition.at('trained_model');
  if (!model.has('ensemble') && !model.has('tree'))
    unsupported(job, `it holds ${Object.keys(model.object()).join(', ')}; an ensemble or a tree is read`);
  const ensemble = model.has('ensemble') ? model.at('ensemble') : undefined;
  const list = ensemble
    ?.at('trained_models')
    .list()
    .map(one => one.at('tree')) ?? [model.at('tree')];
  const names = (ensemble ?? model.at('tree')).at('feature_names').strings();
  const target = (ensemble ?? model.at('tree')).at('target_type').text();
  if (target !== 'regression') unsupported(job, `its target is ${target}; a ranking needs regression`);
  const output = ensemble?.has('aggregate_output') ? ensemble.at('aggregate_output') : undefined;
  if (output !== undefined && !output.has('weighted_sum'))
    unsupported(job, `it aggregates by ${Object.keys(output.object()).join(', ')}; weighted_sum is read`);
  const sum = output?.at('weighted_sum');
  const weights = sum?.has('weights') ? sum.at('weights').numbers(list.length) : list.map(() => 1);
  const trees = list.map((tree, t) => {
    const own = tree.at('feature_names').strings();
    const places = own.map(name => names.indexOf(name));
    return readTree(tree.at('tree_structure').list(), places, weights[t]!, job);
  });
  if (trees.length === 0) invalid(job, 'there are no trees in the file');
  job.changes.notice('sums are rounded to 32 bits in Elasticsearch, at the end');
  return treesModel({ featureNames: names, trees });
}

function unpacked(text: string, job: ImportJob): JsonReader {
  let bytes: Uint8Array;
  try {
    bytes = gunzipSync(Buffer.from(text, 'base64'));
  } catch {
    return invalid(job, '"compressed_definition" is not gzip in base 64');
  }
  return JsonReader.parse(bytes, job);
}

function readTree(list: readonly JsonReader[], places: readonly number[], weight: number, job: ImportJob): Tree {
  const nodes = new Map(list.map(node => [node.at('node_index').whole(), node]));
  const nodeOf = (id: number): ReadNode<number> => {
    const node = nodes.get(id) ?? invalid(job, `a tree has no node ${id}, which is a child`);
    const documents = node.has('number_samples') ? node.at('number_samples').number() : undefined;
    if (!node.has('left_child')) {
      const leaf = node.at('leaf_value');
      const value = Array.isArray(leaf.value) ? leaf.numbers(1)[0]! : leaf.number();
      return { value: value * weight, documents };
    }
    const feature = places[node.at('split_feature').whole()] ?? -1;
    if (feature < 0) invalid(job, `node ${id} splits by a feature that has no name`);
    const strict = node.has('decision_type') && node.at('decision_type').text().toLowerCase() === 'lt';
    const threshold = node.at('threshold').number();
    const gain = node.has('split_gain') ? { gain: node.at('split_gain').number() } : {};
    return {
      feature,
      threshold: strict ? below(threshold) : narrowThreshold(threshold),
      missingLeft: node.has('default_left') && node.at('default_left').value === true,
      left: node.at('left_child').whole(),
      right: node.at('right_child').whole(),
      ...gain,
      documents,
    };
  };
  return buildTree(0, nodeOf, job);
}

/** The largest float32 below. */
function below(value: number): number {
  const near = Math.fround(value);
  return near < value ? near : nextBelow(near);
}

// ---- writing

function write(model: TreesModel, job: ExportJob): WrittenFile[] {
  refuseCategories(model, 'the trained model of Elasticsearch');
  loseZeroMissing(model, job.changes);
  noteWidth(model, 'float64', job);
  job.changes.notice('sums are rounded to 32 bits in Elasticsearch, at the end');
  const names = model.featureNames;
  const trees = treesWithBase(model).map(tree => ({
    tree: { feature_names: names, tree_structure: structureOf(tree), target_type: 'regression' },
  }));
  const ensemble = {
    feature_names: names,
    trained_models: trees,
    aggregate_output: { weighted_sum: { weights: trees.map(() => 1) } },
    target_type: 'regression',
  };
  const definition = JSON.stringify({ preprocessors: [], trained_model: { ensemble } });
  const body = {
    description: 'Learning to rank, by listwise',
    model_type: 'tree_ensemble',
    inference_config: { learning_to_rank: { feature_extractors: extractorsOf(names, job) } },
    input: { field_names: names },
    compressed_definition: gzipSync(definition, { level: 9 }).toString('base64'),
  };
  return [{ path: job.target, content: `${JSON.stringify(body, undefined, 2)}\n` }];
}

/** A query for each feature: of the feature set, or the words in a field of its name, to be changed. */
function extractorsOf(names: readonly string[], { queries }: ExportJob) {
  return names.map(name => ({
    query_extractor: { feature_name: name, query: queryOf(name, queries) },
  }));
}

function structureOf(tree: Tree): object[] {
  const nodes: object[] = [];
  const place = (node: number): number => {
    const index = nodes.length;
    nodes.push({});
    if (node < 0) {
      nodes[index] = {
        node_index: index,
        leaf_value: [tree.value[~node]],
        number_samples: samples(tree.leafDocuments?.[~node]),
      };
      return index;
    }
    const { condition, left, right, missingLeft } = plainNode(tree, node);
    nodes[index] = {
      node_index: index,
      split_feature: tree.feature[node],
      split_gain: tree.gain[node],
      threshold: condition,
      decision_type: 'lte',
      default_left: missingLeft,
      left_child: place(left),
      right_child: place(right),
      number_samples: samples(tree.documents[node]),
    };
    return index;
  };
  place(tree.feature.length > 0 ? 0 : ~0);
  return nodes;
}

/** For Elasticsearch's feature importance, which divides by it. */
function samples(documents: number | undefined): number {
  return Math.max(1, Math.round(documents ?? 0));
}

export const elasticsearch: ModelFormat = {
  name: 'elasticsearch',
  aliases: ['trained-model'],
  title: "Elasticsearch's own trained model (body of PUT _ml/trained_models)",
  rule: '`<=` goes left, float64; a missing value goes the way of its node; compensated float64 sums, rounded to float32',
  recognise: start =>
    /"(compressed_definition|trained_model_configs|tree_structure)"\s*:/.test(start) ||
    /"inference_config"\s*:\s*\{\s*"(learning_to_rank|regression)"/.test(start),
  reads: ['trees'],
  read,
  writes: { trees: write },
  body: true,
};
