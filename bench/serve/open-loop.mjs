// node open-loop.mjs URL BODY RATE SECONDS: sends a request at even times, whether or not earlier ones were answered,
// and prints how long answers took from when they were due, as JSON; a second before that is not counted. A process of
// its own over plain sockets, with the request written once: it must not take the time that it measures.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const [url, file, rate, seconds] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const body = readFileSync(file);
const head = `POST /rank HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${body.length}\r\n\r\n`;
const bytes = Buffer.concat([Buffer.from(head), body]);
/** As many as a pool of clients would have. */
const CONNECTIONS = 16;
const warmUp = Number(rate);
const times = new Float64Array(warmUp + rate * seconds);
const free = [];
const waiting = [];
let done = 0;
let failed = 0;

for (let i = 0; i < CONNECTIONS; i++) {
  const socket = connect(Number(port), hostname);
  await new Promise(resolve => socket.once('connect', resolve));
  socket.setNoDelay(true);
  const own = { socket, due: 0, left: 0 };
  socket.on('data', chunk => {
    if (own.left === 0) {
      const text = chunk.latin1Slice(0, 400);
      if (!text.startsWith('HTTP/1.1 200')) failed++;
      own.left = text.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(text)[1]);
    }
    own.left -= chunk.length;
    if (own.left > 0) return;
    times[done++] = performance.now() - own.due;
    if (waiting.length > 0) send(own, waiting.shift());
    else free.push(own);
  });
  free.push(own);
}

function send(own, due) {
  own.due = due;
  own.socket.write(bytes);
}

const start = performance.now() + 10;
for (let i = 0; i < times.length; i++) {
  const due = start + (1000 * i) / rate;
  // Sleeping as long as a timer is sure to be in time leaves the core to others.
  while (performance.now() < due - 1.2) await new Promise(resolve => setTimeout(resolve, 1));
  while (performance.now() < due) await new Promise(resolve => setImmediate(resolve));
  const own = free.pop();
  if (own === undefined) waiting.push(due);
  else send(own, due);
}
while (done < times.length) await new Promise(resolve => setTimeout(resolve, 10));
const counted = times.subarray(warmUp).sort();
const at = part => counted[Math.floor(part * counted.length)];
console.log(JSON.stringify({ p50: at(0.5), p99: at(0.99), most: counted.at(-1), failed }));
process.exit();
