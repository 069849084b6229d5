// OHSUMED, five LETOR folds, a linear model: each objective's test NDCG, all choices made on validation data. See README.md.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { letorFolds, normalisations, normalise, readDataset } from '#listwise/data/index.js';
import { evaluate, parseMeasures } from '#listwise/measures/index.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { scoreData } from '#listwise/models/ranker.js';
import { asCommand, markdownTable, mean } from '../lib/experiment.mjs';
import { bestOnValidation } from '../lib/search.mjs';

/** Beside the project, not part of it. */
export const dataFolder = join(import.meta.dirname, '../../../shared/data/ohsumed');
export const dataAbsent = !existsSync(dataFolder);

async function readFolds(normalisation) {
  const parts = [];
  for (let part = 1; part <= 5; part++) parts.push(await readDataset(join(dataFolder, `S${part}.txt.gz`)));
  // The statistics are of a query's own documents, so nothing passes from one part to another.
  return letorFolds(parts.map(part => normalise(part, normalisations[normalisation])));
}

/** Undefined where the data is absent. */
export async function run({ config, seed, note = () => {} }) {
  if (dataAbsent) {
    note('skipped: ../shared/data/ohsumed (LETOR 2.0, S1.txt.gz to S5.txt.gz) is absent beside the project');
    return undefined;
  }
  const { normalise: normalisation, select, report, options, methods } = config;
  const folds = (await readFolds(normalisation)).slice(0, config.folds);
  const measures = parseMeasures(report);
  const outcome = { normalise: normalisation, select, options, methods: [] };
  for (const { name, paper, ...grid } of methods) {
    const results = [];
    for (const { fold, train, validate, test } of folds) {
      const { featureNames } = train;
      const from = new LinearModel({ featureNames, weights: new Float64Array(featureNames.length) });
      const settings = { data: train, validate, model: 'linear', from, select, options, seed };
      const { chosen, model, trials } = await bestOnValidation(grid, settings);
      const judged = evaluate(
        test,
        scoreData(model, test),
        measures.map(({ measure }) => measure),
      );
      const values = Object.fromEntries(measures.map(({ asked }, m) => [asked, judged[m].mean]));
      note(
        `${name}, fold ${fold}: ${chosen.objective}, rate ${chosen.rate}, ${select} ${chosen.validation.toFixed(4)}`,
      );
      results.push({ fold, queries: test.queries, chosen, test: values, trials });
    }
    const means = measures.map(({ asked }) => [asked, mean(results.map(({ test }) => test[asked]))]);
    outcome.methods.push({ name, paper, test: Object.fromEntries(means), folds: results });
  }
  return outcome;
}

/** The first two measures reported are the figure with empty queries left out and with empty queries as 0. */
export function table({ methods }) {
  const folds = methods[0].folds.map(({ fold }) => `fold ${fold}`);
  const rows = methods.map(({ name, paper, test, folds }) => {
    const [skipped, zero] = Object.keys(test);
    const figures = [test[skipped], test[zero], ...folds.map(fold => fold.test[skipped])];
    return [name, paper?.toFixed(4) ?? '', ...figures.map(value => value.toFixed(4))];
  });
  return markdownTable(['objective', 'paper', 'here', 'empty = 0', ...folds], rows);
}

await asCommand(import.meta.url, { run, table });
