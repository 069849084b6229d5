// npm run bench -- trees [--lightgbm PATH] [--shapes mslr,full,sparse] [--seeds 3] [--rounds N] [--trees 100]
//   [--leaves 31] [--rate 0.1] [--threads 2] [--validate]
// Boosted trees against XGBoost (python3-xgboost) and LightGBM (a binary given, or on the PATH) on the same data, of
// each shape (shapes.mjs), in the same run: time, memory and quality beside each other. Rivals are compared with the
// one of ours that has the like objective: pairs of equal weight, or weighted by NDCG. With --validate every tree is
// evaluated on further queries, and training ends when 20 trees running were no better, at 1,000 trees at the latest:
// time is by tree then. Rivals that are not there are left out, and the report says so. With --growth instead: the time
// of a tree against documents, features and the length of a query.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonWith } from '../dist/reproduce/python.js';
import { growthReport, growthVariants } from './growth/trees.mjs';
import { numberOf } from './numbers.mjs';
import { shapes as allShapes } from './shapes.mjs';
import { DOCUMENTS, dataFiles, TEST_QUERIES, TRAINING_QUERIES, VALIDATION_QUERIES } from './tree-files.mjs';

const PATIENCE = 20;
const MOST_TREES = 1000;
const XGBOOST = fileURLToPath(new URL('rivals/xgboost-trees.py', import.meta.url));
const python = pythonWith('xgboost');

/**
 * Ours: the nearest to what LightGBM does, whose lambdarank looks at pairs with one of 30 ranks and whose leaves have
 * no l2 by default; and our default.
 */
const OURS = {
  'listwise lambdarank': { objective: 'lambdarank(ndcg,top=30,factor=close)', l2: 0 },
  'listwise ranknet': { objective: 'normalise(ranknet)' },
};
/** Rivals: the one of ours with the like objective, and whether their time of training has binning in it. */
const RIVALS = {
  lightgbm: { like: 'listwise lambdarank', binsWhileTraining: false },
  'xgboost rank:ndcg': { like: 'listwise lambdarank', binsWhileTraining: true },
  'xgboost rank:pairwise': { like: 'listwise ranknet', binsWhileTraining: true },
};

export const options = ['lightgbm', 'shapes', 'seeds', 'trees', 'leaves', 'rate', 'threads'];
export const flags = ['growth', 'validate'];

export async function prepare(given) {
  if (given.growth) return { growth: true, threads: numberOf(given, 'threads', 2) };
  const folder = join(os.tmpdir(), 'listwise-bench');
  mkdirSync(folder, { recursive: true });
  const lightgbm = given.lightgbm ?? 'lightgbm';
  const hasLightgbm = spawnSync(lightgbm, ['--version']).error === undefined;
  const seeds = Array.from({ length: numberOf(given, 'seeds', 3) }, (_, i) => i + 1);
  const number = (key, fallback) => numberOf(given, key, fallback);
  const settings = {
    trees: number('trees', given.validate ? MOST_TREES : 100),
    patience: given.validate ? PATIENCE : 0,
    leaves: number('leaves', 31),
    rate: number('rate', 0.1),
    threads: number('threads', 2),
    bins: 255,
    leastDocuments: 50,
  };
  const names = given.shapes?.split(',') ?? allShapes;
  const cases = [];
  for (const shape of names) {
    for (const seed of seeds) cases.push({ shape, seed, files: await dataFiles(folder, shape, seed, hasLightgbm) });
  }
  return { folder, shapes: names, seeds, cases, settings, lightgbm: hasLightgbm ? lightgbm : undefined, python };
}

const keyOf = (system, { shape, seed }) => `${system} / ${shape} / ${seed}`;
const scoresOf = (folder, key) => join(folder, `scores-${key.replaceAll(/[^a-z0-9]+/g, '-')}.txt`);

export function variants({ growth, threads, folder, cases, settings, lightgbm, python: command }) {
  if (growth) return growthVariants(threads);
  const systems = {
    ...Object.fromEntries(Object.entries(OURS).map(([name, own]) => [name, runListwise(own)])),
    ...(command && {
      'xgboost rank:ndcg': runXgboost(command, 'rank:ndcg'),
      'xgboost rank:pairwise': runXgboost(command, 'rank:pairwise'),
    }),
    ...(lightgbm && { lightgbm: runLightgbm(lightgbm) }),
  };
  const all = {};
  for (const own of cases) {
    for (const [system, run] of Object.entries(systems)) {
      const key = keyOf(system, own);
      all[key] = { run: () => run(own.files, settings, scoresOf(folder, key)) };
    }
  }
  return all;
}

function runListwise({ objective, ...own }) {
  return async ({ train: trainFile, validate: validateFile, test: testFile }, shape, scoresFile) => {
    const { readDataset, train, scoreData, writeFileWhole } = await benchmarkLibrary();
    const lap = stopwatch();
    const data = await readDataset(trainFile, { threads: shape.threads });
    const load = lap();
    const validate = shape.patience > 0 ? await readDataset(validateFile, { threads: shape.threads }) : undefined;
    const { model, seconds, iterations } = await train({
      data,
      model: 'trees',
      objective,
      ...(validate === undefined ? { holdout: 0 } : { validate }),
      select: 'ndcg@10',
      threads: shape.threads,
      giveUpFeatures: true,
      options: {
        trees: shape.trees,
        leaves: shape.leaves,
        rate: shape.rate,
        bins: shape.bins,
        minDocuments: shape.leastDocuments,
        patience: shape.patience,
        evaluateEvery: validate === undefined ? 0 : 1,
        ...own,
      },
    });
    const peak = (await import('./memory.mjs')).peakBytes();
    const test = await readDataset(testFile);
    lap();
    const scores = scoreData(model, test);
    const score = lap();
    await writeFileWhole(scoresFile, `${Array.from(scores).join('\n')}\n`);
    return { load, bin: seconds.bin, train: seconds.train, iterations, score, peak };
  };
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
  return async ({ train, validate, test }, shape, scores) => {
    const { stdout } = await promisify(execFile)(command, [
      XGBOOST,
      JSON.stringify({ ...shape, train, validate, test, scores, objective }),
    ]);
    const { peakBytes: peak, ...results } = JSON.parse(stdout.trim().split('\n').at(-1));
    return { ...results, peak };
  };
}

function runLightgbm(binary) {
  return async ({ train, validate, test }, shape, scores) => {
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
        ...(shape.patience === 0
          ? []
          : [`valid=${validate}.lgb`, 'metric=ndcg', 'eval_at=10', `early_stopping_round=${shape.patience}`]),
      ],
      { maxBuffer: 1 << 26 },
    );
    const load = Number(/Finished loading data in ([0-9.]+) seconds/.exec(stdout)[1]);
    const [, trained, iterations] = [...stdout.matchAll(/([0-9.]+) seconds elapsed, finished iteration ([0-9]+)/g)]
      .at(-1)
      .map(Number);
    const peak = 1024 * Number(/peak ([0-9]+) kB/.exec(stderr)[1]);
    const predict = ['task=predict', `data=${test}.lgb`, `input_model=${model}`, `output_result=${scores}`];
    await run(binary, [...predict, ...common]);
    // Loading includes binning; predicting includes reading the file and cannot be measured apart.
    return { load, bin: 0, train: trained, iterations, peak };
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

export async function* report(medians, context) {
  if (context.growth) {
    yield* growthReport(medians);
    return;
  }
  const { settings, shapes, lightgbm, python: command } = context;
  yield `${TRAINING_QUERIES} training and ${TEST_QUERIES} test queries of about ${DOCUMENTS} documents x 136 features, ${settings.trees} trees x ${settings.leaves} leaves, rate ${settings.rate}, ${settings.threads} threads`;
  if (settings.patience > 0) {
    yield `evaluated on ${VALIDATION_QUERIES} queries after every tree, until ${PATIENCE} trees running are no better; train is seconds of 100 trees`;
  }
  for (const [name, { objective, l2 }] of Object.entries(OURS)) {
    yield `${name} is ${objective}${l2 === undefined ? '' : `, l2 ${l2}`}`;
  }
  if (!command) yield 'python3-xgboost is not installed: left out';
  if (!lightgbm) yield 'no lightgbm binary (--lightgbm PATH): left out';
  for (const shape of shapes) yield* shapeReport(shape, medians, context);
}

async function* shapeReport(shape, medians, { folder, cases, settings }) {
  const own = cases.filter(one => one.shape === shape);
  const systems = [...new Set(Object.keys(medians).map(key => key.split(' / ')[0]))];
  const of = (system, name) => mean(own.map(one => medians[keyOf(system, one)][name]));
  const train = system =>
    settings.patience > 0 ? (100 / of(system, 'iterations')) * of(system, 'train') : of(system, 'train');
  const load = system => of(system, 'load') + of(system, 'bin');
  yield '';
  yield [
    shape.padEnd(22),
    ...['load+bin', 'train', 'trees', 'score', 'peak MB', 'ndcg@10'].map(text => text.padStart(9)),
  ].join(' ');
  const values = {};
  for (const system of systems) {
    values[system] = await Promise.all(own.map(one => perQuery(one.files.test, scoresOf(folder, keyOf(system, one)))));
    const seconds = value => (Number.isNaN(value) ? '-' : value.toFixed(2));
    yield [
      system.padEnd(22),
      ...[
        seconds(load(system)),
        seconds(train(system)),
        of(system, 'iterations').toFixed(0),
        seconds(of(system, 'score')),
        (of(system, 'peak') / 1e6).toFixed(0),
        mean(values[system].map(mean)).toFixed(4),
      ].map(text => text.padStart(9)),
    ].join(' ');
  }
  for (const system of systems.filter(name => name in RIVALS)) {
    const { like, binsWhileTraining } = RIVALS[system];
    const ratio = value => (value(like) / value(system)).toFixed(2);
    // With patience, times are by tree, and so many trees share one binning.
    const isWithBins = binsWhileTraining && settings.patience === 0;
    const withBins = isWithBins ? ` (with our binning ${ratio(name => of(name, 'bin') + train(name))})` : '';
    yield `${like} / ${system}: train ${ratio(train)}${withBins}, load+bin ${ratio(load)}, memory ${ratio(name => of(name, 'peak'))}`;
    for (const [i, { seed }] of own.entries()) {
      const theirs = values[system][i];
      const differences = values[like][i].map((value, q) => value - theirs[q]);
      const centre = mean(differences);
      const spread = Math.sqrt(mean(differences.map(d => (d - centre) ** 2)) / (differences.length - 1));
      yield `  data seed ${seed}: ndcg@10 ${centre.toFixed(4)} above, 95 % lower bound ${(centre - 1.96 * spread).toFixed(4)} (asked for: above -0.005)`;
    }
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
