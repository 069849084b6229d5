// Trains a few trees, or as many as asked; each rank prints what a tree made it hand over, and what
// docs/several-machines.md says.

import { Dataset } from '#listwise/data/dataset.js';
import { partsOf } from '#listwise/data/parts.js';
import { selectQueries } from '#listwise/data/split.js';
import { TILE_BYTES } from '#listwise/kernels/layouts/boosting.js';
import { Random } from '#listwise/numeric/random.js';
import { deal } from '#listwise/ranks/deal.js';
import { launchedBy } from '#listwise/ranks/launcher.js';
import { joinRanks } from '#listwise/ranks/mpi.js';
import { settleSettings, trainSettled } from '#listwise/training/train-settled.js';

const [features, leaves, trees] = [40, 12, Number(process.argv[2] ?? 4)];
const ranks = await joinRanks(launchedBy(process.env));
const { rank, size } = ranks;

function dataOf(queries, seed) {
  const random = new Random(seed, 'bytes');
  const rows = [];
  for (let q = 0; q < queries; q++) {
    for (let d = 0; d < 15; d++) {
      const row = { query: `${q}`, label: random.below(3) };
      for (let f = 0; f < features; f++) row[`f${f}`] = random.gaussian() + 0.3 * row.label;
      rows.push(row);
    }
  }
  const all = Dataset.from(rows, { query: 'query', labels: { label: 'label' } });
  const cut = r => Math.round((queries * r) / size);
  return selectQueries(
    all,
    Array.from({ length: cut(rank + 1) - cut(rank) }, (_, i) => cut(rank) + i),
  );
}

const data = dataOf(400, 1);
const validate = dataOf(100, 2);
const settled = settleSettings({ model: 'trees', options: { trees, leaves }, threads: 1 });
/** After each tree. */
const bytes = [];
const onIteration = () => bytes.push(ranks.bytes);
const { model } = await trainSettled({ ...settled, data, validate, ranks, onIteration });
if (model.trees.some(tree => tree.value.length !== leaves)) throw new Error('a tree is smaller than it may be');
const found = (bytes.at(-1) - bytes[0]) / (trees - 1);

const tiles = Math.ceil(features / 8);
const own = Math.ceil(((rank + 1) * tiles) / size) - Math.ceil((rank * tiles) / size);
const parts = partsOf(deal(ranks, data)).length;
const nodes = leaves - 1;
const due =
  nodes * (tiles - own) * TILE_BYTES +
  56 * (2 * nodes - 1) +
  16 * leaves +
  24 * parts +
  8 * deal(ranks, validate, 'small').queries +
  44;
process.stdout.write(`${JSON.stringify({ rank, found, due })}\n`);
ranks.barrier();
ranks.close();
