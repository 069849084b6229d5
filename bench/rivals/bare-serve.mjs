// Reads the body of a request and answers at once with as much text as a ranking of 100 documents: what a server costs
// that has nothing to do, and what the machine adds to it.
import { createServer } from 'node:http';

const text = '{}'.padEnd(4000);
const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.writeHead(200, { 'Content-Length': text.length });
    response.end(text);
  });
}).listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
