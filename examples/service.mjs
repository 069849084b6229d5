// Ranks the documents it is sent, best first:
//   node service.mjs model.json 8080
//   curl localhost:8080/rank -d '{"documents": [{"id": "a", "features": {"title": 2.5}}, {"id": "b", "features": {"title": 8}}]}'
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { ListwiseError, loadModel, rank } from 'listwise';

const [file, port = '8080'] = process.argv.slice(2);
const model = await loadModel(file);

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.method !== 'POST' || request.url !== '/rank') return answer(404, { error: 'POST /rank' });
  try {
    const { documents = [] } = await json(request);
    const ranked = rank(model, documents);
    answer(200, { documents: ranked.map(({ document: { id }, score, rank }) => ({ id, score, rank })) });
  } catch (error) {
    const usersMistake = error instanceof ListwiseError || error instanceof SyntaxError;
    answer(usersMistake ? 400 : 500, { error: error.message });
  }
});
server.listen(Number(port), 'localhost', () => console.log(`http://localhost:${server.address().port}/rank`));
