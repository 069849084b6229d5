// From data to a report, step by step, as in a notebook: node notebook.mjs
import { writeFile } from 'node:fs/promises';
import { compareSystems, evaluate, generateDataset, report, ridge, scoreData, splitByQuery, train } from 'listwise';

// 1. Data in the shape of web search: 136 features, grades 0 to 4. `readDataset('data.csv')` reads yours.
const data = generateDataset('mslr', { queries: 300, seed: 1 });
const [fit, test] = splitByQuery(data, [0.7, 0.3], 1);
console.log(`${fit.queries} queries to train on, ${test.queries} to test on`);

// 2. Two models: boosted trees for NDCG@10, and ridge regression on the grades to compare with.
const { model, best } = await train({ data: fit, model: 'trees', objective: 'lambdarank(ndcg@10)', seed: 1 });
console.log(`trees: iteration ${best.iteration} is the best`);

// 3. How good are they?
const systems = [
  { name: 'trees', data: test, scores: scoreData(model, test) },
  { name: 'ridge', data: test, scores: scoreData(ridge(fit), test) },
];
for (const { name, scores } of systems) {
  const results = evaluate(test, scores, 'ndcg@10,ap');
  console.log(`${name}: ${results.map(({ asked, mean }) => `${asked} ${mean.toFixed(3)}`).join(', ')}`);
}

// 4. Is the difference more than chance?
const comparison = compareSystems(systems, 'ndcg@10,ap');
for (const { measure, difference, p } of comparison.pairs)
  console.log(`${measure}: trees better by ${difference.toFixed(3)}, p ${p.randomisation.toPrecision(1)}`);

// 5. A page to share.
await writeFile('notebook.html', report(comparison));
console.log('report written to notebook.html');
