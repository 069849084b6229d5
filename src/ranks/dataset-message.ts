/** A data set as bytes for another rank. */
import { deserialize, serialize } from 'node:v8';
import { type Dataset, type FeatureBlock, sharedFloat32 } from '../data/dataset.js';
import { fromPortable, type PortableDataset, type PortableOptions, toPortable } from '../data/portable.js';

export function toMessage(data: Dataset, options: PortableOptions = {}): Uint8Array {
  const { parts, documentIds } = toPortable(data, options);
  const blocks = parts.blocks.map(block => compact(block, data.features));
  return serialize(unshared({ parts: { ...parts, blocks }, documentIds }));
}

export function fromMessage(bytes: Uint8Array): Dataset {
  const { parts, documentIds } = deserialize(bytes) as PortableDataset; // every rank is of one version
  const blocks = parts.blocks.map(block => {
    const data = sharedFloat32(block.data.length);
    data.set(block.data);
    return { ...block, data };
  });
  return fromPortable({ parts: { ...parts, blocks }, documentIds });
}

/** Without what lies between the rows of one feature and the next. */
function compact({ start, rows, stride, data }: FeatureBlock, features: number): FeatureBlock {
  const own = new Float32Array(features * rows);
  for (let f = 0; f < features; f++) own.set(data.subarray(f * stride, f * stride + rows), f * rows);
  return { start, rows, stride: rows, data: own };
}

/** Copies of arrays whose memory is shared, which cannot be written as bytes. */
function unshared(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    return value.buffer instanceof SharedArrayBuffer ? copied(value) : value;
  }
  if (value instanceof Map) return new Map(Array.from(value, ([key, part]) => [key, unshared(part)]));
  if (Array.isArray(value)) return typeof value[0] === 'object' ? value.map(unshared) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unshared(part)]));
}

function copied(view: ArrayBufferView): ArrayBufferView {
  if (view instanceof Float64Array) return new Float64Array(view);
  if (view instanceof Float32Array) return new Float32Array(view);
  if (view instanceof Uint32Array) return new Uint32Array(view);
  if (view instanceof Uint8Array) return new Uint8Array(view);
  throw new TypeError(`no message has a ${view.constructor.name}`);
}
