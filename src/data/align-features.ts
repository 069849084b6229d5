/** Brings data to the features, and their order, that something else was made for. */
import { type Dataset, sharedFloat32 } from './dataset.js';

/** The data with column columns[f] as feature f; where that is -1 every document has `absent`. */
export function alignFeatures(
  data: Dataset,
  featureNames: readonly string[],
  columns: Int32Array,
  absent: number,
): Dataset {
  if (columns.length === data.features && columns.every((column, f) => column === f)) return data;
  const blocks = data.blocks.map(block => {
    const aligned = sharedFloat32(columns.length * block.stride);
    for (const [f, column] of columns.entries()) {
      const at = f * block.stride;
      if (column < 0) aligned.fill(absent, at, at + block.rows);
      else aligned.set(block.data.subarray(column * block.stride, column * block.stride + block.rows), at);
    }
    return { ...block, data: aligned };
  });
  return data.with({ featureNames, blocks });
}
