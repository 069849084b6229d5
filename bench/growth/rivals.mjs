// How the time of a round of the other trainers grows: with documents in queries of 100, and with the length of queries
// at 100,000 documents in all. A round is a weak ranker of AdaRank or RankBoost, a cutting plane of an SVM, a cycle
// over ten features of coordinate ascent, each with an evaluation of all documents. Of the documents 48 % are relevant,
// with rel=3 3 %.
import { growthOf } from './slope.mjs';

const FEATURES = 10;
const LENGTH = 100;
const DOCUMENTS = [12_500, 25_000, 50_000, 100_000];
const LENGTHS = [100, 250, 500, 1000];
const MOST = DOCUMENTS.at(-1);

const boosting = { rounds: 12 };
const cycles = { cycles: 2, restarts: 0, tolerance: 0 };
const planes = { rounds: 6 };
const TRAINERS = {
  'adarank, ap': { model: 'adarank', select: 'ap', options: boosting },
  'adarank, ndcg@10': { model: 'adarank', select: 'ndcg@10', options: boosting },
  rankboost: { model: 'rankboost', select: 'ap', options: boosting },
  'coordinate, ap': { model: 'coordinate', select: 'ap', options: cycles },
  'coordinate, ap(rel=3)': { model: 'coordinate', select: 'ap(rel=3)', options: cycles },
  'coordinate, ndcg@10': { model: 'coordinate', select: 'ndcg@10', options: cycles },
  'svm, pairs': { model: 'svm', select: 'ap', options: { ...planes, loss: 'pairs' } },
  'svm, ap': { model: 'svm', select: 'ap', options: { ...planes, loss: 'ap' } },
  'svm, ap, rel=3': { model: 'svm', select: 'ap', options: { ...planes, loss: 'ap', rel: 3 } },
  'svm, ndcg': { model: 'svm', select: 'ap', options: { ...planes, loss: 'ndcg' } },
  'svm, ndcg, positions': { model: 'svm', select: 'ap', options: { ...planes, loss: 'ndcg', form: 'positions' } },
  'svm, rr': { model: 'svm', select: 'ap', options: { ...planes, loss: 'rr' } },
};

const SHAPES = [
  ...DOCUMENTS.map(documents => ({ documents, length: LENGTH })),
  ...LENGTHS.filter(length => length !== LENGTH).map(length => ({ documents: MOST, length })),
];

const keyOf = (trainer, { documents, length }) => `${trainer}: ${documents / length} queries of ${length}`;

export function growthVariants(threads) {
  return Object.fromEntries(
    Object.entries(TRAINERS).flatMap(([trainer, settings]) =>
      SHAPES.map(shape => [keyOf(trainer, shape), { run: () => secondsOfRound(settings, shape, threads) }]),
    ),
  );
}

async function secondsOfRound(settings, { documents, length }, threads) {
  const { generateDataset } = await import('#listwise/data/index.js');
  const { train } = await import('#listwise/training/train.js');
  const queries = documents / length;
  const data = generateDataset('cubic', { queries, documents: length, features: FEATURES, seed: 1 });
  const { log } = await train({ ...settings, data, threads, holdout: 0 });
  // The first warms up; the fastest is the one least disturbed by whatever else the machine does.
  return { seconds: Math.min(...log.slice(1).map(record => record.seconds)) };
}

export function* growthReport(medians) {
  const points = (trainer, shapes) => shapes.map(shape => medians[keyOf(trainer, shape)].seconds);
  const by = (trainer, sizes, shapes) => growthOf(points(trainer, shapes).map((seconds, i) => [sizes[i], seconds]));
  const more = DOCUMENTS.map(documents => ({ documents, length: LENGTH }));
  const longer = LENGTHS.map(length => ({ documents: MOST, length }));
  yield `milliseconds a round, ${FEATURES} features; growth: 1 is linear in documents, or in the length of queries at ${MOST} documents in all`;
  yield `trainer                ${DOCUMENTS.map(n => `${n / 1000}k`.padStart(8)).join('')}  growth ${LENGTHS.map(n => `x ${n}`.padStart(8)).join('')}  growth`;
  for (const trainer of Object.keys(TRAINERS)) {
    const times = shapes =>
      points(trainer, shapes)
        .map(seconds => (1000 * seconds).toFixed(0).padStart(8))
        .join('');
    yield [
      trainer.padEnd(22),
      times(more),
      by(trainer, DOCUMENTS, more).toFixed(2).padStart(7),
      times(longer),
      by(trainer, LENGTHS, longer).toFixed(2).padStart(7),
    ].join(' ');
  }
}
