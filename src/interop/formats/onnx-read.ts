/** Reads ONNX; see onnx.ts. */
import { quote } from '../../errors.js';
import { activations } from '../../kernels/layouts/dense.js';
import type { Model } from '../../models/all.js';
import { LinearModel } from '../../models/linear/linear.js';
import { NetModel } from '../../models/net/net.js';
import type { TreesModel } from '../../models/trees/trees.js';
import { checkWidth, distinct, largest } from '../features.js';
import { nextBelow } from '../float32.js';
import { type ImportJob, invalid, unsupported } from '../format.js';
import { buildTree, type ReadNode, treesModel } from '../tree-builder.js';
import { loneLeaf } from '../tree-writer.js';
import { decodeModel, FLOAT, type Graph, type GraphNode, type OnnxModel, ops, type Tensor } from './onnx-schema.js';

export function read(content: Uint8Array, job: ImportJob): Model {
  let model: OnnxModel;
  try {
    model = decodeModel(content);
  } catch (error) {
    return invalid(job, `it is not an ONNX file: ${error instanceof Error ? error.message : error}`);
  }
  const { graph } = model;
  if (graph === undefined) return invalid(job, 'it is not an ONNX file: it has no graph');
  const width = graph.input?.[0]?.type?.tensorType?.shape?.dim?.[1]?.dimValue;
  const nodes = graph.node ?? [];
  const shape = nodes.map(node => node.opType).join(' ');
  const reader = readers.find(({ pattern }) => pattern.test(shape));
  if (reader === undefined) {
    return unsupported(
      job,
      `a graph of ${quote(shape)} is not read; TreeEnsembleRegressor, LinearRegressor and what convert writes for linear models and nets are`,
    );
  }
  return reader.read(nodes, { graph, names: namesIn(model), width, job });
}

interface Reading {
  readonly graph: Graph;
  readonly names: readonly string[] | undefined;
  readonly width: number | undefined;
  readonly job: ImportJob;
}

const readers: readonly { pattern: RegExp; read(nodes: readonly GraphNode[], reading: Reading): Model }[] = [
  { pattern: /^TreeEnsembleRegressor$/, read: ([node], reading) => readTrees(node!, reading) },
  { pattern: /^LinearRegressor$/, read: ([node], reading) => readRegressor(node!, reading) },
  { pattern: /^IsNaN Where Sub Div Gemm$/, read: (_, reading) => readLinear(reading) },
  { pattern: /^Sub Div IsNaN Where( Gemm (Tanh|Sigmoid|Relu))+ Gemm$/, read: readNet },
];

function namesIn(model: OnnxModel): readonly string[] | undefined {
  const text = model.metadataProps?.find(({ key }) => key === 'feature_names')?.value;
  if (text === undefined) return undefined;
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) && names.every(name => typeof name === 'string') ? names : undefined;
  } catch {
    return undefined;
  }
}

function featureNames({ names, job }: Reading, width: number): string[] {
  const known = names ?? job.featureSet;
  if (known === undefined) {
    const base = job.featureBase ?? 1;
    job.changes.notice(
      `features have no names in the file: they are called ${base} to ${width - 1 + base} by their order`,
    );
    return Array.from({ length: width }, (_, f) => String(f + base));
  }
  if (known.length !== width) invalid(job, `there are ${known.length} feature names for ${width} features`);
  return distinct(known, job);
}

class Attributes {
  readonly #node: GraphNode;
  readonly #job: ImportJob;

  constructor(node: GraphNode, job: ImportJob) {
    this.#node = node;
    this.#job = job;
    const other = node.attribute?.find(({ name }) => name?.endsWith('_as_tensor'));
    if (other !== undefined) unsupported(job, `"${other.name}" holds 64-bit numbers; 32-bit ones are read`);
  }

  #find(name: string) {
    return this.#node.attribute?.find(attribute => attribute.name === name);
  }

  text(name: string, or: string): string {
    const bytes = this.#find(name)?.s;
    return bytes === undefined ? or : new TextDecoder().decode(bytes);
  }

  int(name: string, or: number): number {
    return this.#find(name)?.i ?? or;
  }

  /** `length` where there must be so many. */
  floats(name: string, length?: number): readonly number[] {
    return this.#sized(name, this.#find(name)?.floats ?? [], length);
  }

  ints(name: string, length?: number): readonly number[] {
    return this.#sized(name, this.#find(name)?.ints ?? [], length);
  }

  strings(name: string, length: number): string[] {
    const bytes = this.#sized(name, this.#find(name)?.strings ?? [], length);
    const decoder = new TextDecoder();
    return bytes.map(value => decoder.decode(value));
  }

  #sized<T>(name: string, values: readonly T[], length: number | undefined): readonly T[] {
    if (length !== undefined && values.length !== length)
      invalid(this.#job, `"${name}" has ${values.length} values, not ${length}`);
    return values;
  }
}

function readTrees(node: GraphNode, reading: Reading): TreesModel {
  const { job } = reading;
  const attributes = new Attributes(node, job);
  const targets = attributes.int('n_targets', 1);
  if (targets !== 1)
    unsupported(job, `a model of ${targets} targets has several scores a document; a ranking needs one`);
  const aggregate = attributes.text('aggregate_function', 'SUM');
  if (aggregate !== 'SUM') unsupported(job, `scores are sums of leaves here; the file asks for ${quote(aggregate)}`);
  const transform = attributes.text('post_transform', 'NONE');
  if (transform !== 'NONE')
    job.changes.loses(`the file applies ${quote(transform)} to the sum; scores here are the sums`);
  const ids = attributes.ints('nodes_nodeids');
  const n = ids.length;
  const treeIds = attributes.ints('nodes_treeids', n);
  const feature = attributes.ints('nodes_featureids', n);
  const threshold = attributes.floats('nodes_values', n);
  const modes = attributes.strings('nodes_modes', n);
  const yes = attributes.ints('nodes_truenodeids', n);
  const no = attributes.ints('nodes_falsenodeids', n);
  const given = attributes.ints('nodes_missing_value_tracks_true');
  const tracks = given.length === 0 ? given : attributes.ints('nodes_missing_value_tracks_true', n);
  const weights = attributes.floats('target_weights');
  const targetNodes = attributes.ints('target_nodeids', weights.length);
  const targetTrees = attributes.ints('target_treeids', weights.length);
  const key = (tree: number, node: number) => tree * 2 ** 32 + node;
  const place = new Map(ids.map((id, i) => [key(treeIds[i]!, id), i]));
  const leafValue = new Map<number, number>();
  weights.forEach((weight, i) => {
    const at = place.get(key(targetTrees[i]!, targetNodes[i]!));
    if (at !== undefined) leafValue.set(at, (leafValue.get(at) ?? 0) + weight);
  });
  const childOf = (i: number, child: number) =>
    place.get(key(treeIds[i]!, child)) ?? invalid(job, `node ${child} of tree ${treeIds[i]} is missing`);
  const nodeOf = (i: number): ReadNode<number> => {
    const mode = modes[i]!;
    if (mode === 'LEAF') return { value: leafValue.get(i) ?? 0 };
    const compare = comparisons[mode];
    if (compare === undefined)
      return unsupported(job, `nodes of mode ${quote(mode)} are not read; ${Object.keys(comparisons).join(', ')} are`);
    const [whenTrue, whenFalse] = [childOf(i, yes[i]!), childOf(i, no[i]!)];
    return {
      feature: feature[i]!,
      threshold: compare.below ? nextBelow(threshold[i]!) : threshold[i]!,
      missingLeft: (tracks[i] === 1) === compare.trueLeft,
      left: compare.trueLeft ? whenTrue : whenFalse,
      right: compare.trueLeft ? whenFalse : whenTrue,
    };
  };
  const isChild = new Set(
    ids.flatMap((_, i) => (modes[i] === 'LEAF' ? [] : [childOf(i, yes[i]!), childOf(i, no[i]!)])),
  );
  const roots = ids.map((_, i) => i).filter(i => !isChild.has(i));
  const trees = roots.map(root => buildTree(root, nodeOf, job));
  const width = reading.width ?? largest(feature) + 1;
  checkWidth(width, job);
  if (feature.some(f => f < 0 || f >= width))
    invalid(job, `a node asks for a feature that is not among the ${width} there are`);
  // A base is added after the trees: a last tree of one leaf.
  const base = attributes.floats('base_values')[0] ?? 0;
  return treesModel({
    featureNames: featureNames(reading, width),
    sums: 'float32',
    trees: base === 0 ? trees : [...trees, loneLeaf(base)],
  });
}

/** How a comparison reads as "up to a threshold goes left". */
const comparisons: Readonly<Record<string, { below: boolean; trueLeft: boolean }>> = {
  BRANCH_LEQ: { below: false, trueLeft: true },
  BRANCH_LT: { below: true, trueLeft: true },
  BRANCH_GTE: { below: true, trueLeft: false },
  BRANCH_GT: { below: false, trueLeft: false },
};

function readRegressor(node: GraphNode, reading: Reading): LinearModel {
  const { job } = reading;
  const attributes = new Attributes(node, job);
  if (attributes.int('targets', 1) !== 1)
    unsupported(job, 'a model of several targets has several scores a document; a ranking needs one');
  const weights = attributes.floats('coefficients');
  job.changes.notice('sums are 64-bit here, 32-bit in ONNX; missing values count as 0 here');
  return new LinearModel({
    featureNames: featureNames(reading, weights.length),
    weights,
    bias: attributes.floats('intercepts')[0] ?? 0,
  });
}

/** A tensor of 32-bit numbers; `length` is how many the rest of the model makes it have. */
function tensorIn(graph: Graph, name: string, job: ImportJob, length?: number): Float32Array {
  const found: Tensor | undefined = graph.initializer?.find(tensor => tensor.name === name);
  if (found === undefined || found.dataType !== FLOAT)
    return invalid(job, `the tensor "${name}" of 32-bit numbers is missing`);
  const raw = found.rawData;
  const values =
    raw === undefined || raw.length === 0
      ? Float32Array.from(found.floatData ?? [])
      : new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + (raw.byteLength & ~3)));
  if (raw !== undefined && raw.byteLength % 4 !== 0)
    invalid(job, `the tensor "${name}" has ${raw.byteLength} bytes, which are no whole 32-bit numbers`);
  if (length !== undefined && values.length !== length)
    invalid(job, `the tensor "${name}" has ${values.length} values where ${length} are needed`);
  return values;
}

function readLinear(reading: Reading): LinearModel {
  const { graph, job } = reading;
  job.changes.notice('sums are 64-bit here, 32-bit in ONNX');
  const weights = tensorIn(graph, 'weights0', job);
  const each = (name: string) => tensorIn(graph, name, job, weights.length);
  return new LinearModel({
    featureNames: featureNames(reading, weights.length),
    weights,
    bias: tensorIn(graph, 'bias0', job, 1)[0],
    standardise: { mean: each('mean'), scale: each('scale') },
    missing: each('fill'),
  });
}

function readNet(nodes: readonly GraphNode[], reading: Reading): NetModel {
  const { graph, job } = reading;
  job.changes.notice('sums are 64-bit here, 32-bit in ONNX');
  const used = new Set(nodes.map(node => node.opType));
  const [activation, ...others] = activations.filter(name => used.has(ops[name]));
  if (activation === undefined || others.length > 0)
    return unsupported(job, 'the layers of the net have different activations; here they have one');
  const layers = nodes.filter(node => node.opType === 'Gemm').length;
  const mean = tensorIn(graph, 'mean', job);
  const hidden: number[] = [];
  const parameters: number[] = [];
  let width = mean.length;
  for (let l = 0; l < layers; l++) {
    const bias = tensorIn(graph, `bias${l}`, job, l < layers - 1 ? undefined : 1);
    for (const values of [tensorIn(graph, `weights${l}`, job, width * bias.length), bias])
      for (const value of values) parameters.push(value);
    if (l < layers - 1) hidden.push(bias.length);
    width = bias.length;
  }
  return new NetModel({
    featureNames: featureNames(reading, mean.length),
    hidden,
    activation,
    parameters,
    standardise: { mean, scale: tensorIn(graph, 'scale', job, mean.length) },
  });
}
