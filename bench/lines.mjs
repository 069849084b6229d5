// npm run bench -- lines [--data ../shared/data] [--measure ap]
// The exact best of a line against 20 evaluated steps along it, one thread each, in processor time: the lines of the
// third and fourth cycle of coordinate ascent, when code is warm, on the training part of LETOR's first folds (features
// normalised within queries), and on generated data of 100 queries with 1,000 documents. Steps are RankLib's: 0.05 of
// the weight, doubled each time, to either side; each is evaluated by `evaluate`, and as training evaluates its models,
// which keeps what does not depend on scores, and values of queries whose ranking stays. What the two come to is the
// measure after the cycles.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { fileURLToPath } from 'node:url';

const SETS = ['ohsumed', 'mq2008'];
const STEPS = 10;
const [CYCLES, WARM] = [4, 2];
/** Exact, and how steps are evaluated. */
const WAYS = ['exact', 'evaluate', 'training'];

export const options = ['data', 'measure'];

export function prepare({ data, measure = 'ap' }) {
  const root = data ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
  return { data: root, measure, sets: [...SETS.filter(set => existsSync(join(root, set))), 'generated'] };
}

export function variants({ sets }) {
  return Object.fromEntries(
    sets.flatMap(set => WAYS.map(way => [`${way} ${set}`, { run: context => measured(way, set, context) }])),
  );
}

async function dataOf(set, root) {
  const { concatenate, generateDataset, normalisations, normalise, readDataset } = await import(
    '#listwise/data/index.js'
  );
  if (set === 'generated') return generateDataset('cubic', { queries: 100, documents: 1000, features: 4, seed: 1 });
  const parts = await Promise.all([1, 2, 3].map(k => readDataset(join(root, set, `S${k}.txt.gz`))));
  return normalise(concatenate(parts), normalisations.zscore);
}

async function measured(way, set, { data: root, measure: spec }) {
  const [
    { LineMeasure },
    { middle },
    { parseMeasure },
    { aggregate, countedValue, evaluate },
    { EvaluationCrew },
    { SeenData },
    { standardisationOf },
    { atOnce },
    { alone },
  ] = await Promise.all([
    import('#listwise/lines/line-measure.js'),
    import('#listwise/lines/piecewise.js'),
    import('#listwise/measures/index.js'),
    import('#listwise/measures/evaluate.js'),
    import('#listwise/measures/evaluation-crew.js'),
    import('#listwise/training/linear/seen-data.js'),
    import('#listwise/training/descent/standardise.js'),
    import('#listwise/steps.js'),
    import('#listwise/ranks/transport.js'),
  ]);
  const data = await dataOf(set, root);
  const measure = parseMeasure(spec);
  const seen = new SeenData(data, 1, standardisationOf(data));
  const line = await LineMeasure.start({ data: seen.labels, measure, threads: 1, portable: undefined });
  const crew = new EvaluationCrew({
    data: seen.labels,
    measures: [measure],
    portable: undefined,
    remember: true,
    threads: 1,
  });
  const { scores, values } = crew;
  const valueAt = step => {
    for (let i = 0; i < scores.length; i++) scores[i] = line.start[i] + step * line.slope[i];
    if (way !== 'training') return evaluate(seen.labels, scores, [measure])[0].mean;
    atOnce(crew.steps());
    return aggregate(
      measure,
      values[0].map(value => countedValue(measure, value)),
    ).mean;
  };
  const exact = (now, feature) => {
    const peak = atOnce(line.peak(now + 1e-10, feature));
    return peak && { step: middle(peak), value: peak.value };
  };
  const bySteps = (now, weight) => {
    let best;
    for (const sign of [1, -1]) {
      for (let k = 0; k < STEPS; k++) {
        const step = sign * 0.05 * 2 ** k * (Math.abs(weight) || 0.02);
        const value = valueAt(step);
        if (value > (best?.value ?? now) + 1e-10) best = { step, value };
      }
    }
    return best;
  };
  const features = [...seen.varying(alone).entries()].flatMap(([f, varies]) => (varies ? [f] : []));
  const weights = new Float64Array(data.features).fill(1 / data.features);
  seen.scores(weights, line.start);
  let now = valueAt(0);
  let processor = 0;
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    for (const f of features) {
      seen.column(f, line.slope);
      const before = cpuUsage();
      const found = way === 'exact' ? exact(now, f) : bySteps(now, weights[f]);
      const { user, system } = cpuUsage(before);
      if (cycle >= WARM) processor += (user + system) / 1e3;
      if (found === undefined) continue;
      now = found.value;
      weights[f] += found.step;
      seen.scores(weights, line.start);
    }
  }
  await line.close();
  return { milliseconds: processor / features.length / (CYCLES - WARM), value: now };
}

export function* report(medians, { sets, measure }) {
  yield `${measure}, one thread; milliseconds of a processor a line`;
  yield 'data          exact  20 steps  times  as training  times  value, exact  value, steps';
  for (const set of sets) {
    const [exact, steps, training] = WAYS.map(way => medians[`${way} ${set}`]);
    const times = ({ milliseconds }) => (milliseconds / exact.milliseconds).toFixed(1);
    yield [
      set.padEnd(10),
      exact.milliseconds.toFixed(2).padStart(8),
      steps.milliseconds.toFixed(2).padStart(9),
      times(steps).padStart(6),
      training.milliseconds.toFixed(2).padStart(12),
      times(training).padStart(6),
      exact.value.toFixed(4).padStart(13),
      steps.value.toFixed(4).padStart(13),
    ].join(' ');
  }
}
