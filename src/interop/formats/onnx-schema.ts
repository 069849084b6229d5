/** The part of ONNX's schema that models here need, by its field numbers, and typed building blocks of a graph. */
import { decodeMessage, encodeMessage, type Schema } from '../protobuf.js';

const messages = {
  ModelProto: {
    irVersion: ['one', 'int64', 1],
    producerName: ['one', 'string', 2],
    graph: ['one', 'GraphProto', 7],
    opsetImport: ['many', 'OperatorSetIdProto', 8],
    metadataProps: ['many', 'StringStringEntryProto', 14],
  },
  OperatorSetIdProto: { domain: ['one', 'string', 1], version: ['one', 'int64', 2] },
  StringStringEntryProto: { key: ['one', 'string', 1], value: ['one', 'string', 2] },
  GraphProto: {
    node: ['many', 'NodeProto', 1],
    name: ['one', 'string', 2],
    initializer: ['many', 'TensorProto', 5],
    input: ['many', 'ValueInfoProto', 11],
    output: ['many', 'ValueInfoProto', 12],
  },
  NodeProto: {
    input: ['many', 'string', 1],
    output: ['many', 'string', 2],
    name: ['one', 'string', 3],
    opType: ['one', 'string', 4],
    attribute: ['many', 'AttributeProto', 5],
    domain: ['one', 'string', 7],
  },
  AttributeProto: {
    name: ['one', 'string', 1],
    f: ['one', 'float', 2],
    i: ['one', 'int64', 3],
    s: ['one', 'bytes', 4],
    floats: ['many', 'float', 7],
    ints: ['many', 'int64', 8],
    strings: ['many', 'bytes', 9],
    type: ['one', 'int32', 20],
  },
  TensorProto: {
    dims: ['many', 'int64', 1],
    dataType: ['one', 'int32', 2],
    floatData: ['many', 'float', 4],
    name: ['one', 'string', 8],
    rawData: ['one', 'bytes', 9],
  },
  ValueInfoProto: { name: ['one', 'string', 1], type: ['one', 'TypeProto', 2] },
  TypeProto: { tensorType: ['one', 'TensorTypeProto', 1] },
  TensorTypeProto: { elemType: ['one', 'int32', 1], shape: ['one', 'TensorShapeProto', 2] },
  TensorShapeProto: { dim: ['many', 'DimensionProto', 1] },
  DimensionProto: { dimValue: ['one', 'int64', 1], dimParam: ['one', 'string', 2] },
} as const satisfies Schema;

/** Kinds of attributes, by ONNX's numbers. */
const TYPE = { float: 1, int: 2, string: 3, floats: 6, ints: 7, strings: 8 };
export const FLOAT = 1;

/** Names of activations as ONNX has them. */
export const ops = { tanh: 'Tanh', sigmoid: 'Sigmoid', relu: 'Relu' } as const;

export interface Attribute {
  /** Every attribute has one but in damaged files. */
  readonly name?: string | undefined;
  readonly f?: number;
  readonly i?: number;
  readonly s?: Uint8Array;
  readonly floats?: readonly number[];
  readonly ints?: readonly number[];
  readonly strings?: readonly Uint8Array[];
}

export interface Tensor {
  readonly name: string;
  readonly dims?: readonly number[];
  readonly dataType?: number;
  readonly floatData?: readonly number[];
  readonly rawData?: Uint8Array;
}

export interface GraphNode {
  readonly opType: string;
  readonly domain?: string;
  readonly input?: readonly string[];
  readonly output?: readonly string[];
  readonly attribute?: readonly Attribute[];
}

export interface Graph {
  readonly node?: readonly GraphNode[];
  readonly initializer?: readonly Tensor[];
  readonly input?: readonly ValueInfo[];
}

interface ValueInfo {
  readonly name: string;
  readonly type?: { tensorType?: { elemType?: number; shape?: { dim?: readonly { dimValue?: number }[] } } };
}

export interface OnnxModel {
  readonly graph?: Graph;
  readonly metadataProps?: readonly { key?: string; value?: string }[];
}

/** Throws where the bytes are not a protocol buffer of the schema. */
export function decodeModel(bytes: Uint8Array): OnnxModel {
  return decodeMessage(messages, 'ModelProto', bytes) as OnnxModel;
}

const text = new TextEncoder();

export const attribute = {
  int: (name: string, i: number) => ({ name, i, type: TYPE.int }),
  string: (name: string, value: string) => ({ name, s: text.encode(value), type: TYPE.string }),
  floats: (name: string, values: ArrayLike<number>) => ({ name, floats: Array.from(values), type: TYPE.floats }),
  ints: (name: string, values: ArrayLike<number>) => ({ name, ints: Array.from(values), type: TYPE.ints }),
  strings: (name: string, values: readonly string[]) => ({
    name,
    type: TYPE.strings,
    strings: values.map(value => text.encode(value)),
  }),
};

export function tensor(name: string, dims: readonly number[], values: ArrayLike<number>): Tensor {
  return { name, dims, dataType: FLOAT, floatData: Array.from(values) };
}

/** One input [documents, width] and one output [documents, 1], both float32. */
export function encodeModel(
  nodes: readonly GraphNode[],
  initializer: readonly Tensor[],
  featureNames: readonly string[],
): Uint8Array {
  const value = (name: string, width: number) => ({
    name,
    type: { tensorType: { elemType: FLOAT, shape: { dim: [{ dimParam: 'documents' }, { dimValue: width }] } } },
  });
  const content = {
    irVersion: 8,
    producerName: 'listwise',
    opsetImport: [{ version: 13 }, { domain: 'ai.onnx.ml', version: 3 }],
    graph: {
      name: 'ranker',
      node: nodes,
      initializer,
      input: [value('features', featureNames.length)],
      output: [value('scores', 1)],
    },
    metadataProps: [{ key: 'feature_names', value: JSON.stringify(featureNames) }],
  };
  return encodeMessage(messages, 'ModelProto', content);
}
