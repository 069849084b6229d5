// npm run bench -- clicks [--queries 30000] [--trees 150] [--seed 1] [--features 5] [--etas 0.5,1,2] [--threads 2]
// [--python PATH] [--xgboost-python PATH] Trees from clicks with the bias of positions, examined with the chance
// (1/k)^eta: how much of the gap between training on clicks as they are and training on grades is closed, and how far
// the estimated examination is off. Beside LightGBM's `position` (a Python that has lightgbm: --python, or on the PATH)
// and XGBoost's `lambdarank_unbiased` (one that has xgboost 2 or newer: --xgboost-python, or on the PATH). Every run
// selects its number of trees, every 25th, by NDCG@10 of grades on validation queries; results are of other queries.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateDataset } from '../dist/data/generators/generate.js';
import { evaluate } from '../dist/measures/evaluate.js';
import { scoreData } from '../dist/models/ranker.js';
import { pythonWith } from '../dist/reproduce/python.js';
import { train } from '../dist/training/train.js';
import { numberOf } from './numbers.mjs';

const ETAS = [0.5, 1, 2];
const DOCUMENTS = 20;
const [VALIDATION, TEST] = [1000, 2000];
const EVERY = 25;
/** The same every time. */
export const rounds = 1;
export const options = ['queries', 'trees', 'seed', 'features', 'threads', 'python', 'xgboost-python', 'etas'];

const clicked = 'ranknet(labels=clicks)';
const smooth = { randomThresholds: true };
/** By name: the objective, or one for each eta, and options of the trees where it has some of its own. */
const objectives = {
  grades: 'ranknet',
  clicks: clicked,
  examined: `debias(${clicked})`,
  'examined, random splits': { objective: `debias(${clicked})`, options: smooth },
  'examined, ndcg': 'debias(lambdarank(ndcg,labels=clicks))',
  'examined, logistic': 'debias(logistic(labels=clicks))',
  additive: `debias(${clicked},positions=additive)`,
  ratios: `debias(${clicked},positions=ratios)`,
  power: eta => `debias(${clicked},positions=power,eta=${eta})`,
};
const script = name => fileURLToPath(new URL(`rivals/${name}-clicks.py`, import.meta.url));
const lightgbm = { script: script('lightgbm'), python: 'python' };
const xgboost = { script: script('xgboost'), python: 'xgboostPython' };
/** `positions`: whether the rival is told where documents were shown. */
const rivals = {
  'LightGBM grades': { ...lightgbm, positions: false },
  'LightGBM clicks': { ...lightgbm, label: 'clicks', positions: false },
  'LightGBM position': { ...lightgbm, label: 'clicks', positions: true },
  'LightGBM, random splits': { ...lightgbm, label: 'clicks', positions: true, extraTrees: true },
  'XGBoost clicks': { ...xgboost, objective: 'rank:ndcg', label: 'clicks', positions: false },
  'XGBoost unbiased, ndcg': { ...xgboost, objective: 'rank:ndcg', label: 'clicks', positions: true },
  'XGBoost unbiased, pairs': { ...xgboost, objective: 'rank:pairwise', label: 'clicks', positions: true },
};

/** Unbiased objectives came with 2.0. */
function pythonWithXGBoost() {
  const recent = 'import xgboost; assert int(xgboost.__version__.split(".")[0]) >= 2';
  return ['python3', 'python'].find(python => spawnSync(python, ['-c', recent], { stdio: 'ignore' }).status === 0);
}

export function prepare(given) {
  const etas = given.etas?.split(',').map(Number) ?? ETAS;
  const shape = { queries: numberOf(given, 'queries', 30_000), features: numberOf(given, 'features', 5) };
  return {
    ...shape,
    etas,
    seed: numberOf(given, 'seed', 1),
    trees: numberOf(given, 'trees', 150),
    threads: numberOf(given, 'threads', 2),
    python: given.python ?? pythonWith('lightgbm'),
    xgboostPython: given['xgboost-python'] ?? pythonWithXGBoost(),
  };
}

export function variants({ etas, ...context }) {
  const each = (names, run) => etas.flatMap(eta => names.map(name => [`${eta} ${name}`, { run: run(eta, name) }]));
  const there = Object.keys(rivals).filter(name => context[rivals[name].python]);
  return Object.fromEntries([
    ...each(Object.keys(objectives), (eta, name) => context => ours(eta, objectives[name], context)),
    ...each(there, (eta, name) => context => theirs(eta, rivals[name], context)),
  ]);
}

function dataOf(eta, { queries, features, seed }) {
  const shape = { documents: DOCUMENTS, features, seed, clicks: `positions(eta=${eta})` };
  const make = (count, skip) => generateDataset('cubic', { ...shape, queries: count, skip });
  return { data: make(queries, 0), validate: make(VALIDATION, queries), test: make(TEST, queries + VALIDATION) };
}

async function ours(eta, how, context) {
  const { objective, options } = how.objective === undefined ? { objective: how, options: {} } : how;
  const { data, validate, test } = dataOf(eta, context);
  const { model, best, learned } = await train({
    model: 'trees',
    data,
    validate,
    objective: typeof objective === 'string' ? objective : objective(eta),
    options: {
      trees: context.trees,
      leaves: 31,
      rate: 0.1,
      minDocuments: 50,
      evaluateEvery: EVERY,
      patience: 0,
      ...options,
    },
    threads: context.threads,
  });
  const [{ mean }] = evaluate(test, scoreData(model, test), ['ndcg@10']);
  return { ndcg: mean, trees: best.iteration, ...errorOf(learned?.[0], eta) };
}

/** Root mean squared distance of logarithms, and mean distance, to the examination that clicks were made with. */
function errorOf(table, eta) {
  if (table === undefined) return {};
  const { values } = table.columns.find(({ name }) => name === table.drawn);
  const mean = of => values.reduce((sum, value, k) => sum + of(value, (k + 1) ** -eta), 0) / values.length;
  return {
    error: mean((value, real) => Math.abs(value - real)),
    logError: Math.sqrt(mean((value, real) => Math.log(value / real) ** 2)),
  };
}

/** Rivals give scores after every 25th tree; they are evaluated here. */
function theirs(eta, { script, python, label, ...how }, { trees, threads, ...context }) {
  const { data, validate, test } = dataOf(eta, context);
  const folder = mkdtempSync(join(os.tmpdir(), 'listwise-clicks-'));
  try {
    const write = (name, values) => writeFileSync(join(folder, name), new Uint8Array(Float64Array.from(values).buffer));
    for (const [part, set] of Object.entries({ data, validate, test })) {
      for (let f = 0; f < set.features; f++) write(`${part}.${f}`, set.column(f));
    }
    write('label', data.label(label));
    if (how.positions) write('positions', data.positions);
    const { features } = data;
    const job = { ...how, folder, documents: DOCUMENTS, features, trees, every: EVERY, threads };
    execFileSync(context[python], [script, JSON.stringify(job)], { stdio: ['ignore', 'ignore', 'inherit'] });
    const value = (part, set, k) => {
      const scores = new Float64Array(new Uint8Array(readFileSync(join(folder, `${part}.scores.${k}`))).buffer);
      return evaluate(set, scores, ['ndcg@10'])[0].mean;
    };
    const steps = Array.from({ length: Math.floor(trees / EVERY) }, (_, i) => EVERY * (i + 1));
    const best = steps.reduce((a, b) => (value('validate', validate, b) > value('validate', validate, a) ? b : a));
    return { ndcg: value('test', test, best), trees: best };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function* report(medians, { etas, python, xgboostPython, queries, features, seed }) {
  if (!python) yield 'no Python with lightgbm (--python PATH): left out';
  if (!xgboostPython) yield 'no Python with xgboost 2 or newer (--xgboost-python PATH): left out';
  yield `cubic data of seed ${seed}, ${queries} training queries of ${DOCUMENTS} documents, ${features} features; NDCG@10 of grades`;
  yield 'eta  trained on               ndcg@10  trees  gap closed  error  of logarithms';
  for (const eta of etas) {
    const [least, most] = ['clicks', 'grades'].map(name => medians[`${eta} ${name}`].ndcg);
    for (const [name, { ndcg, trees, error, logError }] of Object.entries(medians)) {
      if (!name.startsWith(`${eta} `)) continue;
      const closed = `${((100 * (ndcg - least)) / (most - least)).toFixed(1)} %`;
      const errors = error === undefined ? '' : `${error.toFixed(4)}  ${logError.toFixed(3)}`;
      const cells = [String(eta).padEnd(3), name.slice(String(eta).length + 1).padEnd(23), ndcg.toFixed(4).padStart(8)];
      yield [...cells, String(trees).padStart(5), closed.padStart(10), errors].join('  ').trimEnd();
    }
  }
}
