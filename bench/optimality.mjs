// npm run bench -- optimality [--threads N]: 459 random directions x 10 steps of a model over 1,000 queries of 50
// documents with 50 features (the cubic data), evaluated by AP: linear, a net of 10 units, 100 trees of 31 leaves.
// Seconds of the clock and of processors, and what was found: the test is only worth its time if trained models do
// better in it than random ones.
import { cpuUsage } from 'node:process';
import { localOptimality, randomised } from '../dist/analysis/optimality/local-optimality.js';
import { generateDataset } from '../dist/data/generators/generate.js';
import { train } from '../dist/training/train.js';

export const options = ['threads'];

const MODELS = { linear: { epochs: 20 }, net: { hidden: [10], epochs: 20 }, trees: { trees: 100, leaves: 31 } };

export function prepare({ threads = '2' }) {
  return { threads: Number(threads) };
}

export function variants() {
  return Object.fromEntries(Object.keys(MODELS).map(model => [model, { run: context => measure(model, context) }]));
}

async function measure(kind, { threads }) {
  const data = generateDataset('cubic', { queries: 1000, documents: 50, features: 50, seed: 1 });
  const trained = await train({
    data,
    model: kind,
    objective: 'lambdarank(ap)',
    select: 'ap',
    holdout: 0,
    seed: 1,
    threads,
    options: MODELS[kind],
  });
  const started = performance.now();
  const before = cpuUsage();
  const [found] = await localOptimality(trained.model, data, ['ap'], { threads });
  const { user, system } = cpuUsage(before);
  const seconds = (performance.now() - started) / 1000;
  const [control] = await localOptimality(randomised(trained.model, 1), data, ['ap'], { threads, directions: 20 });
  return {
    seconds,
    processor: (user + system) / 1e6,
    ap: found.value,
    rises: found.random.improved,
    share: found.random.improved / found.random.alterations,
    random: control.random.improved / control.random.alterations,
  };
}

export function* report(medians, { threads }) {
  yield `4,590 alterations over 50,000 documents, ${threads} threads`;
  yield 'model    seconds  processor s  ap      rises  of all  of random weights';
  for (const [name, { seconds, processor, ap, rises, share, random }] of Object.entries(medians)) {
    const percent = value => `${(100 * value).toFixed(1)} %`.padStart(6);
    yield [
      name.padEnd(7),
      seconds.toFixed(1).padStart(8),
      processor.toFixed(1).padStart(12),
      ` ${ap.toFixed(4)}`,
      String(rises).padStart(6),
      ` ${percent(share)}`,
      percent(random).padStart(18),
    ].join(' ');
  }
}
