/** Copies a data set's columns into rows of the shared memory, standardised. */
import type { Dataset } from '../../data/dataset.js';
import { padded } from '../../kernels/net-shape.js';
import { listRows } from '../../kernels/row-list.js';
import type { RowsPlan } from './memory-plan.js';
import type { Standardisation } from './standardise.js';

/** Queries go in chunks of about this many rows, so that a chunk's rows stay in the cache while columns are walked. */
const CHUNK = 256;

/** `columns[f]` is the data's column of feature f; -1 where the data lacks it and every document has 0. */
export function fillRows(
  memory: WebAssembly.Memory,
  plan: RowsPlan,
  data: Dataset,
  columns: Int32Array,
  { mean, scale, missing }: Standardisation,
): void {
  const stride = padded(columns.length);
  const floats = new Float32Array(memory.buffer, plan.features, plan.starts[data.queries]! * stride);
  listRows(memory.buffer, plan.list, plan.features, stride, plan.starts[data.queries]!);
  let query = 0;
  // Row of the data set -> place of its first value.
  const places = new Float64Array(data.rows);
  for (let row = 0; row < data.rows; row++) {
    while (row >= data.offsets[query + 1]!) query++;
    places[row] = (plan.starts[query]! + row - data.offsets[query]!) * stride;
  }
  for (const block of data.blocks) {
    for (let first = 0; first < block.rows; first += CHUNK) {
      const end = Math.min(first + CHUNK, block.rows);
      for (let f = 0; f < columns.length; f++) {
        const column = columns[f]!;
        if (column < 0) {
          const value = -mean[f]! / scale[f]!;
          for (let i = first; i < end; i++) floats[places[block.start + i]! + f] = value;
        } else {
          const values = block.data.subarray(column * block.stride + first, column * block.stride + end);
          fillColumn(floats, places, block.start + first, f, values, mean[f]!, scale[f]!, missing[f]!);
        }
      }
    }
  }
}

function fillColumn(
  floats: Float32Array,
  places: Float64Array,
  row: number,
  feature: number,
  values: Float32Array,
  mean: number,
  scale: number,
  missing: number,
): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    floats[places[row + i]! + feature] = ((Number.isNaN(value) ? missing : value) - mean) / scale;
  }
}
