// npm run bench -- categories [--lightgbm PATH] [--seeds 5] [--levels 200] [--queries 2000] [--threads 2]: boosted
// trees over a category whose levels have an effect each, and another one beside a number: by sets of levels, with the
// codes as numbers, and with LightGBM (a binary given, or on the PATH). Quality on other queries, and time.
import { Dataset } from '../dist/data/dataset.js';
import { evaluate } from '../dist/measures/evaluate.js';
import { scoreData } from '../dist/models/ranker.js';
import { Random } from '../dist/numeric/random.js';
import { train } from '../dist/training/train.js';
import { numberOf } from './numbers.mjs';
import { lightgbmBinary, runLightgbm, writeRows } from './rivals/lightgbm.mjs';

const DOCUMENTS = 20;
const TEST_QUERIES = 1000;
const FEATURES = ['brand', 'a', 'b', 'c', 'd'];
const SHAPE = { trees: 150, leaves: 31, rate: 0.1, minDocuments: 20 };

export const options = ['lightgbm', 'seeds', 'levels', 'queries', 'threads'];

export async function prepare(given) {
  const number = (key, fallback) => numberOf(given, key, fallback);
  return {
    seeds: Array.from({ length: number('seeds', 5) }, (_, i) => i + 1),
    levels: number('levels', 200),
    queries: number('queries', 2000),
    threads: number('threads', 2),
    lightgbm: lightgbmBinary(given.lightgbm),
  };
}

/** Some levels are frequent; some values are missing, which is a level of its own to the labels. */
function columnsOf(seed, queries, levels, part) {
  const effect = which => Array.from({ length: levels }, (_, l) => new Random(seed, `${which} ${l}`).gaussian());
  const [effects, besides] = [effect('effect'), effect('beside')];
  const random = new Random(seed, part);
  const columns = Object.fromEntries(['q', 'label', ...FEATURES].map(name => [name, []]));
  for (let i = 0; i < queries * DOCUMENTS; i++) {
    const level = Math.floor(levels * random.uniform() ** 1.7);
    const missing = random.uniform() < 0.05;
    const [a, b, c, d] = Array.from({ length: 4 }, () => Math.fround(random.gaussian()));
    const own = missing ? -0.5 : effects[level] + (b > 0 ? 0.7 * besides[level] : 0);
    const value = own + 0.5 * a + 0.3 * c * d + 1.2 * random.gaussian();
    const label = [0.3, 1.2, 2.2, 3.2].filter(cut => value >= cut).length;
    const row = { q: Math.floor(i / DOCUMENTS), label, brand: missing ? null : level, a, b, c, d };
    for (const [name, cell] of Object.entries(row)) columns[name].push(cell);
  }
  return columns;
}

function dataOf(seed, { queries, levels }, categories) {
  const roles = { query: 'q', label: 'label', features: FEATURES };
  const data = Dataset.from(columnsOf(seed, queries, levels, 'train'), { ...roles, categories });
  const test = columnsOf(seed, TEST_QUERIES, levels, 'test');
  return { data, test: Dataset.from(test, { ...roles, description: data.description }) };
}

const quality = (model, test) => evaluate(test, scoreData(model, test), 'ndcg@10')[0].mean;

function runListwise(categories) {
  return async (seed, context) => {
    const { data, test } = dataOf(seed, context, categories);
    const options = { ...SHAPE, evaluateEvery: 0, patience: 0 };
    const { model, seconds } = await train({ model: 'trees', data, holdout: 0, options, threads: context.threads });
    return { ndcg: quality(model, test), seconds: seconds.train };
  };
}

async function runRival(seed, context) {
  const columns = columnsOf(seed, context.queries, context.levels, 'train');
  const rows = columns.label.map((label, i) => [label, ...FEATURES.map(name => columns[name][i] ?? 'nan')]);
  const settings = {
    categorical_feature: 0,
    num_trees: SHAPE.trees,
    num_leaves: SHAPE.leaves,
    learning_rate: SHAPE.rate,
    min_data_in_leaf: SHAPE.minDocuments,
    num_threads: context.threads,
  };
  const file = writeRows('categories', rows, DOCUMENTS);
  const { model, seconds } = runLightgbm(context.lightgbm, file, settings, FEATURES);
  // By codes.
  const { test } = dataOf(seed, context, []);
  return { ndcg: quality(model, test), seconds };
}

export function variants(context) {
  const systems = {
    'sets of levels': runListwise(['brand']),
    'codes as numbers': runListwise([]),
    ...(context.lightgbm && { lightgbm: runRival }),
  };
  return Object.fromEntries(
    context.seeds.flatMap(seed =>
      Object.entries(systems).map(([system, run]) => [`${system} / ${seed}`, { run: () => run(seed, context) }]),
    ),
  );
}

export function* report(medians, { seeds, levels, queries, lightgbm }) {
  yield `${queries} training and ${TEST_QUERIES} test queries of ${DOCUMENTS} documents, ${levels} levels, ${SHAPE.trees} trees x ${SHAPE.leaves} leaves`;
  if (!lightgbm) yield 'no lightgbm binary (--lightgbm PATH): left out';
  for (const system of new Set(Object.keys(medians).map(key => key.split(' / ')[0]))) {
    const of = key => seeds.map(seed => medians[`${system} / ${seed}`][key]);
    const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
    const each = of('ndcg').map(value => value.toFixed(4));
    yield `${system.padEnd(17)} ndcg@10 ${mean(of('ndcg')).toFixed(4)} (${each.join(' ')}), train ${mean(of('seconds')).toFixed(1)} s`;
  }
}
