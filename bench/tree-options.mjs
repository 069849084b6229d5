// npm run bench -- tree-options [--lightgbm PATH] [--seeds 5] [--first 1] [--only dropout] [--queries 1500]
//   [--threads 2]
// Options of boosted trees beside LightGBM's counterparts (a binary given, or on the PATH), each with its usual
// objective for ranking, and both with lambdas of plain LambdaRank: quality on other queries, of data made by a random
// cubic polynomial of 10 features. The number of trees is the same for all.
import { generateDataset } from '../dist/data/generators/generate.js';
import { evaluate } from '../dist/measures/evaluate.js';
import { scoreData } from '../dist/models/ranker.js';
import { train } from '../dist/training/train.js';
import { numberOf } from './numbers.mjs';
import { lightgbmBinary, runLightgbm, writeRows } from './rivals/lightgbm.mjs';

const [DOCUMENTS, FEATURES] = [20, 10];
const [OLD_QUERIES, TEST_QUERIES] = [200, 1000];
const SHAPE = { trees: 150, leaves: 31, rate: 0.1, minDocuments: 20 };
const THEIRS = { num_trees: 150, num_leaves: 31, learning_rate: 0.1, min_data_in_leaf: 20, verbosity: 1 };
/** By option: ours, LightGBM's. */
const settings = {
  plain: [{}, {}],
  interactions: [
    { interactions: ['1+2+3+4+5', '4+5+6+7+8+9+10'] },
    { interaction_constraints: '[0,1,2,3,4],[3,4,5,6,7,8,9]' },
  ],
  'one-side sampling': [
    { topShare: 0.2, otherShare: 0.1, minDocuments: 6 },
    { data_sample_strategy: 'goss', top_rate: 0.2, other_rate: 0.1, min_data_in_leaf: 6 },
  ],
  dropout: [{ dropRate: 0.1 }, { boosting: 'dart', drop_rate: 0.1 }],
};
const REFITTED = 'refitted leaves';
const DECAY = 0.5;
/** The same every time. */
export const rounds = 1;
export const options = ['lightgbm', 'seeds', 'first', 'only', 'queries', 'threads'];
/** LightGBM's lambdarank divides each pair by the distance of its scores, and takes the logarithm of a query's sum. */
const alike = [{ objective: 'lambdarank(ndcg)', options: { l2: 0 } }, { lambdarank_norm: false }];

export function prepare(given) {
  return {
    seeds: Array.from({ length: numberOf(given, 'seeds', 5) }, (_, i) => i + numberOf(given, 'first', 1)),
    only: given.only,
    queries: numberOf(given, 'queries', 1500),
    threads: numberOf(given, 'threads', 2),
    lightgbm: lightgbmBinary(given.lightgbm),
  };
}

function dataOf(seed, { queries }) {
  const make = (count, skip) =>
    generateDataset('cubic', { seed, documents: DOCUMENTS, features: FEATURES, flips: 0.2, queries: count, skip });
  return { data: make(queries, 0), test: make(TEST_QUERIES, queries), old: make(OLD_QUERIES, queries + TEST_QUERIES) };
}

const quality = (model, test) => ({ ndcg: evaluate(test, scoreData(model, test), 'ndcg@10')[0].mean });

async function ours(name, seed, context, like = {}) {
  const { data, test, old } = dataOf(seed, context);
  const job = { model: 'trees', threads: context.threads, holdout: 0, objective: like.objective };
  const fitted = async (given, more, from) => {
    const settled = { ...SHAPE, evaluateEvery: 0, patience: 0, ...like.options, ...more };
    return (await train({ ...job, data: given, from, options: settled })).model;
  };
  if (name !== REFITTED) return quality(await fitted(data, settings[name][0]), test);
  return quality(await fitted(data, { refitDecay: DECAY }, await fitted(old, {})), test);
}

function theirs(name, seed, context, like = {}) {
  const { data, test, old } = dataOf(seed, context);
  const names = data.featureNames;
  const write = (file, set) => {
    const columns = [set.label(), ...names.map((_, f) => set.column(f))];
    return writeRows(
      file,
      Array.from({ length: set.rows }, (_, row) => columns.map(column => column[row])),
      DOCUMENTS,
    );
  };
  const run = (set, file, more) =>
    runLightgbm(
      context.lightgbm,
      write(file, set),
      { ...THEIRS, num_threads: context.threads, ...like, ...more },
      names,
    );
  if (name !== REFITTED) return quality(run(data, 'options', settings[name][1]).model, test);
  const { file } = run(old, 'options-old', {});
  return quality(run(data, 'options', { task: 'refit', input_model: file, refit_decay_rate: DECAY }).model, test);
}

export function variants(context) {
  const systems = {
    listwise: ours,
    'listwise, alike': (name, seed, given) => ours(name, seed, given, alike[0]),
    ...(context.lightgbm && {
      lightgbm: theirs,
      'lightgbm, alike': (name, seed, given) => theirs(name, seed, given, alike[1]),
    }),
  };
  const names = [...Object.keys(settings), REFITTED].filter(name => (context.only ?? name) === name);
  return Object.fromEntries(
    names.flatMap(name =>
      Object.entries(systems).flatMap(([system, run]) =>
        context.seeds.map(seed => [`${name} / ${system} / ${seed}`, { run: () => run(name, seed, context) }]),
      ),
    ),
  );
}

export function* report(medians, { seeds, queries, lightgbm }) {
  if (!lightgbm) yield 'no lightgbm binary (--lightgbm PATH): left out';
  yield `${queries} training queries (${OLD_QUERIES} before leaves are refitted) and ${TEST_QUERIES} test queries of ${DOCUMENTS} documents, ${SHAPE.trees} trees x ${SHAPE.leaves} leaves`;
  for (const variant of new Set(Object.keys(medians).map(key => key.slice(0, key.lastIndexOf(' / '))))) {
    const values = seeds.map(seed => medians[`${variant} / ${seed}`].ndcg);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    yield `${variant.padEnd(36)} ndcg@10 ${mean.toFixed(4)} (${values.map(value => value.toFixed(4)).join(' ')})`;
  }
}
