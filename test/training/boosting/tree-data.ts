/** Data that trees find hard and easy enough. */
import { Dataset } from '#listwise/data/dataset.js';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { DESCRIPTION_FORMAT } from '#listwise/data/description.js';
import { Random } from '#listwise/numeric/random.js';

/**
 * The same with categories: features 4, 9, 14, … are codes of 3, 30 and 700 levels by turns, some missing, and levels
 * of feature 9 and 14 count in the label.
 */
export function categoryData(seed: number, { queries = 40, levels = [3, 30, 700] } = {}): Dataset {
  const data = treeData(seed, { queries });
  const random = new Random(seed, 'levels');
  const kinds: Record<string, 'category'> = {};
  for (let f = 4, turn = 0; f < data.features; f += 5, turn++) {
    const most = levels[turn % levels.length]!;
    kinds[data.featureNames[f]!] = 'category';
    for (const block of data.blocks) {
      for (let i = 0; i < block.rows; i++) {
        const code = Math.floor(most * random.uniform() ** 2);
        block.data[f * block.stride + i] = random.uniform() < 0.1 ? Number.NaN : code;
        const label = data.label();
        if (turn > 0 && ((code * 7919) % 11) % 3 === 0 && label[block.start + i]! < 4) label[block.start + i]! += 1;
      }
    }
  }
  const description = { schema: DESCRIPTION_FORMAT, roles: {}, kinds, missing: [], categories: {} } as const;
  return new Dataset({ ...data, description });
}

/**
 * Queries with skewed, sparse, constant and partly missing features, the label a noisy function of some. `zeros`: the
 * share of zeros of the others in seven of eight queries.
 */
export function treeData(seed: number, { queries = 40, features = 19, reversed = false, zeros = 0 } = {}): Dataset {
  const random = new Random(seed);
  const builder = new DatasetBuilder({ absent: 0 });
  for (let q = 0; q < queries; q++) {
    const rows = 1 + random.below(60);
    const columns = Float32Array.from({ length: rows * features }, (_, at) => {
      const f = Math.floor(at / rows);
      if (f === 3) return 7;
      if (f % 5 === 1 && random.uniform() < 0.3) return Number.NaN;
      if (f % 3 === 0) return random.uniform() < 0.6 ? 0 : random.below(9);
      return q % 8 > 0 && zeros > 0 && f !== 2 && random.uniform() < zeros ? 0 : Math.exp(2 * random.gaussian());
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
