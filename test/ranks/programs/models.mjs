// Trains every case on the ranks that there are; rank 0 prints the digest of each model.
//   node models.mjs THREADS CASE…
import { createHash } from 'node:crypto';
import { Dataset } from '#listwise/data/dataset.js';
import { selectQueries } from '#listwise/data/split.js';
import { printModel } from '#listwise/models/model-file.js';
import { Random } from '#listwise/numeric/random.js';
import { launchedBy } from '#listwise/ranks/launcher.js';
import { joinRanks } from '#listwise/ranks/mpi.js';
import { alone } from '#listwise/ranks/transport.js';
import { settleSettings, trainSettled } from '#listwise/training/train-settled.js';
import { cases } from './cases.mjs';

const FEATURES = 18;

/** Documents of queries of any length, with missing values, two categories (one wide), weights and positions. */
function dataOf(queries, seed, weights, description) {
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
      row.colour = `c${random.below(6)}`;
      row.brand = `b${Math.floor(500 * random.uniform() ** 2)}`;
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
    categories: ['colour', 'brand'],
    description,
    ...(weights && { weight: 'weight' }),
  });
}

const launched = launchedBy(process.env);
const ranks = launched === undefined ? alone : await joinRanks(launched);
const [threads, ...asked] = process.argv.slice(2);

/** The queries of this rank: shares of any size, as files have. */
function partOf(data) {
  const cut = rank => Math.round(data.queries * (rank / ranks.size) ** 1.2);
  const [first, last] = [cut(ranks.rank), cut(ranks.rank + 1)];
  return selectQueries(
    data,
    Array.from({ length: last - first }, (_, i) => first + i),
  );
}

for (const [name, { weights = false, queries = 1100, validated = 200, ...settings }] of Object.entries(cases)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const settled = settleSettings({ seed: 3, threads: Number(threads), ...settings });
  const data = dataOf(queries, 1, weights);
  const { model, log, best } = await trainSettled({
    ...settled,
    data: partOf(data),
    ...(validated > 0 && { validate: partOf(dataOf(validated, 2, weights, data.description)) }),
    ranks,
  });
  const digest = createHash('sha256').update(printModel(model)).digest('hex');
  if (ranks.rank === 0) console.log(JSON.stringify({ name, digest, iterations: log.length, value: best.values[0] }));
}
ranks.barrier();
ranks.close();
