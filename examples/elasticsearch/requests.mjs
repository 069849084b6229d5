// The requests that make Elasticsearch or OpenSearch, with its learning-to-rank plugin, rank by a model:
//   node requests.mjs model.json feature-set.json products-1
import { readFile } from 'node:fs/promises';
import { exportModel, openModel } from 'listwise/interop';

const [modelFile, featureSetFile, name] = process.argv.slice(2);
const set = JSON.parse(await readFile(featureSetFile, 'utf8'));
const model = await openModel(modelFile);

// `offset: 'auto'` keeps scores at 0 or above, as Lucene asks; the order stays the same.
const { files, losses } = exportModel(model, {
  to: 'xgboost-dump',
  featureSet: set.featureset.features.map(feature => feature.name),
  offset: 'auto',
  body: name,
});
if (losses.length > 0) throw new Error(losses.join('\n'));

const sltr = { model: name, params: { words: 'blue shoes' } };
const search = {
  query: { match: { title: 'blue shoes' } },
  rescore: { window_size: 100, query: { query_weight: 0, rescore_query: { sltr } } },
};
const requests = [
  ['PUT', `_ltr/_featureset/${set.featureset.name}`, set],
  ['POST', `_ltr/_featureset/${set.featureset.name}/_createmodel`, JSON.parse(files[0].content)],
  ['POST', 'products/_search', search],
];
for (const [method, path, body] of requests) console.log(`${method} ${path}\n${JSON.stringify(body)}\n`);
