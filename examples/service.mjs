// Ranks the documents it is sent, best first:
//   node service.mjs model.json 8080
//   curl localhost:8080/rank -d '{"documents": [{"id": "a", "features": {"bm25": 2.5}}, {"id": "b", "features": {"bm25": 3}}]}'
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { openModel, scorer } from 'listwise';

const [file, port = '8080'] = process.argv.slice(2);
const model = await openModel(file);
const { featureNames, score } = scorer(model);

/** A feature that a document lacks is missing. */
function rank(documents) {
  const values = documents.flatMap(({ features }) => featureNames.map(name => features[name] ?? Number.NaN));
  const scores = score(Float32Array.from(values), documents.length);
  return documents.map(({ id }, i) => ({ id, score: scores[i] })).sort((a, b) => b.score - a.score);
}

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.method !== 'POST' || request.url !== '/rank') return answer(404, { error: 'POST /rank' });
  try {
    const { documents = [] } = await json(request);
    answer(200, { documents: rank(documents) });
  } catch (error) {
    answer(400, { error: error.message });
  }
});
server.listen(Number(port), 'localhost', () => console.log(`http://localhost:${server.address().port}/rank`));
