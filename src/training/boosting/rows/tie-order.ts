/**
 * The order in which documents of equal score rank while training: by a seeded hash of their ids, never by their place
 * in the input, which often gives the labels away (before the first tree, all scores are equal).
 */
import { Dataset, sharedFloat64 } from '../../../data/dataset.js';
import { ListwiseError, quote } from '../../../errors.js';
import { hash32, hashText } from '../../../numeric/random.js';

/** Documents of a query, at most: hash and place in the query share a number's 53 bits. */
const MOST_PLACES = 2 ** 21;

/** Row of the data behind each place: queries stay where they are, the documents of each are shuffled. */
export function tieOrder(data: Dataset, seed: number): Uint32Array {
  const order = new Uint32Array(new SharedArrayBuffer(4 * data.rows));
  const keys = new Float64Array(data.rows);
  const { documentIds, inputRows } = data;
  for (let row = 0; row < data.rows; row++) {
    const id = documentIds?.get(row);
    const number = id ? hashText(id) : (inputRows?.[row] ?? row);
    // Hash and place in the query in one number, so that a plain sort of numbers does; equal hashes keep their places.
    keys[row] = hash32(seed, number) * MOST_PLACES;
  }
  for (let q = 0; q < data.queries; q++) {
    const start = data.offsets[q]!;
    const own = keys.subarray(start, data.offsets[q + 1]!);
    if (own.length > MOST_PLACES) {
      const [found, most] = [own.length, MOST_PLACES].map(n => n.toLocaleString('en-GB'));
      throw new ListwiseError(
        'data-too-large',
        `query ${quote(data.queryIds[q]!)} has ${found} documents; trees take at most ${most} a query`,
      );
    }
    for (let i = 0; i < own.length; i++) own[i]! += i;
    own.sort();
    for (let i = 0; i < own.length; i++) order[start + i] = start + (own[i]! % MOST_PLACES);
  }
  return order;
}

/** What objectives and measures see of the data, with rows in the given order; features are left out. */
export function reorderLabels(data: Dataset, order: Uint32Array): Dataset {
  const reorder = (values: Float64Array) => {
    const out = sharedFloat64(values.length);
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
    share: data.share,
  });
}
