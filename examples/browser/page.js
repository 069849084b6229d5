// Loads a model and the documents of one query, and shows them best first. Any web server for files will do.
import { loadModel, rank } from 'listwise/browser';

const read = async file => (await fetch(file)).json();
const model = await loadModel(await read('../model.json'));

for (const { document: found, score } of rank(model, await read('documents.json'))) {
  const item = document.createElement('li');
  item.textContent = `${found.title} (${score.toFixed(2)})`;
  document.querySelector('#ranking').append(item);
}
