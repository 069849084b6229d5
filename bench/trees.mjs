// npm run bench -- trees [--lightgbm PATH] [--seeds 3] [--rounds N] [--trees 100] [--leaves 31] [--rate 0.1] [--threads
// 2] Boosted trees against XGBoost (python3-xgboost) and LightGBM (a binary given, or on the PATH) on the same
// MSLR-shaped data, in the same run: time, memory and quality beside each other. Rivals that are not there are left
// out, and the report says so. With --growth instead: the time of a tree against documents, features and the length of
// a query.
import { execFile, spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonWith } from '../dist/reproduce/python.js';
import { growthReport, growthVariants } from './growth/trees.mjs';
import { numberOf } from './numbers.mjs';

const QUERIES = 3000;
const TEST_QUERIES = 1000;
const DOCUMENTS = 120;
const XGBOOST = fileURLToPath(new URL('rivals/xgboost-trees.py', import.meta.url));
const python = pythonWith('xgboost');

export const options = ['lightgbm', 'seeds', 'trees', 'leaves', 'rate', 'threads'];
export const flags = ['growth'];

export async function prepare(given) {
  if (given.growth) return { growth: true, threads: numberOf(given, 'threads', 2) };
  const folder = join(os.tmpdir(), 'listwise-bench');
  mkdirSync(folder, { recursive: true });
  const lightgbm = given.lightgbm ?? 'lightgbm';
  const hasLightgbm = spawnSync(lightgbm, ['--version']).error === undefined;
  const seeds = Array.from({ length: numberOf(given, 'seeds', 3) }, (_, i) => i + 1);
  const number = (key, fallback) => numberOf(given, key, fallback);
  const shape = {
    trees: number('trees', 100),
    leaves: number('leaves', 31),
    rate: number('rate', 0.1),
    threads: number('threads', 2),
    bins: 255,
    leastDocuments: 50,
  };
  const files = [];
  for (const seed of seeds) files.push(await dataFiles(folder, seed, hasLightgbm));
  return { folder, seeds, files, shape, lightgbm: hasLightgbm ? lightgbm : undefined, python };
}

/** Training and test files of a seed, made once and kept. */
async function dataFiles(folder, seed, forLightgbm) {
  const { generateDataset, writeDataset, selectQueries } = await import('#listwise/data/index.js');
  const [train, test] = ['train', 'test'].map(part =>
    join(folder, `mslr-${QUERIES}+${TEST_QUERIES}-${seed}.${part}.txt`),
  );
  if (!existsSync(test)) {
    console.error(`writing ${train}`);
    const data = generateDataset('mslr', { queries: QUERIES + TEST_QUERIES, documents: DOCUMENTS, seed });
    const numbers = Uint32Array.from({ length: QUERIES + TEST_QUERIES }, (_, q) => q);
    await writeDataset(selectQueries(data, numbers.subarray(0, QUERIES)), train, { format: 'svmlight' });
    await writeDataset(selectQueries(data, numbers.subarray(QUERIES)), test, { format: 'svmlight' });
  }
  if (forLightgbm) for (const file of [train, test]) await withoutQueries(file);
  return { train, test };
}

/** LightGBM takes query sizes from a file beside the data, and no qid. */
async function withoutQueries(file) {
  if (existsSync(`${file}.lgb.query`)) return;
  const out = createWriteStream(`${file}.lgb`);
  const sizes = [];
  let last;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [, label, query, rest] = /^(\S+) qid:(\S+) ?([^#]*)/.exec(line);
    if (query !== last) sizes.push(0);
    last = query;
    sizes[sizes.length - 1]++;
    if (!out.write(`${label} ${rest.trimEnd()}\n`)) await new Promise(resume => out.once('drain', resume));
  }
  await new Promise(resume => out.end(resume));
  const query = createWriteStream(`${file}.lgb.query.tmp`);
  await new Promise(resume => query.end(`${sizes.join('\n')}\n`, resume));
  renameSync(`${file}.lgb.query.tmp`, `${file}.lgb.query`);
}

const scoresOf = (folder, system, seed) => join(folder, `scores-${system.replaceAll(/[^a-z]+/g, '-')}-${seed}.txt`);

export function variants({ growth, threads, folder, files, shape, lightgbm, python: command, seeds }) {
  if (growth) return growthVariants(threads);
  const systems = {
    listwise: runListwise,
    ...(command && {
      'xgboost rank:ndcg': runXgboost(command, 'rank:ndcg'),
      'xgboost rank:pairwise': runXgboost(command, 'rank:pairwise'),
    }),
    ...(lightgbm && { lightgbm: runLightgbm(lightgbm) }),
  };
  const all = {};
  for (const [i, seed] of seeds.entries()) {
    for (const [system, run] of Object.entries(systems)) {
      all[`${system} / ${seed}`] = { run: () => run(files[i], shape, scoresOf(folder, system, seed)) };
    }
  }
  return all;
}

async function runListwise({ train: trainFile, test: testFile }, shape, scoresFile) {
  const { readDataset, train, scoreData, writeFileWhole } = await benchmarkLibrary();
  const lap = stopwatch();
  const data = await readDataset(trainFile, { threads: shape.threads });
  const load = lap();
  const { model, seconds } = await train({
    data,
    model: 'trees',
    holdout: 0,
    select: 'ndcg@10',
    threads: shape.threads,
    options: {
      trees: shape.trees,
      leaves: shape.leaves,
      rate: shape.rate,
      bins: shape.bins,
      minDocuments: shape.leastDocuments,
      patience: 0,
      evaluateEvery: 0,
    },
  });
  const peak = (await import('./memory.mjs')).peakBytes();
  const test = await readDataset(testFile);
  lap();
  const scores = scoreData(model, test);
  const score = lap();
  await writeFileWhole(scoresFile, `${Array.from(scores).join('\n')}\n`);
  return { load, bin: seconds.bin, train: seconds.train, score, peak };
}

async function benchmarkLibrary() {
  const [{ readDataset }, { train }, { scoreData }, { writeText }] = await Promise.all([
    import('#listwise/data/index.js'),
    import('#listwise/training/train.js'),
    import('#listwise/models/ranker.js'),
    import('#listwise/io/whole-file.js'),
  ]);
  return { readDataset, train, scoreData, writeFileWhole: (file, text) => writeText(file, sink => sink.write(text)) };
}

function runXgboost(command, objective) {
  return async ({ train, test }, shape, scores) => {
    const { stdout } = await promisify(execFile)(command, [
      XGBOOST,
      JSON.stringify({ ...shape, train, test, scores, objective }),
    ]);
    const { peakBytes: peak, ...results } = JSON.parse(stdout.trim().split('\n').at(-1));
    return { ...results, peak };
  };
}

function runLightgbm(binary) {
  return async ({ train, test }, shape, scores) => {
    const run = promisify(execFile);
    const model = `${scores}.model`;
    const common = [`num_threads=${shape.threads}`, 'verbosity=1'];
    const { stdout, stderr } = await run(
      '/usr/bin/time',
      [
        '-f',
        'peak %M kB',
        binary,
        'task=train',
        'objective=lambdarank',
        `data=${train}.lgb`,
        `output_model=${model}`,
        ...common,
        `num_trees=${shape.trees}`,
        `num_leaves=${shape.leaves}`,
        `learning_rate=${shape.rate}`,
        `max_bin=${shape.bins}`,
        `min_data_in_leaf=${shape.leastDocuments}`,
      ],
      { maxBuffer: 1 << 26 },
    );
    const load = Number(/Finished loading data in ([0-9.]+) seconds/.exec(stdout)[1]);
    const trained = Number([...stdout.matchAll(/([0-9.]+) seconds elapsed, finished iteration/g)].at(-1)[1]);
    const peak = 1024 * Number(/peak ([0-9]+) kB/.exec(stderr)[1]);
    const predict = ['task=predict', `data=${test}.lgb`, `input_model=${model}`, `output_result=${scores}`];
    await run(binary, [...predict, ...common]);
    // Loading includes binning; predicting includes reading the file and cannot be measured apart.
    return { load, bin: 0, train: trained, peak };
  };
}

function stopwatch() {
  let start = performance.now();
  return () => {
    const now = performance.now();
    const seconds = (now - start) / 1000;
    start = now;
    return seconds;
  };
}

export async function* report(medians, { growth, folder, files, seeds, shape, lightgbm, python: command }) {
  if (growth) {
    yield* growthReport(medians);
    return;
  }
  yield `MSLR-shaped: ${QUERIES} training and ${TEST_QUERIES} test queries of about ${DOCUMENTS} documents x 136 features, ${shape.trees} trees x ${shape.leaves} leaves, rate ${shape.rate}, ${shape.threads} threads`;
  if (!command) yield 'python3-xgboost is not installed: left out';
  if (!lightgbm) yield 'no lightgbm binary (--lightgbm PATH): left out';
  const systems = [...new Set(Object.keys(medians).map(key => key.split(' / ')[0]))];
  const of = (system, name) => mean(seeds.map(seed => medians[`${system} / ${seed}`][name]));
  yield [
    'system'.padEnd(22),
    ...['load+bin', 'train', 'score', 'peak MB', 'ndcg@10'].map(text => text.padStart(9)),
  ].join(' ');
  const values = {};
  for (const system of systems) {
    values[system] = await Promise.all(seeds.map((seed, i) => perQuery(files[i].test, scoresOf(folder, system, seed))));
    const quality = mean(values[system].map(mean));
    const cells = [of(system, 'load') + of(system, 'bin'), of(system, 'train'), of(system, 'score')].map(seconds =>
      Number.isNaN(seconds) ? '-' : seconds.toFixed(2),
    );
    yield [
      system.padEnd(22),
      ...[...cells, (of(system, 'peak') / 1e6).toFixed(0), quality.toFixed(4)].map(text => text.padStart(9)),
    ].join(' ');
  }
  for (const system of systems.slice(1)) {
    yield `listwise / ${system}: train ${(of('listwise', 'train') / of(system, 'train')).toFixed(2)}, load+bin ${((of('listwise', 'load') + of('listwise', 'bin')) / (of(system, 'load') + of(system, 'bin'))).toFixed(2)}, memory ${(of('listwise', 'peak') / of(system, 'peak')).toFixed(2)}`;
  }
  for (const [i, seed] of seeds.entries()) {
    const rivals = systems.slice(1).map(system => [system, values[system][i]]);
    const [best, theirs] = rivals.sort((a, b) => mean(b[1]) - mean(a[1]))[0] ?? [];
    if (best === undefined) continue;
    const differences = values.listwise[i].map((value, q) => value - theirs[q]);
    const centre = mean(differences);
    const spread = Math.sqrt(mean(differences.map(d => (d - centre) ** 2)) / (differences.length - 1));
    yield `data seed ${seed}: ndcg@10 minus the best rival's (${best}) ${centre.toFixed(4)}, 95 % lower bound ${(centre - 1.96 * spread).toFixed(4)} (asked for: above -0.005)`;
  }
}

async function perQuery(testFile, scoresFile) {
  const [{ readDataset }, { evaluate, parseMeasure }] = await Promise.all([
    import('#listwise/data/index.js'),
    import('#listwise/measures/index.js'),
  ]);
  const data = await readDataset(testFile);
  const scores = readFileSync(scoresFile, 'utf8').trimEnd().split('\n').map(Number);
  return [...evaluate(data, scores, [parseMeasure('ndcg@10')])[0].values];
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
