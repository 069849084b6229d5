// How the time of a tree grows: with documents, with features, and with the length of a query.
import { growthOf } from './slope.mjs';

const TREES = 9;

/** Each size is a set of its own; what is not named is as in BASE. */
const BASE = { queries: 500, documents: 100, features: 64, objective: 'lambdarank(ndcg)' };
const LENGTHS = [5_000, 10_000, 20_000, 50_000];
const GROWTHS = {
  'documents (in queries of 100)': { sizes: [250, 500, 1000, 2000].map(queries => ({ size: 100 * queries, queries })) },
  features: { sizes: [16, 32, 64, 128].map(features => ({ size: features, features })) },
  'documents of one query, ndcg@10': { sizes: LENGTHS.map(documents => oneQuery(documents, 'lambdarank(ndcg@10)')) },
  'documents of one query, ndcg of the whole list': {
    sizes: LENGTHS.map(documents => oneQuery(documents, 'lambdarank(ndcg)')),
  },
};

function oneQuery(documents, objective) {
  return { size: documents, documents, objective, queries: 1, features: 8 };
}

export function growthVariants(threads) {
  const all = {};
  for (const [name, { sizes }] of Object.entries(GROWTHS)) {
    for (const { size, ...shape } of sizes) all[`${name}: ${size}`] = { run: () => secondsOfTree(shape, threads) };
  }
  return all;
}

async function secondsOfTree(shape, threads) {
  const { generateDataset } = await import('#listwise/data/index.js');
  const { train } = await import('#listwise/training/train.js');
  const { queries, documents, features, objective } = { ...BASE, ...shape };
  const data = generateDataset('net', { queries, documents, features, seed: 1 });
  const { log } = await train({
    data,
    objective,
    threads,
    model: 'trees',
    holdout: 0,
    select: 'ndcg@10',
    options: { trees: TREES, leaves: 31, minDocuments: 50, patience: 0, evaluateEvery: 0 },
  });
  // The last is measured, the first warms up; the fastest is the one least disturbed by whatever else the machine does.
  return { seconds: Math.min(...log.slice(1, -1).map(record => record.seconds)) };
}

export function* growthReport(medians) {
  yield `time of a tree of 31 leaves; otherwise ${BASE.queries} queries of ${BASE.documents} documents, ${BASE.features} features, ${BASE.objective}`;
  for (const [name, { sizes }] of Object.entries(GROWTHS)) {
    const points = sizes.map(({ size }) => [size, medians[`${name}: ${size}`]]);
    yield name;
    for (const [size, { seconds, peakBytes }] of points) {
      yield `  ${String(size).padStart(7)} ${(1000 * seconds).toFixed(1).padStart(9)} ms ${(peakBytes / 1e6).toFixed(0).padStart(6)} MB`;
    }
    yield `  slope ${growthOf(points.map(([size, { seconds }]) => [size, seconds])).toFixed(2)}`;
  }
}
