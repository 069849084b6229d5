// npm run bench -- shap
// Shapley values by paths, and their interactions, of trained ensembles on data of MSLR's shape, beside XGBoost's
// pred_contribs and pred_interactions (Debian's python3-xgboost) of the same trees with the same covers: documents a
// second on two threads. XGBoost's values are 32-bit: how far they are from ours is in the last column.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportModel } from '../dist/interop/convert.js';
import { loadModel, saveModel } from '../dist/models/model-file.js';
import { sampleRows } from '../dist/models/sample-rows.js';
import { ScoringThreads } from '../dist/models/scoring-threads.js';
import { TreesModel } from '../dist/models/trees/trees.js';
import { train } from '../dist/training/train.js';
import { dataOf, inPython, present, python, rowsOf, seconds } from './score.mjs';

/** Asked for: so many times the documents a second of XGBoost. */
const ASKED = 2;
const SIZES = [
  { trees: 100, leaves: 31, order: 'contributions', documents: 1000 },
  { trees: 500, leaves: 31, order: 'contributions', documents: 512 },
  { trees: 100, leaves: 255, order: 'contributions', documents: 100 },
  { trees: 20, leaves: 31, order: 'interactions', documents: 16 },
];
const THREADS = 2;
const RUNS = 3;
const nameOf = ({ trees, leaves, order }) => `${order} ${trees}x${leaves}`;

export async function prepare() {
  const folder = mkdtempSync(join(tmpdir(), 'listwise-shap-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const training = dataOf(100, 1);
  const trained = new Map();
  for (const { trees, leaves } of SIZES.toSorted((a, b) => b.trees - a.trees)) {
    if (!trained.has(leaves)) {
      process.stderr.write(`training ${trees} trees of ${leaves} leaves\n`);
      const options = { trees, leaves, rate: 0.05, minDocuments: 10, patience: 0 };
      const { model } = await train({ data: training, validate: training, model: 'trees', options });
      trained.set(leaves, model);
    }
    const model = new TreesModel({ ...trained.get(leaves), trees: trained.get(leaves).trees.slice(0, trees) });
    await saveModel(join(folder, `${trees}x${leaves}.json`), model);
    const named = new TreesModel({ ...model, featureNames: model.featureNames.map(name => `f${name}`) });
    writeFileSync(
      join(folder, `${trees}x${leaves}.xgboost.json`),
      exportModel(named, { to: 'xgboost' }).files[0].content,
    );
  }
  const data = dataOf(40, 2);
  writeFileSync(join(folder, 'rows.bin'), rowsOf(data, 0, data.rows));
  return { folder, features: data.features, xgboost: present(python, ['-c', 'import xgboost']) };
}

const ours = ({ trees, leaves, order, documents }) => ({
  async run({ folder, features }) {
    const model = await loadModel(join(folder, `${trees}x${leaves}.json`));
    const all = dataOf(40, 2);
    // The first documents, as the rival has them.
    const block = { start: 0, rows: documents, stride: documents, data: new Float32Array(documents * features) };
    for (let f = 0; f < features; f++) block.data.set(all.column(f).subarray(0, documents), f * documents);
    const data = sampleRows(model, all, 1).sample.with({ blocks: [block], offsets: Uint32Array.of(0, documents) });
    const threads = await ScoringThreads.start(model, THREADS, { name: order });
    await threads.score(data); // lays out the kernels
    const two = await seconds(RUNS, () => threads.score(data));
    const values = await threads.score(data);
    await threads.close();
    writeFileSync(join(folder, `${trees}x${leaves}.${order}.bin`), Float32Array.from(values));
    return { seconds: two };
  },
});

const xgboost = ({ trees, leaves, order, documents }) => ({
  run({ folder, features }) {
    const model = join(folder, `${trees}x${leaves}.xgboost.json`);
    const results = join(folder, 'xgboost.bin');
    const found = inPython('xgboost-shap.py', folder, model, results, order, features, documents, THREADS, RUNS);
    const theirs = readFileSync(results);
    const mine = readFileSync(join(folder, `${trees}x${leaves}.${order}.bin`));
    const [a, b] = [theirs, mine].map(
      ({ buffer, byteOffset, length }) => new Float32Array(buffer.slice(byteOffset, byteOffset + length)),
    );
    return { ...found, apart: a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0) };
  },
});

export function variants({ xgboost: found }) {
  return Object.fromEntries(
    SIZES.flatMap(size => [
      [`${nameOf(size)} listwise`, ours(size)],
      ...(found ? [[`${nameOf(size)} XGBoost`, xgboost(size)]] : []),
    ]),
  );
}

export function* report(medians, { xgboost: found }) {
  yield `documents a second on ${THREADS} threads; asked: ${ASKED} times as many as XGBoost`;
  for (const size of SIZES) {
    const [own, other] = ['listwise', 'XGBoost'].map(name => medians[`${nameOf(size)} ${name}`]);
    const rate = ({ seconds: time }) =>
      Math.round(size.documents / time)
        .toString()
        .padStart(8);
    const beside = other
      ? `  XGBoost ${rate(other)}  times ${(other.seconds / own.seconds).toFixed(1)}  apart ${other.apart.toExponential(1)}`
      : '';
    yield `${nameOf(size).padEnd(22)}  listwise ${rate(own)}${beside}`;
  }
  if (!found) yield 'XGBoost: not found, left out';
}
