// npm run bench -- score [--lightgbm PATH]: documents a second of trained ensembles on data of MSLR's shape, beside systems that score the same trees:
// Debian's python3-xgboost (predict on a DMatrix, timed alone) and a lightgbm program, given by --lightgbm PATH or on the PATH.
// That one has no call to time: its figure is a run with all trees less a run with one tree, so reading the data cancels out.
// 2 threads against 2 threads; also one thread, the plain reference, and one query of 100 documents.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatasetBuilder } from '../dist/data/dataset-builder.js';
import { generate } from '../dist/data/generators/generate.js';
import { loadModel, saveModel } from '../dist/models/model-file.js';
import { scoreData } from '../dist/models/ranker.js';
import { ScoringThreads } from '../dist/models/scoring-threads.js';
import { train } from '../dist/training/train.js';

const SIZES = [
  { trees: 100, leaves: 31 },
  { trees: 500, leaves: 31 },
  { trees: 500, leaves: 255 },
];
const QUERIES = 500;
const THREADS = 2;
const RUNS = 5;
const PYTHON = '/usr/bin/python3';
const nameOf = ({ trees, leaves }) => `${trees}x${leaves}`;

function dataOf(queries, seed) {
  const generation = generate('mslr', { queries, documents: 120, seed });
  const builder = new DatasetBuilder({ absent: 0, featureNames: generation.featureNames });
  for (const piece of generation.pieces()) builder.append(piece);
  return builder.finish();
}

function rowsOf(data, from, to) {
  const rows = new Float32Array((to - from) * data.features);
  for (let f = 0; f < data.features; f++) {
    const column = data.column(f);
    for (let i = from; i < to; i++) rows[(i - from) * data.features + f] = column[i];
  }
  return rows;
}

/** The median of some runs, in seconds. */
async function seconds(runs, work) {
  const times = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    await work();
    times.push((performance.now() - start) / 1000);
  }
  return times.sort((a, b) => a - b)[runs >> 1];
}

// ---- the same trees for other systems

/** XGBoost's own JSON: siblings side by side, which its predictor relies on; a value below the condition goes left. */
function xgboostJson(model) {
  const trees = model.trees.map((tree, id) => {
    const children = [tree.feature.length > 0 ? 0 : ~0];
    const parents = [2147483647];
    const left = [];
    for (let i = 0; i < children.length; i++) {
      const child = children[i];
      left.push(child < 0 ? -1 : children.length);
      if (child < 0) continue;
      children.push(tree.left[child], tree.right[child]);
      parents.push(i, i);
    }
    const each = (ofNode, leaf) => children.map(child => (child < 0 ? leaf : ofNode(child)));
    const zeros = floats(children.map(() => 0));
    return {
      ...{ id, parents, base_weights: zeros, loss_changes: zeros, sum_hessian: zeros },
      ...{ categories: [], categories_nodes: [], categories_segments: [], categories_sizes: [] },
      split_type: children.map(() => 0),
      default_left: each(node => tree.missingLeft[node], 0),
      left_children: left,
      right_children: left.map(child => (child < 0 ? -1 : child + 1)),
      split_conditions: floats(
        children.map(child => (child < 0 ? tree.value[~child] : nextAbove(tree.threshold[child]))),
      ),
      split_indices: each(node => tree.feature[node], 0),
      tree_param: {
        ...{ num_deleted: '0', num_feature: String(model.featureNames.length), num_nodes: String(children.length) },
        size_leaf_vector: '0',
      },
    };
  });
  const count = String(trees.length);
  const json = JSON.stringify({
    version: [1, 7, 4],
    learner: {
      ...{ attributes: {}, feature_names: [], feature_types: [] },
      gradient_booster: {
        name: 'gbtree',
        model: {
          gbtree_model_param: { num_parallel_tree: '1', num_trees: count, size_leaf_vector: '0' },
          tree_info: trees.map(() => 0),
          trees,
        },
      },
      learner_model_param: {
        ...{ base_score: String(model.base), num_class: '0', num_target: '1' },
        num_feature: String(model.featureNames.length),
      },
      objective: { name: 'reg:squarederror', reg_loss_param: { scale_pos_weight: '1' } },
    },
  });
  return json.replace(/"float ([^"]*)"/g, '$1');
}

/** XGBoost tells reals from whole numbers by how they are written. */
function floats(values) {
  return values.map(value => `float ${value.toExponential()}`);
}

/** The next float32 above that is not subnormal: those count as zero where they are read. */
function nextAbove(value) {
  if (value === 0) return 2 ** -126;
  const bits = new Int32Array(Float32Array.of(value).buffer);
  bits[0] += value < 0 ? -1 : 1;
  return new Float32Array(bits.buffer)[0];
}

function lightgbmText(model) {
  const trees = model.trees.map((tree, id) =>
    [
      ...[`Tree=${id}`, `num_leaves=${tree.value.length}`, 'num_cat=0', `split_feature=${tree.feature.join(' ')}`],
      ...[`split_gain=${tree.gain.join(' ')}`, `threshold=${tree.threshold.join(' ')}`],
      `decision_type=${[...tree.missingLeft].map(left => 8 + 2 * left).join(' ')}`,
      ...[`left_child=${tree.left.join(' ')}`, `right_child=${tree.right.join(' ')}`],
      ...[`leaf_value=${tree.value.join(' ')}`, 'is_linear=0', 'shrinkage=1'],
    ].join('\n'),
  );
  const head = [
    ...['tree', 'version=v4', 'num_class=1', 'num_tree_per_iteration=1', 'label_index=0'],
    ...[`max_feature_idx=${model.featureNames.length - 1}`, 'objective=regression'],
    `feature_names=${model.featureNames.map(name => `f${name}`).join(' ')}`,
    `feature_infos=${model.featureNames.map(() => '[-1e9:1e9]').join(' ')}`,
  ];
  return `${head.join('\n')}\n\n${trees.join('\n\n')}\n\nend of trees\n`;
}

const XGBOOST = `
import json, sys, time
import numpy as np, xgboost as xgb
folder, name, width, threads, runs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
rows = np.fromfile(folder + '/rows.bin', dtype=np.float32).reshape(-1, width)
model = xgb.Booster({'nthread': threads}); model.load_model(folder + '/' + name + '.xgboost.json')
times = []
for _ in range(runs):
    data = xgb.DMatrix(rows, nthread=threads) # a new one: predictions of a known one are remembered
    start = time.perf_counter(); scores = model.predict(data); times.append(time.perf_counter() - start)
print(json.dumps({'seconds': sorted(times)[runs // 2], 'mean': float(scores.mean())}))
`;

function present(program, args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

// ---- what is measured

export const options = ['lightgbm'];

export async function prepare(given) {
  const folder = mkdtempSync(join(tmpdir(), 'listwise-score-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const training = dataOf(100, 1);
  for (const size of SIZES) {
    process.stderr.write(`training ${nameOf(size)}\n`);
    const options = { ...size, rate: 0.05, minDocuments: 10, patience: 0 };
    const objective = 'lambdarank(ndcg@10)';
    const { model } = await train({ data: training, validate: training, model: 'trees', objective, options });
    await saveModel(join(folder, `${nameOf(size)}.json`), model);
    writeFileSync(join(folder, `${nameOf(size)}.xgboost.json`), xgboostJson(model));
    writeFileSync(join(folder, `${nameOf(size)}.lightgbm.txt`), lightgbmText(model));
  }
  const data = dataOf(QUERIES, 2);
  const rows = rowsOf(data, 0, data.rows);
  writeFileSync(join(folder, 'rows.bin'), rows);
  const lightgbm = given.lightgbm ?? 'lightgbm';
  const rivals = {
    xgboost: present(PYTHON, ['-c', 'import xgboost']),
    lightgbm: spawnSync(lightgbm, { stdio: 'ignore' }).error === undefined ? lightgbm : false,
  };
  if (rivals.lightgbm) {
    const lines = Array.from(
      { length: data.rows },
      (_, i) => `0,${rows.subarray(i * data.features, (i + 1) * data.features).join(',')}`,
    );
    writeFileSync(join(folder, 'rows.csv'), `${lines.join('\n')}\n`);
  }
  return { folder, rivals, documents: data.rows, features: data.features };
}

const ours = size => ({
  async run({ folder }) {
    const model = await loadModel(join(folder, `${nameOf(size)}.json`));
    const data = dataOf(QUERIES, 2);
    const threads = await ScoringThreads.start(model, THREADS);
    await threads.score(data); // lays out the kernels
    const two = await seconds(RUNS, () => threads.score(data));
    await threads.close();
    const one = await seconds(RUNS, () => scoreData(model, data));
    const scores = scoreData(model, data);
    const query = rowsOf(data, 0, 100);
    const out = new Float64Array(100);
    const latency = await seconds(1001, () => model.scoreRows(query, 100, out));
    const sample = 2000;
    const rows = rowsOf(data, 0, sample);
    const plain = await seconds(3, () => {
      for (let i = 0; i < sample; i++) model.scoreRow(rows.subarray(i * data.features, (i + 1) * data.features));
    });
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    return { seconds: two, one, latency, plain: (plain / sample) * data.rows, mean };
  },
});

const xgboost = size => ({
  run({ folder, features }) {
    const args = ['-c', XGBOOST, folder, nameOf(size), features, THREADS, RUNS].map(String);
    const { stdout, stderr, status } = spawnSync(PYTHON, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  },
});

const lightgbm = size => ({
  async run({ folder, rivals }) {
    const predict = async trees => {
      const args = [
        ...['task=predict', `data=${join(folder, 'rows.csv')}`, 'header=false', 'label_column=0', 'verbosity=-1'],
        ...[`input_model=${join(folder, `${nameOf(size)}.lightgbm.txt`)}`, `num_iteration_predict=${trees}`],
        ...[`num_threads=${THREADS}`, `output_result=${join(folder, 'out.txt')}`],
      ];
      return seconds(3, () => {
        if (spawnSync(rivals.lightgbm, args, { stdio: 'ignore' }).status !== 0) throw new Error('lightgbm failed');
      });
    };
    const whole = await predict(size.trees);
    const scores = readFileSync(join(folder, 'out.txt'), 'utf8').trim().split('\n').map(Number);
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    return { seconds: whole - (await predict(1)), whole, mean };
  },
});

export function variants({ rivals }) {
  return Object.fromEntries(
    SIZES.flatMap(size => [
      [`listwise ${nameOf(size)}`, ours(size)],
      ...(rivals.xgboost ? [[`xgboost ${nameOf(size)}`, xgboost(size)]] : []),
      ...(rivals.lightgbm ? [[`lightgbm ${nameOf(size)}`, lightgbm(size)]] : []),
    ]),
  );
}

export function report(medians, { documents, rivals }) {
  const rate = time => `${Math.round(documents / time / 1000)}`.padStart(6);
  const lines = [`thousand documents a second, ${documents} documents, ${THREADS} threads unless said otherwise`];
  for (const size of SIZES) {
    const own = medians[`listwise ${nameOf(size)}`];
    lines.push(
      `${nameOf(size)}: listwise ${rate(own.seconds)} (1 thread ${rate(own.one)}, plain reference on 1 thread ${rate(own.plain)})`,
    );
    for (const [rival, target] of [
      ['xgboost', size.leaves > 31 ? 1 : 2],
      ['lightgbm', size.leaves > 31 ? 1 : 2],
    ]) {
      const other = medians[`${rival} ${nameOf(size)}`];
      if (other === undefined) continue;
      const ratio = (other.seconds / own.seconds).toFixed(2);
      lines.push(`  ${rival} ${rate(other.seconds)}: listwise is ${ratio} times as fast (asked for: ${target})`);
      if (other.mean !== undefined && Math.abs(other.mean - own.mean) > 1e-4)
        lines.push(`  but mean scores differ: ${other.mean}, ${own.mean}`);
    }
    lines.push(`  one query of 100 documents: ${(1e6 * own.latency).toFixed(0)} microseconds`);
  }
  for (const [rival, found] of Object.entries(rivals)) if (!found) lines.push(`${rival}: not found, left out`);
  return lines;
}
