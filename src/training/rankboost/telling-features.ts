/** The features that RankBoost looks at: a column of one value costs as much as others and tells no documents apart. */
import { isConstantWithinQueries } from '../../data/constant-within-queries.js';
import type { Dataset } from '../../data/dataset.js';
import { gatherValues } from '../../ranks/gathered.js';
import type { Transport } from '../../ranks/transport.js';
import { refuseConstant } from '../linear/seen-data.js';

/** Ascending. Data whose features are all constant within each query, on every rank, is refused. */
export function tellingFeatures(data: Dataset, ranks: Transport): Uint32Array {
  const varying = gatherValues(
    ranks,
    data.featureNames.map((_, f) => !isConstantWithinQueries(data, f)),
  );
  refuseConstant(varying[0]!.map((_, f) => varying.some(own => own[f])));
  const found = gatherValues(
    ranks,
    data.featureNames.map((_, f) => valuesOf(data, f)),
  );
  const telling = [...data.featureNames.keys()].filter(f => {
    const values = found.flatMap(own => own[f]!);
    return values.some(value => !Object.is(value, values[0]) || Number.isNaN(value));
  });
  return Uint32Array.from(telling);
}

/** The first value, and another one where there is one. */
function valuesOf({ blocks, rows }: Dataset, feature: number): number[] {
  if (rows === 0) return [];
  const values: number[] = [];
  for (const block of blocks) {
    if (block.rows === 0) continue;
    const column = block.data.subarray(feature * block.stride, feature * block.stride + block.rows);
    values.push(column[0]!);
    if (isConstant(column)) continue;
    values.push(column.find(value => !Object.is(value, column[0]))!);
    break;
  }
  return values;
}

/** Bytes are compared with those of the value before: no loop of JavaScript is as fast. */
function isConstant({ buffer, byteOffset, byteLength }: Float32Array): boolean {
  const rest = byteLength - Float32Array.BYTES_PER_ELEMENT;
  const before = Buffer.from(buffer, byteOffset, rest);
  return before.equals(Buffer.from(buffer, byteOffset + Float32Array.BYTES_PER_ELEMENT, rest));
}
