/**
 * The order in which documents of equal score rank while training: by a seeded hash of their ids, never by their place in the
 * input, which often gives the labels away (before the first tree, all scores are equal).
 */
import { Dataset } from '../../data/dataset.js';
import { hash32, hashText } from '../../random.js';

/** Row of the data behind each place: queries stay where they are, the documents of each are shuffled. */
export function tieOrder(data: Dataset, seed: number): Uint32Array {
  const order = new Uint32Array(new SharedArrayBuffer(4 * data.rows));
  const keys = new Float64Array(data.rows);
  for (let row = 0; row < data.rows; row++) {
    order[row] = row;
    // Ties of the hash itself fall back to the row.
    keys[row] = hash32(seed, hashText(data.documentId(row)));
  }
  for (let q = 0; q < data.queries; q++) {
    order.subarray(data.offsets[q]!, data.offsets[q + 1]!).sort((a, b) => keys[a]! - keys[b]! || a - b);
  }
  return order;
}

/** What objectives and measures see of the data, with rows in the given order; features are left out. */
export function reorderLabels(data: Dataset, order: Uint32Array): Dataset {
  const reorder = (values: Float64Array) => {
    const out = new Float64Array(new SharedArrayBuffer(8 * values.length));
    for (let i = 0; i < order.length; i++) out[i] = values[order[i]!]!;
    return out;
  };
  return new Dataset({
    featureNames: [],
    blocks: [],
    offsets: data.offsets,
    queryIds: data.queryIds,
    labels: new Map([...data.labels].map(([name, values]) => [name, reorder(values)])),
    rowWeights: data.rowWeights && reorder(data.rowWeights),
    queryWeights: data.queryWeights,
    positions: data.positions && reorder(data.positions),
    initialScores: data.initialScores && reorder(data.initialScores),
  });
}
