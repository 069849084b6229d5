/** Writes ONNX; see onnx.ts. */
import type { LinearModel } from '../../models/linear/linear.js';
import type { NetModel } from '../../models/net/net.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { refuseCategories } from '../categories.js';
import { inputsOf } from '../features.js';
import type { Changes, ExportJob, Writers, WrittenFile } from '../format.js';
import { loneLeaf, loseZeroMissing, noteWidth, treesWithBase } from '../tree-writer.js';
import { attribute, encodeModel, type GraphNode, ops, tensor } from './onnx-schema.js';

function writeTrees(model: TreesModel, job: ExportJob): WrittenFile[] {
  refuseCategories(model, 'the TreeEnsembleRegressor of ONNX');
  noteWidth(model, 'float32', job);
  loseZeroMissing(model, job.changes);
  const { names, of } = inputsOf(model.featureNames, job);
  const trees = treesWithBase(model);
  const nodes = (trees.length > 0 ? trees : [loneLeaf(0)]).flatMap((tree, id) => nodesOf(tree, id, of));
  const all = <Key extends keyof OnnxNode>(key: Key) => nodes.map(node => node[key]);
  const leaves = nodes.filter(node => node.mode === 'LEAF');
  const node: GraphNode = {
    opType: 'TreeEnsembleRegressor',
    domain: 'ai.onnx.ml',
    input: ['features'],
    output: ['scores'],
    attribute: [
      attribute.string('aggregate_function', 'SUM'),
      attribute.int('n_targets', 1),
      attribute.ints('nodes_treeids', all('tree')),
      attribute.ints('nodes_nodeids', all('id')),
      attribute.ints('nodes_featureids', all('feature')),
      attribute.floats('nodes_values', all('threshold')),
      attribute.strings('nodes_modes', all('mode')),
      attribute.ints('nodes_truenodeids', all('left')),
      attribute.ints('nodes_falsenodeids', all('right')),
      attribute.ints('nodes_missing_value_tracks_true', all('missingLeft')),
      attribute.string('post_transform', 'NONE'),
      attribute.ints(
        'target_ids',
        leaves.map(() => 0),
      ),
      attribute.ints(
        'target_treeids',
        leaves.map(leaf => leaf.tree),
      ),
      attribute.ints(
        'target_nodeids',
        leaves.map(leaf => leaf.id),
      ),
      attribute.floats(
        'target_weights',
        leaves.map(leaf => leaf.value),
      ),
    ],
  };
  return [{ path: job.target, content: encodeModel([node], [], names) }];
}

interface OnnxNode {
  tree: number;
  id: number;
  mode: 'BRANCH_LEQ' | 'LEAF';
  feature: number;
  threshold: number;
  missingLeft: number;
  left: number;
  right: number;
  value: number;
}

/** Splits keep their numbers, leaves follow. */
function nodesOf(tree: Tree, id: number, places: Int32Array): OnnxNode[] {
  const splits = tree.feature.length;
  const number = (child: number) => (child < 0 ? splits + ~child : child);
  const leaf = { tree: id, mode: 'LEAF', feature: 0, threshold: 0, missingLeft: 0, left: 0, right: 0 } as const;
  return [
    ...Array.from(
      tree.feature,
      (feature, node): OnnxNode => ({
        tree: id,
        id: node,
        mode: 'BRANCH_LEQ',
        feature: places[feature]!,
        threshold: tree.threshold[node]!,
        missingLeft: tree.missingLeft[node]!,
        left: number(tree.left[node]!),
        right: number(tree.right[node]!),
        value: 0,
      }),
    ),
    ...Array.from(tree.value, (value, i): OnnxNode => ({ ...leaf, id: splits + i, value })),
  ];
}

/** Values spread over the inputs; `or` where the model has no feature. */
function spread(values: ArrayLike<number>, places: Int32Array, width: number, or: number): Float32Array {
  const row = new Float32Array(width).fill(or);
  for (let f = 0; f < places.length; f++) row[places[f]!] = values[f]!;
  return row;
}

function op(opType: string, input: readonly string[], output: string): GraphNode {
  return { opType, input, output: [output], ...(opType === 'Gemm' ? { attribute: [attribute.int('transB', 1)] } : {}) };
}

function noteFloat(changes: Changes): void {
  changes.notice('numbers and sums are 32-bit there, 64-bit here');
}

/** Missing values are filled in, features standardised, then weighed. */
function writeLinear(model: LinearModel, job: ExportJob): WrittenFile[] {
  noteFloat(job.changes);
  const { names, of } = inputsOf(model.featureNames, job);
  const n = names.length;
  const nodes = [
    op('IsNaN', ['features'], 'missing'),
    op('Where', ['missing', 'fill', 'features'], 'filled'),
    op('Sub', ['filled', 'mean'], 'centred'),
    op('Div', ['centred', 'scale'], 'standardised'),
    op('Gemm', ['standardised', 'weights0', 'bias0'], 'scores'),
  ];
  const tensors = [
    tensor('fill', [1, n], spread(model.missing, of, n, 0)),
    tensor('mean', [1, n], spread(model.mean, of, n, 0)),
    tensor('scale', [1, n], spread(model.scale, of, n, 1)),
    tensor('weights0', [1, n], spread(model.weights, of, n, 0)),
    tensor('bias0', [1], [model.bias]),
  ];
  return [{ path: job.target, content: encodeModel(nodes, tensors, names) }];
}

/** Features are standardised, missing ones are 0 after that; then layer by layer. */
function writeNet(model: NetModel, job: ExportJob): WrittenFile[] {
  noteFloat(job.changes);
  const { names, of } = inputsOf(model.featureNames, job);
  const n = names.length;
  const nodes = [
    op('Sub', ['features', 'mean'], 'centred'),
    op('Div', ['centred', 'scale'], 'standardised'),
    op('IsNaN', ['standardised'], 'missing'),
    op('Where', ['missing', 'fill', 'standardised'], 'active0'),
  ];
  const tensors = [
    tensor('mean', [1, n], spread(model.mean, of, n, 0)),
    tensor('scale', [1, n], spread(model.scale, of, n, 1)),
    tensor('fill', [1, n], new Float32Array(n)),
  ];
  model.layers.forEach(({ inputs, units, weights, bias }, l) => {
    const last = l === model.layers.length - 1;
    nodes.push(op('Gemm', [`active${l}`, `weights${l}`, `bias${l}`], last ? 'scores' : `sums${l}`));
    if (!last) nodes.push(op(ops[model.shape.activation], [`sums${l}`], `active${l + 1}`));
    const rows = Array.from({ length: units }, (_, u) => {
      const row = model.parameters.subarray(weights + u * inputs, weights + (u + 1) * inputs);
      return l === 0 ? spread(row, of, n, 0) : Float32Array.from(row);
    });
    tensors.push(
      tensor(
        `weights${l}`,
        [units, rows[0]!.length],
        rows.flatMap(row => [...row]),
      ),
    );
    tensors.push(tensor(`bias${l}`, [units], model.parameters.subarray(bias, bias + units)));
  });
  return [{ path: job.target, content: encodeModel(nodes, tensors, names) }];
}

export const writes: Writers = { trees: writeTrees, linear: writeLinear, net: writeNet };
