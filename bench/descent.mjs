// npm run bench -- descent [--only WORD]: the kernels of descent against their plain-TypeScript references, and
// RankNet's two ways of training. One result a record: `variants` are measured in fresh processes, `report` turns their
// medians into lines. To add one, write the record and name it in `all`. With --only, records with a variant whose name
// begins with the word.
import { Session } from 'node:inspector/promises';
import { DatasetBuilder } from '../dist/data/dataset-builder.js';
import { generate } from '../dist/data/generators/generate.js';
import { DenseKernel } from '../dist/kernels/dense.js';
import { padded, paddedLayout, parameterCount } from '../dist/kernels/net-shape.js';
import { parseCriterion } from '../dist/measures/criterion.js';
import { parseMeasure } from '../dist/measures/parse.js';
import { DatasetView } from '../dist/measures/query-view.js';
import { Random } from '../dist/numeric/random.js';
import { SigmoidRanking } from '../dist/objectives/approx/sigmoid-ranking.js';
import { sigmoids } from '../dist/objectives/approx/sigmoids.js';
import { pairLambdas } from '../dist/objectives/pairs/pair-lambdas.reference.js';
import { parseObjective } from '../dist/objectives/parse.js';
import { RankDistributions } from '../dist/objectives/soft/rank-distributions.js';
import { alone } from '../dist/ranks/transport.js';
import { atOnce } from '../dist/steps.js';
import { Engine } from '../dist/training/descent/engine.js';
import { randomParameters } from '../dist/training/descent/restarts.js';
import { standardisationOf } from '../dist/training/descent/standardise.js';
import { EvaluatedMeasures } from '../dist/training/evaluated-measures.js';
import { train } from '../dist/training/train.js';
import { importSource } from '../scripts/import-source.mjs';

const { DenseReference } = await importSource('test/kernels/dense.reference.ts');
const { tightPairLambdas } = await importSource('test/objectives/tight-pair-lambdas.ts');
const { expectedDiscountForward } = await importSource('test/objectives/forward-derivative.ts');

/** The quickest of some runs, in milliseconds: what the code takes when nothing else wants the machine. */
function quickest(runs, work) {
  let best = Infinity;
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function dataOf(generator, options) {
  const generation = generate(generator, { seed: 1, equalSizes: true, ...options });
  const builder = new DatasetBuilder({ absent: 0, featureNames: generation.featureNames });
  for (const piece of generation.pieces()) builder.append(piece);
  return builder.finish();
}

async function engineFor(data, options) {
  const { hidden, objective, propagation = 'documents', batch = 16, threads = 1 } = options;
  const shape = { inputs: data.features, hidden, activation: 'tanh' };
  const engine = await Engine.start({
    shape,
    data,
    validate: undefined,
    standardisation: standardisationOf(data),
    batch,
    threads,
    propagation,
    objective: parseObjective(objective),
    measures: new EvaluatedMeasures(parseCriterion('ndcg@10'), []),
    portable: { objective, measures: ['ndcg@10'], modules: [] },
    followCost: false,
    ranks: alone,
  });
  return { engine, parameters: randomParameters(shape, 1, 1, 0) };
}

/** All gradients of one pass over the data; parameters stay as they are, so that every pass does the same work. */
function passOver(engine, parameters, queries, iteration) {
  const gradient = new Float64Array(parameters.length);
  engine.write(parameters);
  const batches = engine.beginEpoch(iteration, new Random(1, `order ${iteration}`).permutation(queries));
  for (let b = 0; b < batches; b++) atOnce(engine.gradient(b, gradient));
}

// Forward and backward of a 136-10-1 net: 200 queries of 120 documents, one after the other.
const dense = {
  variants: {
    dense: {
      run() {
        const shape = { inputs: 136, hidden: [10], activation: 'tanh' };
        const [queries, n] = [200, 120];
        const random = new Random(1);
        const count = parameterCount(shape);
        const parameters = Float64Array.from({ length: count }, () => random.gaussian() / 10);
        const rows = Float64Array.from({ length: queries * n * 136 }, () => random.gaussian());
        const lambda = Float64Array.from({ length: n }, () => random.gaussian());
        const layout = paddedLayout(shape);
        const at = { parameters: 1024, gradient: 16384, lambda: 32768, out: 36864, list: 40960 };
        at.rows = at.list + 4 * queries * n;
        at.scratch = at.rows + 4 * padded(136) * queries * n;
        const pages = Math.ceil((at.scratch + DenseKernel.scratchBytes(shape, n)) / 65536);
        const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
        const floats = new Float32Array(memory.buffer);
        floats.set(rows, at.rows / 4);
        floats.set(lambda, at.lambda / 4);
        layout.place.forEach((place, i) => {
          floats[at.parameters / 4 + place] = parameters[i];
        });
        new Uint32Array(memory.buffer, at.list, queries * n).set(
          Uint32Array.from({ length: queries * n }, (_, i) => at.rows + 4 * 136 * i),
        );
        const kernel = new DenseKernel(memory, shape, at.scratch, n);
        const reference = new DenseReference(shape, n);
        const out = new Float64Array(n);
        const gradient = new Float64Array(count);
        const byKernel = quickest(15, () => {
          for (let q = 0; q < queries; q++) {
            kernel.forward(at.parameters, at.list + 4 * n * q, n, at.out);
            kernel.backward(at.parameters, at.list + 4 * n * q, n, at.lambda, at.gradient);
          }
        });
        const byReference = quickest(7, () => {
          for (let q = 0; q < queries; q++) {
            const own = rows.subarray(q * n * 136, (q + 1) * n * 136);
            reference.forward(parameters, own, n, out);
            reference.backward(parameters, own, n, lambda, gradient);
          }
        });
        return { kernel: byKernel, reference: byReference, ratio: byReference / byKernel };
      },
    },
  },
  report: ({ dense: { kernel, reference, ratio } }) => [
    `forward + backward 136-10-1, 24,000 documents: kernel ${kernel.toFixed(1)} ms, reference ${reference.toFixed(1)} ms, ` +
      `ratio ${ratio.toFixed(1)} (asked for: 8)`,
  ],
};

// RankNet with one lambda a document against both documents of every pair (Burges et al. 2006, section 5), same kernel.
async function ranknetTimes(hidden) {
  const data = dataOf('mslr', { queries: 60, documents: 120 });
  const results = {};
  for (const propagation of ['documents', 'pairs']) {
    const { engine, parameters } = await engineFor(data, { hidden, objective: 'ranknet', propagation });
    let pass = 0;
    results[propagation] = quickest(propagation === 'pairs' ? 3 : 9, () =>
      passOver(engine, parameters, data.queries, ++pass),
    );
    await engine.close();
  }
  return { ...results, ratio: results.pairs / results.documents };
}

const factored = {
  variants: {
    'ranknet linear': { run: () => ranknetTimes([]) },
    'ranknet two layers': { run: () => ranknetTimes([10]) },
  },
  report: medians =>
    [
      ['ranknet linear', 5.1],
      ['ranknet two layers', 8.0],
    ].map(([name, paper]) => {
      const { documents, pairs, ratio } = medians[name];
      return `${name}, 60 queries of 120: factored ${documents.toFixed(1)} ms, pair by pair ${pairs.toFixed(0)} ms, ratio ${ratio.toFixed(1)} (paper: ${paper})`;
    }),
};

// How the time of a query grows with its documents: 12,800 documents in all, a linear model of 50 features.
const SIZES = [50, 100, 200, 400, 800, 1600, 3200, 6400];
const growth = {
  variants: Object.fromEntries(
    ['documents', 'pairs'].map(propagation => [
      `growth ${propagation}`,
      {
        async run() {
          const results = {};
          for (const documents of SIZES) {
            const data = dataOf('cubic', { queries: 12800 / documents, documents, features: 50 });
            const { engine, parameters } = await engineFor(data, {
              hidden: [],
              objective: 'ranknet',
              propagation,
              batch: 1,
            });
            let pass = 0;
            const runs = propagation === 'pairs' ? 1 : 3;
            const time = quickest(runs, () => passOver(engine, parameters, data.queries, ++pass));
            results[documents] = time / data.queries;
            await engine.close();
          }
          return results;
        },
      },
    ]),
  ),
  report: medians =>
    [
      ['pairs', 'pair by pair', 1.943],
      ['documents', 'factored', 1.185],
    ].map(([variant, title, paper]) => {
      const times = SIZES.map(size => medians[`growth ${variant}`][size]);
      const points = SIZES.map((size, i) => `${size}: ${times[i].toPrecision(3)}`).join(', ');
      return `RankNet ${title}, ms a query by documents (${points}); log-log slope ${slope(SIZES, times).toFixed(3)} (paper: ${paper})`;
    }),
};

/** Least squares of log y on log x. */
function slope(xs, ys) {
  const [u, v] = [xs.map(Math.log), ys.map(Math.log)];
  const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mu, mv] = [mean(u), mean(v)];
  return mean(u.map((x, i) => (x - mu) * (v[i] - mv))) / mean(u.map(x => (x - mu) ** 2));
}

// One epoch on 360,000 documents of 136 features, and what its time goes to.
const SHARES = { dense: /kernels\/dense\.js/, pairs: /kernels\/pair-lambdas\.js/ };
const epoch = {
  variants: {
    epoch: {
      async run() {
        const data = dataOf('mslr', { queries: 3000, documents: 120 });
        const { engine, parameters } = await engineFor(data, { hidden: [10], objective: 'lambdarank(ndcg)' });
        let pass = 0;
        const seconds = quickest(3, () => passOver(engine, parameters, data.queries, ++pass)) / 1000;
        const session = new Session();
        session.connect();
        await session.post('Profiler.enable');
        await session.post('Profiler.start');
        passOver(engine, parameters, data.queries, ++pass);
        const { profile } = await session.post('Profiler.stop');
        await engine.close();
        return { seconds, ...sharesOf(profile) };
      },
    },
  },
  report: ({ epoch: { seconds, dense, pairs, collector, rest } }) => [
    `epoch on 360,000 x 136, 136-10-1, lambdarank(ndcg), 1 thread: ${seconds.toFixed(2)} s; dense kernel ${percent(dense)}, ` +
      `pair kernel ${percent(pairs)}, garbage collector ${percent(collector)}, rest (order, tables, measure) ${percent(rest)}`,
  ],
};

const percent = share => `${(100 * share).toFixed(0)} %`;

/** Shares of the samples. A WebAssembly frame counts for the wrapper that called it. */
function sharesOf({ nodes, samples, timeDeltas }) {
  const parent = new Map(nodes.flatMap(node => (node.children ?? []).map(child => [child, node.id])));
  const frame = new Map(nodes.map(node => [node.id, node.callFrame]));
  const times = { dense: 0, pairs: 0, collector: 0, rest: 0 };
  const kindOf = id => {
    if (frame.get(id).functionName === '(garbage collector)') return 'collector';
    let at = id;
    while (at !== undefined && frame.get(at).url.startsWith('wasm:')) at = parent.get(at);
    if (at === id || at === undefined) return 'rest';
    return Object.keys(SHARES).find(kind => SHARES[kind].test(frame.get(at).url)) ?? 'rest';
  };
  for (const [i, id] of samples.entries()) times[kindOf(id)] += timeDeltas[i];
  const total = Object.values(times).reduce((sum, time) => sum + time, 0);
  return Object.fromEntries(Object.entries(times).map(([kind, time]) => [kind, time / total]));
}

// Lambdas of LambdaRank for 3,000 queries of 120 documents, sorting included: by the kernel, by the reference loop, and
// by the same loop made tight. They take turns, and what is counted is the processor's time, so that other work on the
// machine disturbs little.
const MEASURES = ['ndcg', 'ap', 'rr', 'p@10', 'ndcg@10'];
const lambdas = {
  variants: Object.fromEntries(
    MEASURES.map(measure => [
      `lambdas ${measure}`,
      {
        run() {
          const { data, scores, out } = scoredQueries(3000);
          const objective = parseObjective(`lambdarank(${measure})`);
          const view = new DatasetView(data, 'input', { remember: true });
          const pass = work => {
            for (let q = 0; q < data.queries; q++) work(view.moveTo(q, scores), out);
          };
          const tightLambdas = tightPairLambdas(objective.form.plan).lambdas;
          const { lambdas } = objective.start(data);
          let [kernel, tight] = [Infinity, Infinity];
          for (let turn = 0; turn < 5; turn++) {
            for (let i = 0; i < 4; i++)
              kernel = Math.min(
                kernel,
                processorTime(() => pass(lambdas)),
              );
            tight = Math.min(
              tight,
              processorTime(() => pass(tightLambdas)),
            );
          }
          const reference = processorTime(() => pass((query, into) => pairLambdas(objective.form.plan, query, into)));
          return { kernel, tight, reference };
        },
      },
    ]),
  ),
  report: medians =>
    MEASURES.map(measure => {
      const { kernel, tight, reference } = medians[`lambdas ${measure}`];
      return (
        `lambdas for ${measure}, 3,000 queries of 120: kernel ${kernel.toFixed(1)} ms; tight loop ${tight.toFixed(0)} ms, ` +
        `ratio ${(tight / kernel).toFixed(1)}; reference ${reference.toFixed(0)} ms, ratio ${(reference / kernel).toFixed(1)} ` +
        '(asked for: 10 for ndcg and ap; rr and p@10 no slower than ndcg)'
      );
    }),
};

/** What a piece of work takes of the processor, in milliseconds. */
function processorTime(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** MSLR-like grades without features, and random scores. */
function scoredQueries(queries, documents = 120) {
  const data = dataOf('mslr', { queries, documents });
  const random = new Random(2);
  const scores = Float64Array.from({ length: data.rows }, () => Math.fround(random.gaussian()));
  return { data, scores, out: { lambda: new Float64Array(documents), hessian: new Float64Array(documents) } };
}

// SoftNDCG@10 on queries of 120 documents: derivatives by the adjoint against derivatives carried forward.
const softNdcg = {
  variants: {
    'soft ndcg': {
      run() {
        const { data, scores, out } = scoredQueries(20);
        const { lambdas } = parseObjective('softrank(ndcg@10,sigma=0.5)').start(data);
        const view = new DatasetView(data);
        const labels = data.label();
        const discount = Float64Array.from({ length: 10 }, (_, r) => 1 / Math.log2(r + 2));
        const gradient = new Float64Array(120);
        const adjoint = quickest(5, () => {
          for (let q = 0; q < data.queries; q++) lambdas(view.moveTo(q, scores), out);
        });
        const forward = quickest(1, () => {
          for (let q = 0; q < data.queries; q++) {
            const start = data.offsets[q];
            const own = scores.subarray(start, start + 120);
            for (let j = 0; j < 120; j++) {
              const gain = 2 ** labels[start + j] - 1;
              if (gain > 0) expectedDiscountForward(0.5, j, own, 120, discount, 10, gain, gradient);
            }
          }
        });
        return { adjoint, forward, ratio: forward / adjoint };
      },
    },
  },
  report: ({ 'soft ndcg': { adjoint, forward, ratio } }) => [
    `SoftNDCG@10, 20 queries of 120: adjoint ${adjoint.toFixed(1)} ms, derivatives carried forward ${forward.toFixed(0)} ms, ratio ${ratio.toFixed(1)} (asked for: 10)`,
  ],
};

// Lambdas of SoftRank and of the approximation framework: by their kernels, and by the plain recursion and loops.
const SMOOTH = [
  'softrank(ndcg)',
  'softrank(ndcg@10)',
  'softrank(ndcg@20)',
  'softrank(ndcg@35)',
  'softrank(ndcg@40)',
  'softrank(ndcg@45)',
  'softrank(ndcg@50)',
  'softrank(ndcg@90)',
  'approx(ndcg)',
  'approx(ap)',
];
const smooth = {
  variants: Object.fromEntries(
    SMOOTH.flatMap(spec =>
      [60, 150].map(documents => [`${spec} ${documents}`, { run: () => smoothTimes(spec, documents) }]),
    ),
  ),
  report: medians =>
    SMOOTH.map(spec => {
      const at = [60, 150].map(documents => {
        const { kernel, plain } = medians[`${spec} ${documents}`];
        return `${documents} documents: kernel ${kernel.toFixed(0)} us a query, plain ${plain.toFixed(0)} us, ratio ${(plain / kernel).toFixed(1)}`;
      });
      return `lambdas of ${spec}, ${at.join('; ')} (asked for: 8)`;
    }),
};

function smoothTimes(spec, documents) {
  const { data, scores, out } = scoredQueries(20, documents);
  const [, method, measure] = /^(\w+)\((.*)\)$/.exec(spec);
  const view = new DatasetView(data, 'input', { remember: true });
  const { lambdas } = parseObjective(spec).start(data);
  const plain = plainLambdas[method](parseMeasure(measure), documents);
  const pass = work => () => {
    for (let q = 0; q < data.queries; q++) work(view.moveTo(q, scores), out);
  };
  const microseconds = time => (1000 * time) / data.queries;
  return { kernel: microseconds(quickest(100, pass(lambdas))), plain: microseconds(quickest(15, pass(plain))) };
}

const plainLambdas = {
  softrank(measure, n) {
    const ranks = new RankDistributions(0.3);
    const [gain, discount] = [new Float64Array(n), new Float64Array(n)];
    return (view, { lambda }) => {
      lambda.fill(0);
      const norm = measure.soft.fill(view, { gain, upper: discount });
      const zeros = discount.indexOf(0);
      const depth = zeros < 0 ? n : zeros;
      for (let j = 0; j < n; j++) {
        if (gain[j] !== 0) ranks.expectedDiscount(j, view.scores, n, discount, depth, norm * gain[j], lambda);
      }
    };
  },
  approx(measure) {
    const options = { alpha: 10, beta: 10, cutBeta: 0.3, sigmoid: sigmoids.logistic, beyond: 0, plain: true };
    const ranking = new SigmoidRanking(options);
    return (view, { lambda }) => {
      lambda.fill(0);
      measure.approx.value(view, ranking.rank(view));
      atOnce(ranking.addGradient(view, lambda));
    };
  },
};

// Epochs of the papers' sizes, as `train` takes them on two threads, with a net of ten hidden units.
const SIZED = {
  'softrank(ndcg)': { queries: 2000, documents: 60, epochs: 1, asked: 'at most 2 s' },
  'lambdarank(ndcg)': { queries: 10_000, documents: 50, epochs: 700, asked: 'minutes' },
};
const papers = {
  variants: Object.fromEntries(
    Object.entries(SIZED).map(([objective, { queries, documents }]) => [
      `papers ${objective}`,
      {
        async run() {
          const data = dataOf('cubic', { queries, documents, features: 50 });
          const options = { hidden: [10], epochs: 8, patience: 0 };
          const seconds = [];
          const onIteration = record => seconds.push(record.seconds);
          await train({ data, model: 'net', objective, options, holdout: 0, threads: 2, onIteration });
          return { seconds: Math.min(...seconds) };
        },
      },
    ]),
  ),
  report: medians =>
    Object.entries(SIZED).map(([objective, { queries, documents, epochs, asked }]) => {
      const { seconds } = medians[`papers ${objective}`];
      return `${epochs} epochs of ${objective}, ${queries} queries of ${documents}, 50-10-1, 2 threads: ${(epochs * seconds).toFixed(2)} s (asked for: ${asked})`;
    }),
};

const all = [lambdas, dense, factored, growth, softNdcg, smooth, epoch, papers];

export const options = ['only'];

const chosen = word =>
  all.filter(({ variants: own }) => word === undefined || Object.keys(own).some(name => name.startsWith(word)));

export const prepare = ({ only }) => ({ only });
export const variants = ({ only }) => Object.assign({}, ...chosen(only).map(result => result.variants));
export function* report(medians, { only }) {
  for (const result of chosen(only)) yield* result.report(medians);
}
