// npm run bench -- rivals --ranklib RankLib.jar [--data ../shared/data] [--folds 1] [--methods LIST] [--threads N]
// npm run bench -- rivals --growth [--threads 1]
// AdaRank, RankBoost and coordinate ascent against RankLib's, on LETOR's folds of OHSUMED and MQ2008 with features
// normalised within queries by both: seconds of training as each of the two says itself (data read, code loaded, with a
// look at the validation data every round), of processors for all of `train` or the process, and MAP of the test part.
// Both may use as many threads, all cores by default, as both do for their users; --threads 1 gives each one core.
// Rounds are RankLib's defaults: 300 for RankBoost, 500 at most for AdaRank, five starts for coordinate ascent. AdaRank
// ends by rules of each system's own, so that `times` is by round. RankBoost's thresholds are 255 a feature here and 10
// there. Collections and jars that are not there are left out, and the report says so. With --growth instead: how the
// time of a round of these and of SVMs grows with documents and with the length of queries.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { growthReport, growthVariants } from './growth/rivals.mjs';
import { numberOf } from './numbers.mjs';

const SETS = ['ohsumed', 'mq2008'];
const METHODS = {
  'adarank-map': { model: 'adarank', select: 'map', options: { rounds: 500 }, ranker: 3, metric: 'MAP', goal: 10 },
  'adarank-ndcg': {
    model: 'adarank',
    select: 'ndcg@10',
    options: { rounds: 500 },
    ranker: 3,
    metric: 'NDCG@10',
    goal: 10,
  },
  rankboost: { model: 'rankboost', select: 'map', options: { rounds: 300 }, ranker: 2, metric: 'MAP', goal: 20 },
  coordinate: { model: 'coordinate', select: 'map', options: { restarts: 4 }, ranker: 4, metric: 'MAP', goal: 20 },
};
const PARTS = 5;

export const options = ['ranklib', 'data', 'folds', 'methods', 'threads'];
export const flags = ['growth'];

export function prepare(given) {
  if (given.growth) return { growth: true, threads: numberOf(given, 'threads', 1) };
  const data = given.data ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
  const folder = join(os.tmpdir(), 'listwise-bench');
  mkdirSync(folder, { recursive: true });
  const sets = SETS.filter(set => existsSync(join(data, set)));
  const folds = Array.from({ length: Math.min(PARTS, numberOf(given, 'folds', 1)) }, (_, i) => i + 1);
  const ranklib = given.ranklib !== undefined && existsSync(given.ranklib) ? given.ranklib : undefined;
  if (ranklib !== undefined) for (const set of sets) for (const fold of folds) writeFold(data, folder, set, fold);
  const methods = given.methods?.split(',') ?? Object.keys(METHODS);
  return {
    data,
    folder,
    sets,
    folds,
    ranklib,
    methods,
    threads: numberOf(given, 'threads', os.availableParallelism()),
  };
}

/** Fold k trains on three parts from S_k on, validates on the next and tests on the one after. */
function writeFold(data, folder, set, fold) {
  const part = offset => gunzipSync(readFileSync(join(data, set, `S${((fold - 1 + offset) % PARTS) + 1}.txt.gz`)));
  const files = foldFiles(folder, set, fold);
  if (existsSync(files.test)) return;
  writeFileSync(files.train, Buffer.concat([part(0), part(1), part(2)]));
  writeFileSync(files.validate, part(3));
  writeFileSync(files.test, part(4));
}

function foldFiles(folder, set, fold) {
  return Object.fromEntries(
    ['train', 'validate', 'test'].map(name => [name, join(folder, `${set}-${fold}.${name}.txt`)]),
  );
}

const keyOf = (system, method, set, fold) => [system, method, set, fold].join(' ');

export function variants({ growth, data, folder, sets, folds, ranklib, methods, threads }) {
  if (growth) return growthVariants(threads);
  const all = {};
  for (const set of sets) {
    for (const name of methods) {
      for (const fold of folds) {
        const method = METHODS[name];
        all[keyOf('listwise', name, set, fold)] = { run: () => runListwise(method, join(data, set), fold, threads) };
        if (ranklib === undefined) continue;
        const files = foldFiles(folder, set, fold);
        all[keyOf('ranklib', name, set, fold)] = { run: () => runRanklib(ranklib, method, files, threads) };
      }
    }
  }
  return all;
}

async function runListwise({ model, select, options: own }, directory, fold, threads) {
  const [{ letorFolds, normalisations, normalise, readDataset }, { train }, { evaluate, parseMeasure }, { scoreData }] =
    await Promise.all([
      import('#listwise/data/index.js'),
      import('#listwise/training/train.js'),
      import('#listwise/measures/index.js'),
      import('#listwise/models/ranker.js'),
    ]);
  const parts = await Promise.all(
    Array.from({ length: PARTS }, (_, i) => readDataset(join(directory, `S${i + 1}.txt.gz`))),
  );
  const {
    train: data,
    validate,
    test,
  } = letorFolds(parts.map(part => normalise(part, normalisations.zscore)))[fold - 1];
  const before = cpuUsage();
  const trained = await train({ data, validate, model, select, options: own, threads });
  const { user, system } = cpuUsage(before);
  const seconds = trained.seconds.bin + trained.seconds.train;
  const rounds = model === 'adarank' ? trained.iterations : 1;
  const [{ mean: map }] = evaluate(test, scoreData(trained.model, test), [parseMeasure('map')]);
  return { seconds, rounds, processor: (user + system) / 1e6, map };
}

/**
 * Its log has the time of every line: training is from the first line about it to the last. It takes -metric2T for
 * -metric2t, too, so that the test part is evaluated by a run of its own.
 */
async function runRanklib(jar, { ranker, metric }, { train, validate, test }, threads) {
  const model = `${train}.${metric}.${ranker}.model`;
  const java = (...given) =>
    promisify(execFile)(
      '/usr/bin/time',
      [
        ...['-f', 'processor %U %S', 'java', `-XX:ActiveProcessorCount=${threads}`],
        '-Djava.util.logging.SimpleFormatter.format=%1$tQ %5$s%n',
        ...['-jar', jar, '-norm', 'zscore', '-thread', threads, ...given],
      ].map(String),
      { maxBuffer: 1 << 28 },
    );
  const { stdout, stderr } = await java(
    ...['-ranker', ranker, '-metric2t', metric, '-train', train, '-validate', validate, '-save', model],
  );
  const tested = await java('-load', model, '-test', test, '-metric2T', 'MAP');
  const log = `${stdout}\n${stderr}`;
  const at = pattern => Number(new RegExp(`(\\d{13}) ${pattern}`).exec(log)[1]);
  const [, user, system] = /processor ([0-9.]+) ([0-9.]+)/.exec(log);
  return {
    seconds: (at('Finished') - at('Initializing')) / 1000,
    // A line a round; those that were taken back cost as much.
    rounds: ranker === METHODS['adarank-map'].ranker ? log.match(/^\d{13} \d+ +\|/gm).length : 1,
    processor: Number(user) + Number(system),
    map: Number(/MAP on test data: ([0-9.]+)/.exec(`${tested.stdout}\n${tested.stderr}`)[1]),
  };
}

export function* report(medians, { growth, data, sets, folds, ranklib, methods, threads }) {
  if (growth) return yield* growthReport(medians);
  for (const set of SETS) if (!sets.includes(set)) yield `no ${set} in ${data}: left out`;
  if (ranklib === undefined) yield 'no RankLib.jar (--ranklib FILE): left out';
  yield `folds ${folds.join(', ')}; ${threads} threads; means over the folds`;
  yield 'set      method        seconds  RankLib  times  goal  rounds  RankLib  MAP     RankLib  processor s, whole process of RankLib';
  for (const set of sets) {
    for (const method of methods) {
      const of = (system, name) => mean(folds.map(fold => medians[keyOf(system, method, set, fold)]?.[name]));
      const number = (value, digits, width) => (Number.isNaN(value) ? '-' : value.toFixed(digits)).padStart(width);
      const [ours, theirs] = ['listwise', 'ranklib'].map(system => of(system, 'seconds'));
      const [own, other] = ['listwise', 'ranklib'].map(system => of(system, 'rounds'));
      yield [
        set.padEnd(8),
        method.padEnd(12),
        number(ours, 2, 8),
        number(theirs, 2, 8),
        number(theirs / other / (ours / own), 1, 6),
        String(METHODS[method].goal).padStart(5),
        number(own, 0, 7),
        number(other, 0, 8),
        number(of('listwise', 'map'), 4, 8),
        number(of('ranklib', 'map'), 4, 8),
        number(of('listwise', 'processor'), 2, 9),
        number(of('ranklib', 'processor'), 2, 8),
      ].join(' ');
    }
  }
}

function mean(values) {
  return values.reduce((sum, value) => sum + (value ?? Number.NaN), 0) / values.length;
}
