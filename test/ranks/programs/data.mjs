/** Data for programs on ranks, and the part of it that a rank has. */
import { Dataset } from '#listwise/data/dataset.js';
import { selectQueries } from '#listwise/data/split.js';
import { Random } from '#listwise/numeric/random.js';

const FEATURES = 18;

/**
 * Documents of queries of any length, with missing values, two categories (one wide), weights and positions; instead of
 * categories so many features that are mostly zero.
 */
export function dataOf(queries, seed, { weights = false, zeros = 0 } = {}, description) {
  const key = JSON.stringify([queries, seed, weights, zeros, description === undefined]);
  if (!made.has(key)) made.set(key, makeData(queries, seed, { weights, zeros }, description));
  return made.get(key);
}

/** Many programs train on the same data again and again. */
const made = new Map();

function makeData(queries, seed, { weights, zeros }, description) {
  const random = new Random(seed, 'ranks');
  const rows = [];
  for (let q = 0; q < queries; q++) {
    const n = 1 + random.below(20);
    for (let d = 0; d < n; d++) {
      const row = { query: `${seed}-${q}`, label: random.below(4) };
      for (let f = 0; f < FEATURES; f++) {
        const value = f % 3 === 0 ? random.below(9) : random.gaussian() + 0.4 * row.label;
        row[`f${f}`] = f % 5 === 1 && random.uniform() < 0.1 ? Number.NaN : value;
      }
      for (let z = 0; z < zeros; z++) row[`z${z}`] = random.uniform() < 0.9 ? 0 : random.gaussian() + 0.1 * row.label;
      if (zeros === 0) {
        row.colour = `c${random.below(6)}`;
        row.brand = `b${Math.floor(500 * random.uniform() ** 2)}`;
      }
      row.shown = d + 1;
      row.clicks = Number(random.uniform() < 0.5 / (d + 1) + 0.1 * row.label);
      if (weights) row.weight = 0.5 + random.uniform();
      rows.push(row);
    }
  }
  return Dataset.from(rows, {
    query: 'query',
    labels: { label: 'label', clicks: 'clicks' },
    position: 'shown',
    ...(zeros === 0 && { categories: ['colour', 'brand'] }),
    description,
    ...(weights && { weight: 'weight' }),
  });
}

/** The queries of this rank: shares of any size, as files have. */
export function partOf(data, ranks) {
  const cut = rank => Math.round(data.queries * (rank / ranks.size) ** 1.2);
  const [first, last] = [cut(ranks.rank), cut(ranks.rank + 1)];
  return selectQueries(
    data,
    Array.from({ length: last - first }, (_, i) => first + i),
  );
}
