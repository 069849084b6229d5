// Loads a model and the documents of one query, and shows them best first. Any web server for files will do.
import { loadModel, scorer } from 'listwise/browser';

const [model, documents] = await Promise.all(
  ['../model.json', 'documents.json'].map(file => fetch(file).then(r => r.json())),
);
const { featureNames, score } = scorer(await loadModel(model));

const values = documents.flatMap(({ features }) => featureNames.map(name => features[name] ?? Number.NaN));
const scores = score(Float32Array.from(values), documents.length);

const ranked = documents.map(({ title }, i) => ({ title, score: scores[i] })).sort((a, b) => b.score - a.score);
for (const { title, score } of ranked) {
  const item = document.createElement('li');
  item.textContent = `${title} (${score.toFixed(2)})`;
  document.querySelector('#ranking').append(item);
}
