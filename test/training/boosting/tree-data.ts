/** Data that trees find hard and easy enough. */
import type { Dataset } from '#listwise/data/dataset.js';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { Random } from '#listwise/numeric/random.js';

/** Queries with skewed, sparse, constant and partly missing features, the label a noisy function of some. */
export function treeData(seed: number, { queries = 40, features = 19, reversed = false } = {}): Dataset {
  const random = new Random(seed);
  const builder = new DatasetBuilder({ absent: 0 });
  for (let q = 0; q < queries; q++) {
    const rows = 1 + random.below(60);
    const columns = Float32Array.from({ length: rows * features }, (_, at) => {
      const f = Math.floor(at / rows);
      if (f === 3) return 7;
      if (f % 5 === 1 && random.uniform() < 0.3) return Number.NaN;
      if (f % 3 === 0) return random.uniform() < 0.6 ? 0 : random.below(9);
      return Math.exp(2 * random.gaussian());
    });
    const label = Float64Array.from({ length: rows }, (_, i) => {
      const signal = (columns[i] || 0) + Math.log(columns[2 * rows + i]!) + random.gaussian();
      return random.uniform() < 0.03 ? Number.NaN : Math.max(0, Math.min(4, Math.round(signal / 2)));
    });
    const clicks = label.map(grade => (random.uniform() < 0.6 ? 0 : Math.min(1, (grade + random.uniform()) / 5)));
    const order = Array.from({ length: rows }, (_, i) => (reversed ? rows - 1 - i : i));
    builder.append({
      rows,
      width: features,
      stride: rows,
      columns: columns.map((_, at) => columns[at - (at % rows) + order[at % rows]!]!),
      labels: { label: label.map((_, i) => label[order[i]!]!), clicks: clicks.map((_, i) => clicks[order[i]!]!) },
      queries: [{ id: `q${q}`, rows }],
      documentIds: order.map(i => `q${q}-${i}`),
    });
  }
  return builder.finish();
}
