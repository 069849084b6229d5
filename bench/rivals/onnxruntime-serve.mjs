// A server with onnxruntime-node as one would write it: node:http, JSON.parse, one session, one thread.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, installed] = process.argv.slice(2);
const { InferenceSession, Tensor } = createRequire(join(installed, 'package.json'))('onnxruntime-node');
const session = await InferenceSession.create(join(folder, 'model.onnx'), { intraOpNumThreads: 1 });
const [input] = session.inputNames;
const [output] = session.outputNames;

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', async () => {
    const { rows } = JSON.parse(Buffer.concat(chunks).toString());
    const values = Float32Array.from(rows.flat());
    const { data } = (await session.run({ [input]: new Tensor('float32', values, [rows.length, rows[0].length]) }))[
      output
    ];
    const documents = Array.from(data, (score, id) => ({ id, score }))
      .sort((a, b) => b.score - a.score)
      .map((document, i) => ({ ...document, rank: i + 1 }));
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ model: 'onnx', documents }));
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
