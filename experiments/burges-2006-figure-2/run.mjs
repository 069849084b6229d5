// Cubic data: RankNet against LambdaRank at NDCG@1..10, linear and two layers. See README.md.
import { meanInterval, tTest, wilcoxonTest } from '#listwise/analysis/significance/index.js';
import { generateDataset } from '#listwise/data/index.js';
import { evaluate, parseMeasure } from '#listwise/measures/index.js';
import { scoreData } from '#listwise/models/ranker.js';
import { asCommand, markdownTable, mean } from '../lib/experiment.mjs';
import { bestOnValidation } from '../lib/search.mjs';

const cuts = Array.from({ length: 10 }, (_, i) => i + 1);
const measures = cuts.map(k => parseMeasure(`ndcg@${k}`));
/** Of the intervals: 95 %. */
const ALPHA = 0.05;

/**
 * `kept` is an earlier result: its cases are not run again where it was made with the same settings.
 * @param {{ config: any, seed: number, note?: (text: string) => void, kept?: { seed: number, settings: object, cases: any[] } }} job
 */
export async function run({ config, seed, note = () => {}, kept }) {
  const { cases, methods, ...common } = config;
  const settings = { generator: 'cubic', ...common, methods };
  const usable = kept !== undefined && JSON.stringify([kept.settings, kept.seed]) === JSON.stringify([settings, seed]);
  if (kept !== undefined && !usable) note('the result kept has other settings or another seed: all cases are run');
  const done = [];
  for (const one of cases) {
    const same = (usable ? kept.cases : []).find(
      ({ training, model }) => training === one.training && model === one.model,
    );
    done.push(same ?? (await runCase({ ...common, methods, ...one, seed, note })));
  }
  return { settings, cases: done };
}

async function runCase({ training, model, methods, seed, note, ...config }) {
  const { documents, features, validation, test, dataSets, select, options } = config;
  const results = methods.map(({ name }) => ({ name, runs: [], values: cuts.map(() => []) }));
  for (let i = 0; i < dataSets; i++) {
    // Every data set has its own hidden function, first weights and order of queries. Test queries come first, so that they are
    // the same for every size of the training data.
    const dataSeed = seed + i;
    const part = (queries, skip) => generateDataset('cubic', { documents, features, seed: dataSeed, queries, skip });
    const testData = part(test, 0);
    const validate = part(validation, test);
    const data = part(training, test + validation);
    const settings = { data, validate, model, select, options, seed: dataSeed };
    for (const [m, grid] of methods.entries()) {
      const { chosen, model: ranker, trials } = await bestOnValidation(grid, settings);
      const judged = evaluate(testData, scoreData(ranker, testData), measures);
      note(
        `${training} queries, ${model}, data ${dataSeed}, ${grid.name}: rate ${chosen.rate}, ` +
          `epoch ${chosen.epoch}, ${select} ${chosen.validation.toFixed(4)}, test ${judged.at(-1).mean.toFixed(4)}`,
      );
      results[m].runs.push({ seed: dataSeed, chosen, test: judged.map(({ mean }) => mean), trials });
      for (const [k, { values }] of judged.entries()) results[m].values[k].push(...values);
    }
  }
  return { training, model, methods: results.map(summary), comparison: compare(results) };
}

/** Means over the test queries of all data sets, with their intervals; the queries' own values are not kept. */
function summary({ name, runs, values }) {
  const ndcg = cuts.map((k, i) => ({
    k,
    mean: mean(values[i]),
    interval: meanInterval(Float64Array.from(values[i]), ALPHA),
  }));
  return { name, ndcg, runs };
}

/** The last method less the first, paired over the test queries of all data sets. */
function compare(results) {
  const [base, other] = [results[0], results.at(-1)];
  return cuts.map((k, i) => {
    const differences = Float64Array.from(base.values[i], (value, q) => other.values[i][q] - value);
    return {
      k,
      difference: mean([...differences]),
      interval: meanInterval(differences, ALPHA),
      p: { t: tTest(differences).p, wilcoxon: wilcoxonTest(differences).p },
      better: base.runs.filter(({ test }, d) => other.runs[d].test[i] > test[i]).length,
    };
  });
}

export function table({ cases, settings }) {
  const figure = ({ mean, interval }) => `${mean.toFixed(4)} ± ${(interval[1] - mean).toFixed(4)}`;
  return cases
    .map(({ training, model, methods, comparison }) => {
      const header = [
        'NDCG@',
        ...methods.map(({ name }) => name),
        'difference',
        '95 % interval',
        'p (t)',
        'p (Wilcoxon)',
      ];
      const rows = comparison.map(({ k, difference, interval, p, better }, i) => [
        k,
        ...methods.map(({ ndcg }) => figure(ndcg[i])),
        signed(difference),
        interval.map(signed).join(' to '),
        ...[p.t, p.wilcoxon].map(probability),
        `${better} of ${settings.dataSets}`,
      ]);
      return `${title(training, model)}\n\n${markdownTable([...header, 'better on'], rows)}`;
    })
    .join('\n\n');
}

function title(training, model) {
  const layers = model === 'linear' ? 'linear' : 'two layers';
  return `**${training.toLocaleString('en-GB')} training queries, ${layers}**`;
}

function signed(value) {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;
}

function probability(p) {
  return p < 0.0001 ? '< 0.0001' : p.toFixed(4);
}

await asCommand(import.meta.url, { run, table });
