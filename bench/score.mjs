// npm run bench -- score [--lightgbm PATH] [--lightgbm-library PATH] Trained ensembles on data of MSLR's shape, beside
// systems that score the same trees, in one table: documents a second on two threads and on one, and the time of one
// query of 100 documents. Rivals that are not found are named and left out:
//   XGBoost    Debian's python3-xgboost: predict on a DMatrix, timed alone; for one query the quicker of its two calls
//   LightGBM   its library (--lightgbm-library, or lib_lightgbm.so beside the program): LGBM_BoosterPredictForMat,
//              timed alone; without it the program (--lightgbm, or on the PATH), which has no call to time: a run with
//              all trees less a run with one tree, so that reading the data cancels out: no time of one query.
//
// npm run bench -- score --stream
// The memory of `listwise score` on data of one size and of eight times that size, by format.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { DatasetBuilder } from '../dist/data/dataset-builder.js';
import { generate } from '../dist/data/generators/generate.js';
import { readDataset } from '../dist/data/read/read-dataset.js';
import { writeDataset } from '../dist/data/writers/write-dataset.js';
import { exportModel } from '../dist/interop/convert.js';
import { writeText } from '../dist/io/whole-file.js';
import { loadModel, saveModel } from '../dist/models/model-file.js';
import { scoreData } from '../dist/models/ranker.js';
import { scoreInto } from '../dist/models/score-into.js';
import { scorer } from '../dist/models/scorer.js';
import { ScoringThreads } from '../dist/models/scoring-threads.js';
import { TreesModel } from '../dist/models/trees/trees.js';
import { pythonWith } from '../dist/reproduce/python.js';
import { train } from '../dist/training/train.js';

/** Asked for: so many times the documents a second of each rival. */
const SIZES = [
  { trees: 100, leaves: 31, asked: 2 },
  { trees: 500, leaves: 31, asked: 2 },
  { trees: 500, leaves: 255, asked: 1 },
];
const QUERIES = 200;
const QUERY_DOCUMENTS = 100;
const THREADS = 2;
const RUNS = 3;
export const python = pythonWith('numpy') ?? 'python3';
/** Documents of the smaller data to stream, in thousands; the larger one has so many times as many. */
const STREAM_THOUSANDS = 22;
const STREAM_TIMES = 8;
const STREAM_FORMATS = ['txt', 'txt.gz', 'csv', 'jsonl', 'parquet'];

const nameOf = ({ trees, leaves }) => `${trees}x${leaves}`;

export function dataOf(queries, seed) {
  const generation = generate('mslr', { queries, documents: 120, seed });
  const builder = new DatasetBuilder({ absent: 0, featureNames: generation.featureNames });
  for (const piece of generation.pieces()) builder.append(piece);
  return builder.finish();
}

export function rowsOf(data, from, to) {
  const rows = new Float32Array((to - from) * data.features);
  for (let f = 0; f < data.features; f++) {
    const column = data.column(f);
    for (let i = from; i < to; i++) rows[(i - from) * data.features + f] = column[i];
  }
  return rows;
}

/** The median of some runs, in seconds. */
export async function seconds(runs, work) {
  const times = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    await work();
    times.push((performance.now() - start) / 1000);
  }
  return times.sort((a, b) => a - b)[runs >> 1];
}

export function present(program, args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

// ---- data to stream

/** Rows of a text, after its header if it has one, again and again: a large file at the price of a small one. */
function repeat(text, header, times, file) {
  const out = openSync(file, 'w');
  writeSync(out, text.slice(0, header));
  for (let i = 0; i < times; i++) writeSync(out, text.slice(header));
  closeSync(out);
}

async function streamFiles(folder) {
  const data = dataOf(40, 3);
  const files = {};
  for (const format of STREAM_FORMATS) {
    process.stderr.write(`writing ${format}\n`);
    const file = size => join(folder, `${size}.${format}`);
    const text = format === 'parquet' ? 'txt' : format.replace('.gz', '');
    const small = join(folder, `small.${text}`);
    await writeDataset(data, small);
    const content = readFileSync(small, 'utf8');
    const times = Math.ceil((1000 * STREAM_THOUSANDS) / data.rows);
    for (const [size, factor] of Object.entries({ one: 1, many: STREAM_TIMES })) {
      const plain = join(folder, `${size}.${text}`);
      repeat(content, text === 'csv' ? content.indexOf('\n') + 1 : 0, factor * times, plain);
      if (format === 'txt.gz') writeFileSync(file(size), gzipSync(readFileSync(plain), { level: 1 }));
      if (format === 'parquet') await writeDataset(await readDataset(plain), file(size));
      files[`${format} ${size}`] = file(size);
    }
  }
  return files;
}

const rival = name => fileURLToPath(new URL(`rivals/${name}`, import.meta.url));

// ---- what is measured

export const options = ['lightgbm', 'lightgbm-library'];
export const flags = ['stream'];

export async function prepare(given) {
  const folder = mkdtempSync(join(tmpdir(), 'listwise-score-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await prepareModels(folder, given.stream ? SIZES.slice(0, 1) : SIZES);
  if (given.stream) return { folder, streams: await streamFiles(folder) };
  const data = dataOf(QUERIES, 2);
  const rows = rowsOf(data, 0, data.rows);
  writeFileSync(join(folder, 'rows.bin'), rows);
  const program = given.lightgbm ?? 'lightgbm';
  const library = given['lightgbm-library'] ?? join(dirname(program), 'lib_lightgbm.so');
  const rivals = {
    xgboost: present(python, ['-c', 'import xgboost']),
    library: existsSync(library) && present(python, ['-c', 'import numpy']) ? library : false,
    program: spawnSync(program, { stdio: 'ignore' }).error === undefined ? program : false,
  };
  if (rivals.program && !rivals.library) {
    const lines = Array.from(
      { length: data.rows },
      (_, i) => `0,${rows.subarray(i * data.features, (i + 1) * data.features).join(',')}`,
    );
    writeFileSync(join(folder, 'rows.csv'), `${lines.join('\n')}\n`);
  }
  return { folder, rivals, documents: data.rows, features: data.features };
}

async function prepareModels(folder, sizes) {
  const training = dataOf(100, 1);
  const trained = new Map();
  for (const size of sizes.toReversed()) {
    // Fewer trees of as many leaves are the first ones of the larger ensemble.
    let trees = trained.get(size.leaves);
    if (trees === undefined) {
      process.stderr.write(`training ${nameOf(size)}\n`);
      const options = { trees: size.trees, leaves: size.leaves, rate: 0.05, minDocuments: 10, patience: 0 };
      trees = (await train({ data: training, validate: training, model: 'trees', objective: OBJECTIVE, options }))
        .model;
      trained.set(size.leaves, trees);
    }
    const model = new TreesModel({ ...trees, trees: trees.trees.slice(0, size.trees) });
    await saveModel(join(folder, `${nameOf(size)}.json`), model);
    // Numbers as names would be columns of their number, and column 0 an empty one.
    const named = new TreesModel({ ...model, featureNames: model.featureNames.map(name => `f${name}`) });
    for (const [to, end] of Object.entries({ xgboost: 'xgboost.json', lightgbm: 'lightgbm.txt' })) {
      writeFileSync(join(folder, `${nameOf(size)}.${end}`), exportModel(named, { to }).files[0].content);
    }
  }
}

const OBJECTIVE = 'lambdarank(ndcg@10)';

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
    const query = rowsOf(data, 0, QUERY_DOCUMENTS);
    const { score } = scorer(model);
    const latency = await seconds(1001, () => score(query, QUERY_DOCUMENTS));
    const mean = scores.reduce((sum, value) => sum + value, 0) / scores.length;
    return { seconds: two, one, latency, mean };
  },
});

/** The plain way, which the kernel equals to the bit. */
const plain = size => ({
  async run({ folder, documents }) {
    const model = await loadModel(join(folder, `${nameOf(size)}.json`));
    const sample = 2000;
    const data = dataOf(30, 2);
    const rows = rowsOf(data, 0, sample);
    const score = n => {
      for (let i = 0; i < n; i++) model.scoreRow(rows.subarray(i * data.features, (i + 1) * data.features));
    };
    const one = (await seconds(3, () => score(sample))) * (documents / sample);
    return { one, latency: await seconds(21, () => score(QUERY_DOCUMENTS)) };
  },
});

export const inPython = (script, ...args) => {
  const { stdout, stderr, status } = spawnSync(python, [rival(script), ...args.map(String)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

const xgboost = size => ({
  run: ({ folder, features }) =>
    inPython(
      'xgboost-score.py',
      folder,
      join(folder, `${nameOf(size)}.xgboost.json`),
      features,
      THREADS,
      RUNS,
      QUERY_DOCUMENTS,
    ),
});

const lightgbm = size => ({
  async run({ folder, features, rivals }) {
    const model = join(folder, `${nameOf(size)}.lightgbm.txt`);
    if (rivals.library) {
      const settings = [features, THREADS, RUNS, QUERY_DOCUMENTS];
      return inPython('lightgbm-score.py', rivals.library, folder, model, ...settings);
    }
    const predict = async trees => {
      const args = [
        'task=predict',
        `data=${join(folder, 'rows.csv')}`,
        'header=false',
        'label_column=0',
        'verbosity=-1',
        `input_model=${model}`,
        `num_iteration_predict=${trees}`,
        `num_threads=${THREADS}`,
        `output_result=${join(folder, 'out.txt')}`,
      ];
      return seconds(3, () => {
        if (spawnSync(rivals.program, args, { stdio: 'ignore' }).status !== 0) throw new Error('lightgbm failed');
      });
    };
    const whole = await predict(size.trees);
    const scores = readFileSync(join(folder, 'out.txt'), 'utf8').trim().split('\n').map(Number);
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    return { seconds: whole - (await predict(1)), mean };
  },
});

/** What `listwise score` does, in this process: its peak memory is the result. */
const stream = file => ({
  async run({ folder }) {
    const model = await loadModel(join(folder, `${nameOf(SIZES[0])}.json`));
    const read = { threads: THREADS };
    const start = performance.now();
    const { documents } = await writeText(devNull, sink =>
      scoreInto(sink, model, file, { read, scoring: { threads: THREADS } }),
    );
    return { documents, seconds: (performance.now() - start) / 1000, bytes: statSync(file).size };
  },
});

const systems = rivals => ({
  listwise: ours,
  'listwise, plain': plain,
  ...(rivals.xgboost && { XGBoost: xgboost }),
  ...((rivals.library || rivals.program) && { LightGBM: lightgbm }),
});

export function variants({ rivals, streams }) {
  if (streams !== undefined)
    return Object.fromEntries(Object.entries(streams).map(([name, file]) => [name, stream(file)]));
  return Object.fromEntries(
    SIZES.flatMap(size =>
      Object.entries(systems(rivals)).map(([name, system]) => [`${nameOf(size)} ${name}`, system(size)]),
    ),
  );
}

/** Columns as wide as they need to be, the first two to the left. */
function table(rows) {
  const widths = rows[0].map((_, c) => Math.max(...rows.map(row => row[c].length)));
  return rows.map(row => row.map((cell, c) => (c < 2 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join('  '));
}

export function report(medians, { documents, rivals, streams }) {
  if (streams !== undefined) return streamReport(medians);
  const rate = time => (time === undefined ? '-' : `${Math.round(documents / time / 1000)}`);
  const rows = [
    ['trees', 'system', `${THREADS} threads`, '1 thread', `${QUERY_DOCUMENTS} documents`, 'times', 'asked', ''],
    ['', '', '1000 docs/s', '1000 docs/s', 'µs', '', '', ''],
  ];
  for (const size of SIZES) {
    const own = medians[`${nameOf(size)} listwise`];
    for (const name of Object.keys(systems(rivals))) {
      const found = medians[`${nameOf(size)} ${name}`];
      const isRival = !name.startsWith('listwise');
      const differs = found.mean !== undefined && Math.abs(found.mean - own.mean) > 1e-4;
      rows.push([
        nameOf(size),
        name,
        rate(found.seconds),
        rate(found.one),
        found.latency === undefined ? '-' : (1e6 * found.latency).toFixed(0),
        isRival ? (found.seconds / own.seconds).toFixed(2) : '',
        isRival ? String(size.asked) : '',
        differs ? `mean scores differ: ${found.mean}, ${own.mean}` : '',
      ]);
    }
  }
  const lines = [
    `${documents} documents; times: how many times as many documents a second listwise scores on ${THREADS} threads`,
    ...table(rows),
  ];
  if (!rivals.xgboost) lines.push('XGBoost: not found, left out');
  if (!rivals.library && !rivals.program) lines.push('LightGBM: not found, left out');
  else if (!rivals.library) lines.push('LightGBM: no library found, so no time of one query (--lightgbm-library PATH)');
  return lines;
}

function streamReport(medians) {
  const megabytes = bytes => (bytes / 1e6).toFixed(0);
  const rows = STREAM_FORMATS.map(format => {
    const [one, many] = ['one', 'many'].map(size => medians[`${format} ${size}`]);
    return [
      format,
      `${one.documents} / ${many.documents}`,
      `${megabytes(one.bytes)} / ${megabytes(many.bytes)}`,
      `${megabytes(one.peakBytes)} / ${megabytes(many.peakBytes)}`,
      rateOf(many),
    ];
  });
  return [
    `score as data is read, 1 / ${STREAM_TIMES} times as much: peak memory of the process`,
    ...table([['format', 'documents', 'file, MB', 'memory, MB', '1000 docs/s'], ...rows]),
  ];
}

function rateOf({ documents, seconds: time }) {
  return `${Math.round(documents / time / 1000)}`;
}
