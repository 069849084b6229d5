// From data to a report, step by step, as in a notebook: node notebook.mjs
import {
  compareSystems,
  evaluate,
  generateDataset,
  parseMeasures,
  ridge,
  scoreData,
  splitByQuery,
  train,
} from 'listwise';
import { comparePage, writeReport } from 'listwise/report';

// 1. Data in the shape of web search: 136 features, grades 0 to 4. `readDataset('data.csv')` reads yours.
const data = generateDataset('mslr', { queries: 300, seed: 1 });
const [fit, test] = splitByQuery(data, [0.7, 0.3], 1);
console.log(`${fit.queries} queries to train on, ${test.queries} to test on`);

// 2. Two models: boosted trees for NDCG@10, and ridge regression of the grades to compare with.
const { model, best } = await train({ data: fit, model: 'trees', objective: 'lambdarank(ndcg@10)', seed: 1 });
console.log(`trees: iteration ${best.iteration} is the best`);

// 3. How good are they?
const asked = parseMeasures('ndcg@10,ap');
const scores = { trees: scoreData(model, test), ridge: scoreData(ridge(fit), test) };
for (const [name, values] of Object.entries(scores)) {
  const results = evaluate(
    test,
    values,
    asked.map(({ measure }) => measure),
  );
  console.log(`${name}: ${results.map(({ mean }, i) => `${asked[i].asked} ${mean.toFixed(3)}`).join(', ')}`);
}

// 4. Is the difference more than chance?
const systems = Object.entries(scores).map(([name, values]) => ({ name, data: test, scores: values }));
const comparison = compareSystems(systems, asked);
for (const { measure, difference, p } of comparison.pairs)
  console.log(`${measure}: trees better by ${difference.toFixed(3)}, p ${p.randomisation.toPrecision(1)}`);

// 5. A page to share.
const origin = {
  command: 'node notebook.mjs',
  options: {},
  version: '0.1.0',
  node: process.versions.node,
  data: [],
  seed: 1,
};
await writeReport('notebook.html', comparePage({ systems, comparison, origin }));
console.log('report written to notebook.html');
